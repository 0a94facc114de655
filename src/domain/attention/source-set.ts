// Which sources count at an instant, and the level that keeps a newcomer from looking like a spike.
import type { Instant } from '../../kernel/instant.js';
import { DAY } from '../../kernel/instant.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import type { SourceSet } from '../facts/frame.js';
import { ATTENTION } from './parameters.js';

/** First knowledge of each source, and mentions per source and UTC day. */
export class SourceLedger {
  readonly #startedAt = new Map<string, Instant>();
  readonly #lastAt = new Map<string, Instant>();
  readonly #daily = new Map<string, Map<number, number>>();
  /** Sources that show counts instead of posts. */
  readonly #aggregate = new Set<string>();

  began(source: string, at: Instant): void {
    const known = this.#startedAt.get(source);
    if (known === undefined || at < known) this.#startedAt.set(source, at);
  }

  /** A source was heard, whatever it said. */
  heard(source: string, knownAt: Instant): void {
    this.#lastAt.set(source, Math.max(knownAt, this.#lastAt.get(source) ?? knownAt));
  }

  countAggregate(source: string, knownAt: Instant, mentions: number): void {
    this.#aggregate.add(source);
    this.count(source, knownAt, mentions);
  }

  count(source: string, knownAt: Instant, mentions: number): void {
    this.heard(source, knownAt);
    const days = this.#daily.get(source) ?? new Map<number, number>();
    this.#daily.set(source, days);
    const day = Math.floor(knownAt / DAY);
    days.set(day, (days.get(day) ?? 0) + mentions);
  }

  /** Share of the posts of the last weeks that came from a source; null where nothing is known of them. */
  usualShare(source: string, counted: readonly string[], at: Instant): number | null {
    const day = Math.floor(at / DAY);
    const volume = (of: string): number => {
      let sum = 0;
      for (let back = 1; back <= 28; back++) sum += this.#daily.get(of)?.get(day - back) ?? 0;
      return sum;
    };
    const total = counted.filter((of) => !this.#aggregate.has(of)).reduce((sum, of) => sum + volume(of), 0);
    return total === 0 ? null : volume(source) / total;
  }

  /** When a source was last heard. */
  lastAt(source: string): Instant | null {
    return this.#lastAt.get(source) ?? null;
  }

  /** The first instant at which anything was heard: from here on silence is an observation. */
  observedSince(): Instant {
    return Math.min(...this.#startedAt.values());
  }

  /** A pure function of what was known by the instant. */
  at(instant: Instant): SourceSet {
    const started = [...this.#startedAt]
      .filter(([, startedAt]) => startedAt <= instant)
      .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
    const first = started[0]?.[1] ?? 0;
    const founding = started.filter(([, startedAt]) => startedAt <= first + ATTENTION.foundingGrace);
    const later = started.slice(founding.length);
    const counted = founding.map(([source]) => source);
    let level = 1;
    let version = 1;
    for (const [source, startedAt] of later) {
      const joinsAt = startedAt + ATTENTION.sourceWarming;
      if (joinsAt > instant) continue;
      level *= this.#levelStep(counted, source, startedAt, joinsAt);
      counted.push(source);
      version++;
    }
    return {
      version,
      sources: counted.toSorted(),
      warming: started.map(([source]) => source).filter((source) => !counted.includes(source)),
      level,
    };
  }

  /** Days on which a newcomer's level depends, for those who must load them. */
  static levelDays(startedAt: Instant): { after: Instant; knownBy: Instant } {
    const joinDay = Math.floor((startedAt + ATTENTION.sourceWarming) / DAY) * DAY;
    return { after: joinDay - ATTENTION.sourceLevelWindow - 1, knownBy: joinDay - 1 };
  }

  /** Median over whole days of warming: mentions with the newcomer per mention without it. */
  #levelStep(counted: readonly string[], newcomer: string, startedAt: Instant, joinsAt: Instant): number {
    const ratios: number[] = [];
    const lastDay = Math.floor(joinsAt / DAY) - 1;
    const firstDay = Math.max(
      Math.floor(startedAt / DAY) + 1,
      lastDay + 1 - Math.round(ATTENTION.sourceLevelWindow / DAY),
    );
    for (let day = firstDay; day <= lastDay; day++) {
      let before = 0;
      for (const source of counted) before += this.#daily.get(source)?.get(day) ?? 0;
      if (before > 0) ratios.push((before + (this.#daily.get(newcomer)?.get(day) ?? 0)) / before);
    }
    return ratios.length === 0 ? 1 : median(ratios);
  }
}
