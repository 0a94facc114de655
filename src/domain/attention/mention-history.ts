// Mentions over weeks, per source, and the anomaly and velocity of every ticker over the sources that count.
import type { Instant } from '../../kernel/instant.js';
import { DAY, HOUR } from '../../kernel/instant.js';
import type { Count, Fact } from '../facts/fact.js';
import { AnomalyBoard, type AnomalyCycle } from './anomaly-board.js';
import { HourlyHistory } from './hourly-history.js';
import { VelocityBoard } from './velocity.js';

/** A revision of a count replaces a version that became known at most this long before it. */
const REVISABLE = 36 * DAY;
/** Silence this long makes the next mention a first one. */
const SILENT_HOURS = 30 * 24;

export interface Unusualness {
  readonly anomaly: AnomalyCycle;
  readonly velocities: Float64Array;
}

interface Reading {
  readonly counted: string;
  readonly history: HourlyHistory;
  readonly anomalies: AnomalyBoard;
  readonly velocities: VelocityBoard;
}

export class MentionHistory {
  readonly #startAt: Instant;
  readonly #bySource = new Map<string, HourlyHistory>();
  readonly #indexes = new Map<string, number>();
  readonly #counts = new Map<string, { knownAt: Instant; posts: number }>();
  #reading: Reading | null = null;
  #readAt: Instant;

  constructor(startAt: Instant) {
    this.#startAt = startAt;
    this.#readAt = startAt;
  }

  /** How far back counts must be known so that every revision finds the version that it revises. */
  static readonly countSpan = 2 * REVISABLE;

  add(source: string, ticker: string, knownAt: Instant, mentions: number): void {
    const index = this.index(ticker);
    this.#history(source).add(index, knownAt, mentions);
    // The joined history holds its own copy of what it joined.
    const reading = this.#reading;
    if (
      reading &&
      reading.history !== this.#bySource.get(source) &&
      reading.counted.split(' ').includes(source)
    ) {
      reading.history.add(index, knownAt, mentions);
    }
  }

  /** A revision adds what it counts more; counts that were read are not taken back. */
  addCount({ source, knownAt, body }: Fact<Count>): void {
    const key = `${source} ${body.ticker} ${body.bucketStart} ${body.bucketSeconds}`;
    const before = this.#counts.get(key);
    const revised = before && before.knownAt > knownAt - REVISABLE ? before.posts : 0;
    this.#counts.set(key, { knownAt, posts: Math.max(body.posts, revised) });
    this.add(source, body.ticker, knownAt, Math.max(0, body.posts - revised));
  }

  /** The row of a ticker in the columns that `at` gives. */
  index(ticker: string): number {
    const known = this.#indexes.get(ticker);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(ticker, index);
    return index;
  }

  at(at: Instant, sources: readonly string[], observedSince: Instant): Unusualness {
    this.#readAt = Math.max(this.#readAt, at);
    const { anomalies, velocities } = this.#joined(sources);
    const slots = this.#indexes.size;
    return {
      anomaly: anomalies.at(at, slots, observedSince),
      velocities: velocities.at(at, slots, observedSince),
    };
  }

  /** No mention from a counted source in the weeks before an instant. */
  silentBefore(ticker: string, at: Instant): boolean {
    const hour = Math.floor(at / HOUR);
    const history = this.#reading?.history;
    return history ? history.sumOfHours(this.index(ticker), hour - SILENT_HOURS, hour) === 0 : false;
  }

  #history(source: string): HourlyHistory {
    let history = this.#bySource.get(source);
    if (!history) {
      history = new HourlyHistory(this.#startAt);
      this.#bySource.set(source, history);
    }
    return history;
  }

  #joined(sources: readonly string[]): Reading {
    const counted = sources.join(' ');
    if (this.#reading?.counted === counted) return this.#reading;
    const histories = sources.map((source) => this.#history(source));
    for (const history of histories) history.advance(this.#readAt);
    let history = histories[0] ?? new HourlyHistory(this.#readAt);
    if (histories.length > 1) {
      history = new HourlyHistory(this.#readAt);
      for (const part of histories) history.absorb(part);
    }
    this.#reading = {
      counted,
      history,
      anomalies: new AnomalyBoard(history),
      velocities: new VelocityBoard(history),
    };
    return this.#reading;
  }
}
