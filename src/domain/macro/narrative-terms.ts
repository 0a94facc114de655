// Posts of a week by the narratives they speak of: counted once, when the week has ended, and then said for good.
import { DAY, formatDay, type Instant, parseDay } from '../../kernel/instant.js';
import type { Fact } from '../facts/fact.js';
import type { Stated, Statement } from '../facts/statement.js';
import { attentionWeek, type TermCounts } from './attention-shares.js';
import { narrativesIn } from './attention-terms.js';
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import { weekEndDay, weekOf, weekStep } from './sessions.js';

/** The counts of one week, with the number of its posts that were backfilled. */
export interface WeekTerms extends TermCounts {
  readonly backfilled: number;
}

/** What is kept of a post: when it became known and the places of the narratives that it speaks of. */
export interface SpokenPost {
  readonly knownAt: Instant;
  readonly backfilled: boolean;
  readonly narratives: readonly number[];
}

export function spokenIn(facts: readonly Fact[]): SpokenPost[] {
  return facts.flatMap(({ body, knownAt, backfilled }) =>
    body.kind === 'post' ? [{ knownAt, backfilled, narratives: narrativesIn(body.excerpt) }] : [],
  );
}

interface OpenWeek {
  posts: number;
  backfilled: number;
  readonly narratives: number[];
}

/**
 * Counts the weeks that have not been stated. Texts are long gone when a recorder starts anew, or too many to read
 * again, so the statement is the count: a post that is backfilled into a stated week comes too late for it.
 */
export class TermTally {
  readonly #open = new Map<number, OpenWeek>();
  #stated: number;

  /** `stated` is the last week that was stated; -Infinity when there is none. */
  constructor(stated = Number.NEGATIVE_INFINITY) {
    this.#stated = stated;
  }

  count(posts: readonly SpokenPost[]): void {
    for (const { knownAt, backfilled, narratives } of posts) {
      const number = attentionWeek(knownAt);
      if (number <= this.#stated) continue;
      const week = this.#week(number);
      week.posts += 1;
      if (backfilled) week.backfilled += 1;
      for (const place of narratives) week.narratives[place]! += 1;
    }
  }

  /** The weeks that have ended by the instant, in order; they are not counted any further. */
  close(at: Instant): WeekTerms[] {
    const ended = [...this.#open.keys()].filter((week) => weekStep(week) <= at).sort((a, b) => a - b);
    return ended.map((week) => {
      const counts = { week, ...this.#open.get(week)! };
      this.#open.delete(week);
      this.#stated = week;
      return counts;
    });
  }

  #week(number: number): OpenWeek {
    let week = this.#open.get(number);
    if (!week) {
      week = { posts: 0, backfilled: 0, narratives: Array.from({ length: NARRATIVE_COUNT }, () => 0) };
      this.#open.set(number, week);
    }
    return week;
  }
}

export interface TermsBody extends Readonly<Record<string, unknown>> {
  /** The Friday on which the week ended. */
  readonly week_end: string;
  readonly posts: number;
  readonly posts_backfilled: number;
  /** Posts that speak of a narrative, by slug; those that nobody spoke of are left out. */
  readonly narratives: Readonly<Record<string, number>>;
  readonly high_water: number;
}

export function termStatement(
  { week, posts, backfilled, narratives }: WeekTerms,
  highWater: number,
): Statement {
  const spoken = NARRATIVES.flatMap(({ slug }, n) => (narratives[n]! > 0 ? [[slug, narratives[n]!]] : []));
  const body: TermsBody = {
    week_end: formatDay(weekEndDay(week) * DAY),
    posts,
    posts_backfilled: backfilled,
    narratives: Object.fromEntries(spoken) as Record<string, number>,
    high_water: highWater,
  };
  return { kind: 'narrative_terms', subject: null, at: weekStep(week), body };
}

export function readTermStatement(stated: Pick<Stated, 'body'>): WeekTerms {
  const { week_end, posts, posts_backfilled, narratives } = stated.body as TermsBody;
  return {
    week: weekOf(parseDay(week_end)! / DAY),
    posts,
    backfilled: posts_backfilled,
    narratives: NARRATIVES.map(({ slug }) => narratives[slug] ?? 0),
  };
}
