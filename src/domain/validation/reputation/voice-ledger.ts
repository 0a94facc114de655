// Walks through posts as they became known: feeds the graph, scores it every week, and keeps the voices of every grid point.
import type { Instant } from '../../../kernel/instant.js';
import type { FactOf } from '../../facts/fact.js';
import { epochAfter } from '../epochs.js';
import { REPUTATION } from '../parameters.js';
import { AuthorGraph, type AuthorSnapshot } from './author-graph.js';
import { trustOf } from './trust.js';
import type { Day, GridPoint, VoiceStudy, Voices } from './weighted-activity.js';

/** Posts that name more tickers are lists, and lists are about none of them. */
const MOST_TICKERS = 8;

interface Recent {
  readonly knownAt: Instant;
  readonly author: number;
  readonly provider: string;
  readonly places: readonly number[];
}

export interface ProviderVoices {
  readonly authors: number;
  readonly posts: number;
  readonly scoredPosts: number;
}

const NO_SCORES = new Float64Array(0);

export class VoiceLedger {
  readonly #graph = new AuthorGraph();
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #points: readonly GridPoint[];
  readonly #study: VoiceStudy;
  readonly #asOf: Instant;
  readonly #days: Day[] = [];
  readonly #narratives = new Map<number, { author: number; shared: boolean; posts: number }>();
  #recent: Recent[] = [];
  #point = 0;
  #weekEnds: Instant | null = null;
  #scores: Float64Array = NO_SCORES;
  #weekBefore: Float64Array = NO_SCORES;

  /** `points` in the order of time; all of them at or before `asOf`. */
  constructor(tickers: readonly string[], points: readonly GridPoint[], study: VoiceStudy, asOf: Instant) {
    this.#placeOf = new Map(tickers.map((ticker, place) => [ticker, place]));
    this.#points = points;
    this.#study = study;
    this.#asOf = asOf;
  }

  /** Posts in the order of knowledge. Yields after the work of a week or a grid point. */
  *take(posts: readonly FactOf<'post'>[]): Generator<void> {
    for (const post of posts) {
      yield* this.#advance(post.knownAt);
      this.#hear(post, this.#graph.take(post));
    }
  }

  /** Everything that was due by the end. */
  *finish(): Generator<void> {
    yield* this.#advance(this.#asOf + 1);
  }

  get days(): readonly Day[] {
    return this.#days;
  }

  get authors(): number {
    return this.#graph.size;
  }

  /** Scores at the ends of the last two complete weeks. */
  get weekBefore(): Float64Array {
    return this.#weekBefore;
  }

  get lastScores(): Float64Array {
    return this.#scores;
  }

  snapshot(): AuthorSnapshot {
    return this.#graph.snapshot(this.#asOf);
  }

  /** Share of this week's posts whose text several authors have sent. */
  get nearDuplicateShare(): number {
    let [posts, shared] = [0, 0];
    for (const one of this.#narratives.values()) {
      posts += one.posts;
      if (one.shared) shared += one.posts;
    }
    return shared / posts;
  }

  /** The voices of the last window, by provider. */
  providers(scores: Float64Array): ReadonlyMap<string, ProviderVoices> {
    const found = new Map<string, { authors: Set<number>; posts: number; scoredPosts: number }>();
    this.#forget(this.#asOf);
    for (const { provider, author } of this.#recent) {
      const own = found.get(provider) ?? { authors: new Set(), posts: 0, scoredPosts: 0 };
      own.authors.add(author);
      own.posts++;
      if ((scores[author] ?? 0) > 0) own.scoredPosts++;
      found.set(provider, own);
    }
    return new Map(Array.from(found, ([name, own]) => [name, { ...own, authors: own.authors.size }]));
  }

  *#advance(to: Instant): Generator<void> {
    this.#weekEnds ??= epochAfter(to);
    for (;;) {
      const point = this.#points[this.#point];
      const pointAt = point?.at ?? Number.POSITIVE_INFINITY;
      // A post that is known at the boundary itself belongs to the frame of that boundary.
      if (pointAt < to && pointAt <= this.#weekEnds) {
        this.#grid(point!);
        this.#point++;
      } else if (this.#weekEnds < to) {
        this.#score(this.#weekEnds);
        this.#weekEnds = epochAfter(this.#weekEnds);
      } else return;
      yield;
    }
  }

  #score(at: Instant): void {
    const ranked = trustOf(this.#graph.snapshot(at), this.#scores);
    if (ranked === null) return;
    this.#weekBefore = this.#scores;
    this.#scores = ranked.scores;
    this.#narratives.clear();
  }

  #grid(point: GridPoint): void {
    this.#forget(point.at);
    // Without a score that was known before the week there is nothing to compare.
    if (this.#scores.length === 0) return;
    const day = this.#study.day(point, this.#voices(), this.#scores, this.#asOf);
    if (day !== null) this.#days.push(day);
  }

  #voices(): Voices {
    const rows = this.#recent.flatMap(({ author, places }) =>
      places.map((place) => [author, place, 1 / places.length] as const),
    );
    return {
      author: Uint32Array.from(rows, ([author]) => author),
      place: Uint32Array.from(rows, ([, place]) => place),
      share: Float64Array.from(rows, ([, , share]) => share),
    };
  }

  #hear({ knownAt, body }: FactOf<'post'>, author: number): void {
    const named = new Set(body.mentions.map(({ ticker }) => ticker));
    const places = [...named].flatMap((ticker) => this.#placeOf.get(ticker) ?? []);
    if (named.size <= MOST_TICKERS) this.#recent.push({ knownAt, author, provider: body.provider, places });
    const narrative = this.#narratives.get(body.narrative);
    if (narrative === undefined) this.#narratives.set(body.narrative, { author, shared: false, posts: 1 });
    else {
      narrative.posts++;
      narrative.shared ||= narrative.author !== author;
    }
  }

  #forget(at: Instant): void {
    const from = this.#recent.findIndex(({ knownAt }) => knownAt > at - REPUTATION.activityWindow);
    this.#recent = from < 0 ? [] : this.#recent.slice(from);
  }
}
