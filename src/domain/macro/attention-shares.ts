// How much of all talk goes to each narrative, week by week, and how unusual that is against the last three years.
import type { Instant } from '../../kernel/instant.js';
import { mad } from '../../kernel/statistics/median-absolute-deviation.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { NARRATIVE_COUNT } from './catalogue/narratives.js';
import { clip } from './conditions.js';
import { NARRATIVE, ROBUST } from './parameters.js';
import { lastWeekBy, weekStep } from './sessions.js';

/** Posts of one week, as known by its end: all of them, and by place of the narrative. */
export interface TermCounts {
  readonly week: number;
  readonly posts: number;
  readonly narratives: readonly number[];
}

interface Week {
  posts: number;
  readonly narratives: Float64Array;
}

/** The week in which a post counts: the one whose step is the first at or after the post became known. */
export function attentionWeek(knownAt: Instant): number {
  const ended = lastWeekBy(knownAt);
  return weekStep(ended) === knownAt ? ended : ended + 1;
}

export class AttentionShares {
  readonly #weeks = new Map<number, Week>();
  readonly #z = new Map<number, Float64Array>();

  /** Counts one post that became known at the instant and speaks of these narratives. */
  count(knownAt: Instant, narratives: readonly number[]): number {
    const number = attentionWeek(knownAt);
    const week = this.#week(number);
    week.posts += 1;
    for (const place of narratives) week.narratives[place]! += 1;
    this.#z.clear();
    return number;
  }

  /** Adds counts that were made elsewhere. */
  add({ week: number, posts, narratives }: TermCounts): void {
    const week = this.#week(number);
    week.posts += posts;
    narratives.forEach((count, place) => {
      week.narratives[place]! += count;
    });
    this.#z.clear();
  }

  get isEmpty(): boolean {
    return this.#weeks.size === 0;
  }

  /** Everything counted so far, to be stored and added again. */
  weeks(): TermCounts[] {
    return [...this.#weeks]
      .sort(([a], [b]) => a - b)
      .map(([week, { posts, narratives }]) => ({ week, posts, narratives: [...narratives] }));
  }

  /** Per narrative, the z of the newest complete week; NaN without that week or enough weeks before it. */
  at(at: Instant): Float64Array {
    const week = lastWeekBy(at);
    const found = this.#z.get(week);
    if (found) return found;
    const z = this.#measure(week);
    this.#z.set(week, z);
    return z;
  }

  #measure(week: number): Float64Array {
    const z = new Float64Array(NARRATIVE_COUNT).fill(Number.NaN);
    if (!this.#weeks.has(week)) return z;
    const window: Week[] = [];
    for (let w = week - NARRATIVE.attentionWeeks + 1; w <= week; w += 1) {
      const held = this.#weeks.get(w);
      if (held && held.posts > 0) window.push(held);
    }
    if (window.length < NARRATIVE.attentionMinimum) return z;
    for (let place = 0; place < NARRATIVE_COUNT; place += 1) {
      const shares = window.map(({ posts, narratives }) => Math.log1p((100 * narratives[place]!) / posts));
      const scale = Math.max(mad(shares, ROBUST.madFactor), NARRATIVE.attentionFloor);
      z[place] = clip((shares.at(-1)! - median(shares)) / scale, NARRATIVE.attentionClip);
    }
    return z;
  }

  #week(number: number): Week {
    let week = this.#weeks.get(number);
    if (!week) {
      week = { posts: 0, narratives: new Float64Array(NARRATIVE_COUNT) };
      this.#weeks.set(number, week);
    }
    return week;
  }
}
