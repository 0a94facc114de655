// The tape cut into one cross-section per session: who was in the universe then, and what the signals said.
import type { Instant } from '../../kernel/instant.js';
import type { RecordedHeader, Row } from '../facts/frame.js';
import { VALIDATION } from './parameters.js';
import { type DensityHistory, HISTORY_POINTS, TAPE_SIGNALS } from './tape-signals.js';

/** One grid point. Arrays are by place; a name that was not in the universe then has no value in any of them. */
export interface Section {
  readonly date: string;
  /** The boundary of the frame. */
  readonly at: Instant;
  /** When somebody could first have acted on it. */
  readonly decidedAt: Instant;
  /** False when the frame was computed in hindsight. */
  readonly observed: boolean;
  /** In the order of the signals. */
  readonly signals: readonly Float64Array[];
  readonly logCap: Float64Array;
  /** Names in the universe of that day. */
  readonly names: number;
}

/** When a frame was known, as far as the tape can vouch for it. */
export function decisionOf({ at, knownAt }: Pick<RecordedHeader, 'at' | 'knownAt'>): {
  readonly decidedAt: Instant;
  readonly observed: boolean;
} {
  const observed = knownAt - at <= VALIDATION.hindsight;
  return { decidedAt: (observed ? Math.max(at, knownAt) : at) + VALIDATION.latency, observed };
}

/** Cuts frames into sections, in the order of time; remembers the densities that changes are measured against. */
export class Panel {
  /** In alphabetical order, so that no sum depends on the order in which names were first seen. */
  readonly tickers: readonly string[];
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #densities: Float64Array[] = [];
  #lastAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(tickers: Iterable<string>) {
    this.tickers = [...new Set(tickers)].sort();
    this.#placeOf = new Map(this.tickers.map((ticker, place) => [ticker, place]));
  }

  cut(date: string, header: Pick<RecordedHeader, 'at' | 'knownAt'>, rows: readonly Row[]): Section {
    if (header.at <= this.#lastAt) throw new RangeError('sections must come in strictly increasing time');
    this.#lastAt = header.at;
    const size = this.tickers.length;
    const empty = (): Float64Array => new Float64Array(size).fill(Number.NaN);
    const signals = TAPE_SIGNALS.map(empty);
    const logCap = empty();
    const density = empty();
    for (const row of rows) {
      const place = this.#placeOf.get(row.ticker);
      if (place === undefined) throw new RangeError('a row of a ticker that the panel does not know');
      const before: DensityHistory = this.#densities.map((past) => past[place]!);
      TAPE_SIGNALS.forEach((signal, k) => {
        signals[k]![place] = signal.of(row, before);
      });
      const cap = row.denominator.usdBillions;
      if (cap !== null && cap > 0) logCap[place] = Math.log(cap);
      density[place] = row.density ?? Number.NaN;
    }
    this.#densities.push(density);
    if (this.#densities.length > HISTORY_POINTS) this.#densities.shift();
    return { date, at: header.at, ...decisionOf(header), signals, logCap, names: rows.length };
  }
}
