// Looks at the key records again and again, so that a revocation is felt within seconds and without a restart.
import type { Keyring } from './keyring.js';

export interface KeySource {
  /** Changes whenever the records change; null while there are none. */
  stamp(): Promise<string | null>;
  /** The text of the records; null while there are none. */
  read(): Promise<string | null>;
}

/** With a look this often, a revocation is felt well within five seconds. */
export const LOOK_EVERY_MS = 1_000;

const UNREADABLE = Symbol('unreadable');
const UNCHANGED = Symbol('unchanged');

export class KeyWatch {
  readonly #keyring: Keyring;
  readonly #source: KeySource;
  #seen: string | null | undefined | typeof UNREADABLE;
  #looking: Promise<void> | null = null;

  constructor(keyring: Keyring, source: KeySource) {
    this.#keyring = keyring;
    this.#source = source;
  }

  /** One look; a look that is still under way is shared. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const found = await this.#find();
    if (found === UNCHANGED) this.#keyring.tick();
    else this.#keyring.load(found);
  }

  async #find(): Promise<string | null | typeof UNCHANGED> {
    try {
      // The stamp first: a change between the two is seen at the next look.
      const stamp = await this.#source.stamp();
      if (stamp === this.#seen) return UNCHANGED;
      const text = stamp === null ? null : await this.#source.read();
      this.#seen = stamp;
      return text;
    } catch {
      // Records that cannot be read could hide a revocation: until they can be, no key is accepted.
      if (this.#seen === UNREADABLE) return UNCHANGED;
      this.#seen = UNREADABLE;
      return '';
    }
  }
}
