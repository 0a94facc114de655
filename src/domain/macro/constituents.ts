// Measures over all stocks together: the share above the 200-day average, and equal-weighted chains of returns.
import type { Instant } from '../../kernel/instant.js';
import type { AssetRecord, PriceBook } from './price-book.js';
import type { SeriesHistory } from './series-history.js';
import { dayOfSession, stepOf } from './sessions.js';

const AVERAGE_SESSIONS = 200;
/** A stock without a close for longer than this is no longer counted as trading. */
const ACTIVE_SESSIONS = 5;
/** The day is measured at its own step when this share of the closes is in, else one step later. */
const ENOUGH = 0.6;
/** Fewer stocks than this speak for themselves, not for a market or a sector. */
const FEWEST = 20;
const BREADTH = 'BREADTH:200';
const EQUAL = 'EQUAL:';
const ALL = 'ALL';

interface Walk {
  readonly ring: Float64Array;
  count: number;
  sum: number;
  lastClose: number;
  lastSession: number;
}

export class Constituents {
  readonly #book: PriceBook;
  readonly #breadth: SeriesHistory | undefined;
  readonly #chains: readonly { readonly sector: string; readonly series: SeriesHistory }[];
  #levels: Float64Array;
  readonly #walks = new Map<AssetRecord, Walk>();
  #next = -1;
  #measuredTo: Instant = Number.NEGATIVE_INFINITY;

  constructor(book: PriceBook, histories: ReadonlyMap<string, SeriesHistory>) {
    this.#book = book;
    this.#breadth = histories.get(BREADTH);
    this.#chains = [...histories]
      .filter(([id]) => id.startsWith(EQUAL))
      .map(([id, series]) => ({ sector: id.slice(EQUAL.length), series }));
    this.#levels = new Float64Array(this.#chains.length).fill(100);
  }

  /** Prices known by this instant have been used: one that arrives later makes everything start over. */
  get measuredTo(): Instant {
    return this.#measuredTo;
  }

  restart(): void {
    this.#walks.clear();
    this.#next = -1;
    this.#measuredTo = Number.NEGATIVE_INFINITY;
    this.#levels = new Float64Array(this.#chains.length).fill(100);
    this.#breadth?.clear();
    for (const { series } of this.#chains) series.clear();
  }

  /** Measures every session whose step has come. */
  extend(at: Instant): void {
    const records = this.#book.records();
    if (this.#next < 0) {
      let first = Number.POSITIVE_INFINITY;
      for (const { closes } of records)
        if (closes.endSession > 0) first = Math.min(first, closes.firstSession);
      if (!Number.isFinite(first)) return;
      this.#next = first;
    }
    for (; stepOf(this.#next) <= at; this.#next += 1) {
      const knownBy = this.#measuredAt(records, this.#next);
      if (knownBy > at) return;
      this.#measure(records, this.#next, knownBy);
      this.#measuredTo = knownBy;
    }
  }

  #measuredAt(records: readonly AssetRecord[], session: number): Instant {
    const step = stepOf(session);
    let active = 0;
    let present = 0;
    for (const record of records) {
      const walk = this.#walks.get(record);
      if (walk && walk.lastSession >= session - ACTIVE_SESSIONS) active += 1;
      if (!Number.isNaN(record.closes.adjusted(session, step))) present += 1;
    }
    return present >= ENOUGH * active ? step : stepOf(session + 1);
  }

  #measure(records: readonly AssetRecord[], session: number, knownBy: Instant): void {
    const sums = new Float64Array(this.#chains.length);
    const counts = new Float64Array(this.#chains.length);
    let above = 0;
    let measured = 0;
    for (const record of records) {
      const close = record.closes.adjusted(session, knownBy);
      if (Number.isNaN(close)) continue;
      const walk = this.#walk(record);
      const sector = record.companySector(knownBy);
      if (sector !== null && walk.lastSession >= session - ACTIVE_SESSIONS) {
        const move = Math.log(close / walk.lastClose);
        for (let c = 0; c < this.#chains.length; c += 1) {
          const wanted = this.#chains[c]!.sector;
          if (wanted !== ALL && wanted !== sector) continue;
          sums[c]! += move;
          counts[c]! += 1;
        }
      }
      step(walk, session, close);
      if (sector !== null && walk.count >= AVERAGE_SESSIONS) {
        measured += 1;
        if (close * AVERAGE_SESSIONS > walk.sum) above += 1;
      }
    }
    const day = dayOfSession(session);
    if (measured >= FEWEST) this.#breadth?.take(day, (100 * above) / measured, knownBy, session, true);
    for (let c = 0; c < this.#chains.length; c += 1) {
      if (counts[c]! < FEWEST) continue;
      this.#levels[c] = this.#levels[c]! * Math.exp(sums[c]! / counts[c]!);
      this.#chains[c]!.series.take(day, this.#levels[c]!, knownBy, session, true);
    }
  }

  #walk(record: AssetRecord): Walk {
    let walk = this.#walks.get(record);
    if (!walk) {
      walk = { ring: new Float64Array(AVERAGE_SESSIONS), count: 0, sum: 0, lastClose: 0, lastSession: -1 };
      this.#walks.set(record, walk);
    }
    return walk;
  }
}

function step(walk: Walk, session: number, close: number): void {
  const place = walk.count % AVERAGE_SESSIONS;
  if (walk.count >= AVERAGE_SESSIONS) walk.sum -= walk.ring[place]!;
  walk.ring[place] = close;
  walk.sum += close;
  walk.count += 1;
  walk.lastClose = close;
  walk.lastSession = session;
}
