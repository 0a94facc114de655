// The newest edition, kept in memory by every API process and replaced when the bus tells of a newer one.
import { Failure } from '../../contracts/failures.js';
import { Turnstile } from '../../kernel/turnstile.js';
import type { Bus } from '../../ports/bus.js';
import type { HeldEdition } from './held-edition.js';
import type { StatedEditions } from './stated-editions.js';

export class LiveMacro {
  readonly #editions: StatedEditions;
  readonly #listeners = new Set<() => void>();
  readonly #turnstile = new Turnstile();
  #latest: HeldEdition | null = null;
  #leave: (() => Promise<void>) | null = null;
  #asked = false;

  private constructor(editions: StatedEditions) {
    this.#editions = editions;
  }

  static async open(editions: StatedEditions, bus: Bus): Promise<LiveMacro> {
    const live = new LiveMacro(editions);
    // Subscribe first: an edition that is stated while the archive is read must not be missed. The message only says
    // that there is one; the edition itself comes from the archive, where it is bound to its statement.
    live.#leave = await bus.subscribe('macro.frame', () => {
      // A reading that fails is made up for by the next message; the edition in hand stands until then.
      live.catchUp().catch(() => {});
    });
    await live.catchUp();
    return live;
  }

  get latest(): HeldEdition | null {
    return this.#latest;
  }

  /** The newest edition, or the one refusal of a service that has none yet. */
  newest(): HeldEdition {
    if (this.#latest) return this.#latest;
    throw new Failure('warming_up', {
      retryAfterSeconds: 5,
      detail: 'No macro edition has been stated yet.',
    });
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads the newest edition; several that wait for it are one reading. */
  async catchUp(): Promise<void> {
    if (this.#asked) return this.#turnstile.idle();
    this.#asked = true;
    await this.#turnstile.pass(async () => {
      this.#asked = false;
      const held = await this.#editions.newest();
      if (!held || (this.#latest && this.#latest.at >= held.at)) return;
      this.#latest = held;
      for (const listener of this.#listeners) listener();
    });
  }

  async close(): Promise<void> {
    await this.#leave?.();
    await this.#turnstile.idle();
  }
}
