// How long a signal says the same: rank correlation with the session before, and who is new in its highest fifth.
import { mean } from '../../kernel/statistics/moments.js';
import { centredRanks, correlation, fifthOf, type Ordered } from './cross-section.js';
import { VALIDATION } from './parameters.js';

export interface Persistence {
  readonly days: number;
  readonly rankAutocorrelation: number;
  readonly turnover: number;
}

/** One signal, session by session. */
export class SignalPersistence {
  readonly #mask: Uint8Array;
  readonly #now: Float64Array;
  readonly #then: Float64Array;
  readonly #correlations: number[] = [];
  readonly #turnovers: number[] = [];
  #before: { readonly session: number; readonly signal: Ordered; readonly highest: Uint8Array } | null = null;

  constructor(width: number) {
    this.#mask = new Uint8Array(width);
    this.#now = new Float64Array(width);
    this.#then = new Float64Array(width);
  }

  /** `session` counts sessions: only neighbours are compared. */
  take(session: number, signal: Ordered): void {
    const highest = this.#highestFifth(signal);
    const before = this.#before;
    this.#before = { session, signal, highest };
    if (before === null || session !== before.session + 1) return;
    const common = this.#common(signal, before.signal);
    if (common < VALIDATION.minNames) return;
    centredRanks(signal, this.#mask, common, this.#now);
    centredRanks(before.signal, this.#mask, common, this.#then);
    const found = correlation(this.#mask, this.#now, this.#then);
    const entered = newShare(highest, before.highest);
    // A signal that is the same for everybody has neither a rank nor a highest fifth.
    if (Number.isNaN(found) || Number.isNaN(entered)) return;
    this.#correlations.push(found);
    this.#turnovers.push(entered);
  }

  get result(): Persistence {
    return {
      days: this.#correlations.length,
      rankAutocorrelation: mean(this.#correlations),
      turnover: mean(this.#turnovers),
    };
  }

  #common({ order }: Ordered, { values }: Ordered): number {
    this.#mask.fill(0);
    let count = 0;
    for (const place of order) {
      if (Number.isNaN(values[place])) continue;
      this.#mask[place] = 1;
      count++;
    }
    return count;
  }

  /** Ties belong together: all of them, or none, by their average rank. */
  #highestFifth(signal: Ordered): Uint8Array {
    const { order } = signal;
    const highest = new Uint8Array(this.#mask.length);
    this.#mask.fill(0);
    for (const place of order) this.#mask[place] = 1;
    centredRanks(signal, this.#mask, order.length, this.#now);
    for (const place of order) if (fifthOf(this.#now[place]!, order.length) === 4) highest[place] = 1;
    return highest;
  }
}

function newShare(now: Uint8Array, then: Uint8Array): number {
  let members = 0;
  let entered = 0;
  for (let i = 0; i < now.length; i++) {
    if (now[i] !== 1) continue;
    members++;
    if (then[i] !== 1) entered++;
  }
  return entered / members;
}
