// The edition that answers a question: the newest, the one that stood at an instant, or one computed from what was known.
import { Failure } from '../../contracts/failures.js';
import { modelReceipt } from '../../domain/macro/model-receipt.js';
import { lastStepBy, lastWeekBy } from '../../domain/macro/sessions.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { DAY } from '../../kernel/instant.js';
import { HeldEdition } from './held-edition.js';
import type { LiveMacro } from './live-macro.js';
import type { MacroDesk } from './macro-desk.js';
import type { StatedEditions } from './stated-editions.js';

/** An edition is stated when anything changes, and something does every business day; beyond this nobody was recording. */
export const STANDS_FOR = 4 * DAY;
const KEPT = 8;
const MOST_WAITING = 8;

/** The edition, and the instant of the past that was asked for; null for the present. */
export interface Answering {
  readonly held: HeldEdition;
  readonly asOf: Instant | null;
  /** The instant up to which things are known for this answer. */
  readonly at: Instant;
}

export interface EditionParts {
  readonly live: LiveMacro;
  readonly stated: StatedEditions;
  readonly desk: MacroDesk;
  readonly clock: Clock;
  /** Reads an `as_of` and refuses instants that cannot be answered for. */
  readonly instantOf: (asOf: string) => Promise<Instant>;
}

export class Editions {
  readonly #parts: EditionParts;
  readonly #computed = new Map<Instant, HeldEdition>();
  #waiting = 0;

  constructor(parts: EditionParts) {
    this.#parts = parts;
  }

  async answering(asOf: string | null | undefined): Promise<Answering> {
    const { live, clock, instantOf } = this.#parts;
    if (asOf === null || asOf === undefined) {
      const held = live.newest();
      return { held, asOf: null, at: Math.max(held.at, Math.min(clock(), held.at + STANDS_FOR)) };
    }
    const at = await instantOf(asOf);
    return { held: await this.#past(at), asOf: at, at };
  }

  /** Asks the desk, unless too many are waiting for it already. */
  async atDesk<T>(ask: (desk: MacroDesk) => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw new Failure('replay_busy', { retryAfterSeconds: 2 });
    this.#waiting += 1;
    try {
      return await ask(this.#parts.desk);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Until a day is decided or anything becomes known: editions by the week leave the days between them untold. */
  async #stands(stated: Instant, at: Instant): Promise<boolean> {
    if (at - stated > STANDS_FOR) return false;
    if (lastStepBy(at) !== lastStepBy(stated) || lastWeekBy(at) !== lastWeekBy(stated)) return false;
    return !(await this.#parts.stated.isNewsBetween(stated, at));
  }

  async #past(at: Instant): Promise<HeldEdition> {
    const standing = await this.#parts.stated.at(at);
    if (standing && (await this.#stands(standing.at, at))) return standing;
    const known = this.#computed.get(at);
    if (known) return known;
    const [{ edition, highWater, knowledge }, isFixture] = await Promise.all([
      this.atDesk((desk) => desk.edition(at)),
      this.#parts.stated.isFixture(),
    ]);
    const { version, config } = modelReceipt();
    const held = new HeldEdition(edition, {
      logIndex: null,
      highWater,
      knowledge,
      modelVersion: version,
      modelSha256: config,
      isFixture,
    });
    if (this.#computed.size >= KEPT) this.#computed.delete(this.#computed.keys().next().value!);
    this.#computed.set(at, held);
    return held;
  }
}
