// A ceiling per address and minute, counted in this process alone: it protects what stands behind it, also the shared store.
import { type Clock, floorTo, MINUTE } from '../kernel/instant.js';
import { type Address, networkOf } from './address.js';
import { secondsUntil } from './admission.js';

/** An IPv6 customer owns at least a /64. */
const ONE_CALLER = { v4: 32, v6: 64 };
/** More callers in one minute than this are forgotten together: it is a ceiling, not an account. */
const MOST_CALLERS = 100_000;

export class AddressCeiling {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #minute = Number.NaN;

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Counts one more; the seconds to wait where that is too many, else null. */
  pass(address: Address | null): number | null {
    const now = this.#clock();
    const minute = floorTo(now, MINUTE);
    if (minute !== this.#minute || this.#counts.size >= MOST_CALLERS) this.#counts.clear();
    this.#minute = minute;
    const caller = address === null ? 'unknown' : networkOf(address, ONE_CALLER);
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#most ? null : secondsUntil(minute + MINUTE, now);
  }
}

/** Bad keys that one address may try. A good key is let in all the same: many people can stand behind one address. */
export const FAILED_KEYS_A_MINUTE = 300;
/** Calls that count nothing, such as looks at the own usage: they ask the shared store like any other. */
export const LOOKS_A_MINUTE = 3_000;
