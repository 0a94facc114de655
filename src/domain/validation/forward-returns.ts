// Closes by session and ticker, and what followed: returns that begin strictly after somebody could have acted.
import type { Instant } from '../../kernel/instant.js';
import type { FactOf } from '../facts/fact.js';
import { VALIDATION } from './parameters.js';

export interface Session {
  readonly date: string;
  readonly closeAt: Instant;
}

/** Why a name that was eligible has no return. */
export const LOSSES = ['entry_unknown', 'exit_unknown', 'identity_gap'] as const;
export type Loss = (typeof LOSSES)[number];

/** The forward returns of one grid point over one horizon. */
export interface Forward {
  readonly entry: number;
  readonly exit: number;
  /** Log returns by place; NaN where one is missing. */
  readonly returns: Float64Array;
  /** By place: 0 where there is a return, else 1 + the place in `LOSSES`. */
  readonly losses: Uint8Array;
}

interface Quoted {
  /** The last close of the date: names may differ by a half day of trading. */
  closeAt: Instant;
  names: number;
  /** Logarithms of the closes by place. */
  readonly logs: Float64Array;
}

/**
 * Takes price and split facts as known by one instant. Of several versions of a close the one known last counts, so
 * they must come in the order of knowledge.
 */
export class PriceTable {
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #quoted = new Map<string, Quoted>();
  readonly #splits = new Map<number, Map<Instant, number>>();

  /** Places are given by `tickers`; prices of others are left out. */
  constructor(tickers: readonly string[]) {
    this.#placeOf = new Map(tickers.map((ticker, place) => [ticker, place]));
  }

  takePrices(facts: readonly FactOf<'price'>[]): void {
    for (const { body, effectiveAt } of facts) {
      const place = this.#placeOf.get(body.ticker);
      if (place === undefined || !(body.close > 0)) continue;
      const quoted = this.#on(body.date, effectiveAt);
      if (Number.isNaN(quoted.logs[place])) quoted.names++;
      quoted.logs[place] = Math.log(body.close);
      if (effectiveAt > quoted.closeAt) quoted.closeAt = effectiveAt;
    }
  }

  takeSplits(facts: readonly FactOf<'split'>[]): void {
    for (const { body, effectiveAt } of facts) {
      const place = this.#placeOf.get(body.ticker);
      if (place === undefined || !(body.ratio > 0)) continue;
      const own = this.#splits.get(place) ?? new Map<Instant, number>();
      this.#splits.set(place, own.set(effectiveAt, body.ratio));
    }
  }

  settle(): Closes {
    const sessions = this.#sessions();
    const logs = Array.from(this.#placeOf.values(), (place) =>
      Float64Array.from(sessions, ({ date }) => this.#quoted.get(date)!.logs[place]!),
    );
    for (const [place, splits] of this.#splits) undoSplits(logs[place]!, splits, sessions);
    return new Closes(sessions, logs);
  }

  /** A date is a session when at least half as many names have a price as on the median date: a lone quote is none. */
  #sessions(): Session[] {
    const counts = Array.from(this.#quoted.values(), ({ names }) => names).sort((a, b) => a - b);
    const fewest = (counts[counts.length >> 1] ?? 0) / 2;
    return [...this.#quoted]
      .filter(([, { names }]) => names >= fewest)
      .map(([date, { closeAt }]) => ({ date, closeAt }))
      .sort((a, b) => a.closeAt - b.closeAt);
  }

  #on(date: string, closeAt: Instant): Quoted {
    const known = this.#quoted.get(date);
    if (known !== undefined) return known;
    const made = { closeAt, names: 0, logs: new Float64Array(this.#placeOf.size).fill(Number.NaN) };
    this.#quoted.set(date, made);
    return made;
  }
}

/** Puts every close into the share units of the first session. */
function undoSplits(
  logs: Float64Array,
  splits: ReadonlyMap<Instant, number>,
  sessions: readonly Session[],
): void {
  for (const [effectiveAt, ratio] of splits) {
    for (let i = sessions.length - 1; i >= 0 && sessions[i]!.closeAt >= effectiveAt; i--)
      logs[i] = logs[i]! + Math.log(ratio);
  }
}

export class Closes {
  readonly sessions: readonly Session[];
  readonly #logs: readonly Float64Array[];
  /** By place and session: which unbroken run of prices it belongs to. */
  readonly #runs: readonly Uint16Array[];

  constructor(sessions: readonly Session[], logs: readonly Float64Array[]) {
    for (let i = 1; i < sessions.length; i++)
      if (sessions[i]!.closeAt <= sessions[i - 1]!.closeAt)
        throw new RangeError('two sessions close together');
    this.sessions = sessions;
    this.#logs = logs;
    this.#runs = logs.map(runsOf);
  }

  /** The first session that closes strictly after the instant; null while there is none. */
  firstAfter(instant: Instant): number | null {
    let low = 0;
    let high = this.sessions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sessions[middle]!.closeAt > instant) high = middle;
      else low = middle + 1;
    }
    return low < this.sessions.length ? low : null;
  }

  /** When the returns over a horizon that begin at a session have all been learned; null while its end is not in sight. */
  maturesAt(entrySession: number, horizon: number): Instant | null {
    const exit = this.sessions[entrySession + horizon];
    return exit === undefined ? null : exit.closeAt + VALIDATION.settlement;
  }

  forward(entrySession: number, horizon: number): Forward {
    const exit = entrySession + horizon;
    const returns = new Float64Array(this.#logs.length).fill(Number.NaN);
    const losses = new Uint8Array(this.#logs.length);
    for (let place = 0; place < returns.length; place++) {
      const logs = this.#logs[place]!;
      const runs = this.#runs[place]!;
      const [from, to] = [logs[entrySession]!, logs[exit]!];
      if (Number.isNaN(from)) losses[place] = 1 + LOSSES.indexOf('entry_unknown');
      else if (Number.isNaN(to)) losses[place] = 1 + LOSSES.indexOf('exit_unknown');
      else if (runs[entrySession] !== runs[exit]) losses[place] = 1 + LOSSES.indexOf('identity_gap');
      else returns[place] = to - from;
    }
    return { entry: entrySession, exit, returns, losses };
  }
}

function runsOf(logs: Float64Array): Uint16Array {
  const runs = new Uint16Array(logs.length);
  let run = 0;
  let silent = 0;
  for (let i = 0; i < logs.length; i++) {
    if (Number.isNaN(logs[i])) silent++;
    else {
      if (silent >= VALIDATION.identityGap) run++;
      silent = 0;
    }
    runs[i] = run;
  }
  return runs;
}
