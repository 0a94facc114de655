// The posts and counts that speak of one ticker, kept in the order of their knowledge, and what they measure.
import type { Instant } from '../../kernel/instant.js';
import { DAY } from '../../kernel/instant.js';
import type { MentionForm } from '../facts/post.js';
import { wordLike } from './entities.js';
import { ATTENTION, DECAY_NORM } from './parameters.js';

/** One post as far as one ticker is concerned. */
export interface Entry {
  readonly sequence: number;
  readonly knownAt: Instant;
  readonly source: string;
  readonly author: number;
  readonly narrative: number;
  /** Distinct tickers that the post names. */
  readonly tickers: number;
  readonly form: MentionForm;
  readonly providerTags: boolean;
  readonly financeContext: boolean;
  readonly backfilled: boolean;
  readonly createdAt: Instant;
  readonly objects: readonly number[];
  readonly authorCreatedAt: Instant | null;
}

/** An aggregate count; a later version for the same bucket replaces the earlier one from its own `knownAt` on. */
export interface CountEntry {
  readonly sequence: number;
  readonly knownAt: Instant;
  readonly source: string;
  readonly bucketStart: Instant;
  readonly bucketSeconds: number;
  readonly posts: number;
  readonly authors: number | null;
  readonly backfilled: boolean;
}

/** Everything about a ticker that depends on which entries are in the window, and not on the exact instant. */
export interface Reading {
  /** Sum of post weights, each doubled per half-life from the anchor; decaying it to an instant is one multiplication. */
  readonly anchored: number;
  readonly anchor: Instant;
  readonly posts: number;
  readonly backfilled: number;
  readonly authors: number;
  readonly narratives: number;
  readonly independence: number | null;
  readonly entityPrecision: number | null;
  readonly ambiguous: boolean;
  /** True when no post is counted and all activity comes from aggregate counts. */
  readonly aggregateOnly: boolean;
  readonly newestKnownAt: Instant | null;
}

const { window: WINDOW, halfLife, authorCap, maxTickersPerPost } = ATTENTION;

export class TickerWindow {
  readonly ticker: string;
  readonly #wordLike: boolean;
  #entries: Entry[] = [];
  #counts: CountEntry[] = [];
  #sorted = true;
  #reading: Reading | null = null;
  /** The reading holds for instants before this one, unless something is added. */
  #holdsUntil: Instant = 0;
  #readAt: Instant = 0;

  constructor(ticker: string) {
    this.ticker = ticker;
    this.#wordLike = wordLike(ticker);
  }

  add(entry: Entry): void {
    const last = this.#entries.at(-1);
    if (last && precedes(entry, last)) this.#sorted = false;
    this.#entries.push(entry);
    this.#holdsUntil = Math.min(this.#holdsUntil, entry.knownAt);
  }

  addCount(entry: CountEntry): void {
    this.#counts.push(entry);
    this.#sorted = false;
    this.#holdsUntil = Math.min(this.#holdsUntil, entry.knownAt);
  }

  /** Forces the next reading to be taken anew: the set of counted sources changed. */
  invalidate(): void {
    this.#reading = null;
  }

  /** A pure function of the entries known by `at`: cached while no entry enters or leaves. Instants must not go back. */
  readAt(at: Instant, counted: ReadonlySet<string>): Reading {
    if (this.#reading && at < this.#holdsUntil && at >= this.#readAt) return this.#reading;
    if (!this.#sorted) this.#sort();
    this.#dropExpired(at - WINDOW);
    const entries = this.#entries.slice(0, countKnown(this.#entries, at));
    const counts = this.#counts.slice(0, countKnown(this.#counts, at));
    const anchor = Math.floor(at / DAY) * DAY;
    this.#reading = takeReading(
      entries.filter((entry) => counted.has(entry.source)),
      newestVersions(counts.filter((entry) => counted.has(entry.source))),
      anchor,
      this.#wordLike,
    );
    this.#readAt = at;
    this.#holdsUntil = Math.min(
      anchor + DAY,
      (this.#entries[0]?.knownAt ?? Number.POSITIVE_INFINITY) + WINDOW,
      (this.#counts[0]?.knownAt ?? Number.POSITIVE_INFINITY) + WINDOW,
      this.#entries[entries.length]?.knownAt ?? Number.POSITIVE_INFINITY,
      this.#counts[counts.length]?.knownAt ?? Number.POSITIVE_INFINITY,
    );
    return this.#reading;
  }

  /** The posts of the window that count: what coordination is measured on. */
  postsAt(at: Instant, counted: ReadonlySet<string>): Entry[] {
    this.readAt(at, counted);
    return this.#entries.slice(0, countKnown(this.#entries, at)).filter(({ source }) => counted.has(source));
  }

  #sort(): void {
    this.#entries.sort(compare);
    this.#counts.sort(compare);
    this.#sorted = true;
  }

  #dropExpired(until: Instant): void {
    const entries = countKnown(this.#entries, until);
    const counts = countKnown(this.#counts, until);
    if (entries > 0) this.#entries.splice(0, entries);
    if (counts > 0) this.#counts.splice(0, counts);
  }
}

interface Ordered {
  readonly knownAt: Instant;
  readonly sequence: number;
}

const compare = (a: Ordered, b: Ordered): number => a.knownAt - b.knownAt || a.sequence - b.sequence;
const precedes = (a: Ordered, b: Ordered): boolean => compare(a, b) < 0;

/** How many of the sorted entries have `knownAt` at or before the instant. */
function countKnown(entries: readonly Ordered[], at: Instant): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]!.knownAt <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function newestVersions(counts: readonly CountEntry[]): CountEntry[] {
  const newest = new Map<string, CountEntry>();
  for (const count of counts)
    newest.set(`${count.source} ${count.bucketStart} ${count.bucketSeconds}`, count);
  return [...newest.values()].sort(compare);
}

/** Weight of a post: its share of the ticker, damped by how much its author and its narrative already say. */
function takeReading(
  entries: readonly Entry[],
  counts: readonly CountEntry[],
  anchor: Instant,
  isWordLike: boolean,
): Reading {
  const precision = entityPrecision(entries, isWordLike);
  const ambiguous = precision !== null && precision < ATTENTION.entity.ambiguousBelow;
  const accepted = entries.filter(
    (entry) =>
      entry.tickers <= maxTickersPerPost && (!ambiguous || (entry.form === 'tagged' && entry.financeContext)),
  );
  const postsOf = new Map<number, number>();
  const authorsOf = new Map<number, number | Set<number>>();
  for (const { author, narrative } of accepted) {
    postsOf.set(author, (postsOf.get(author) ?? 0) + 1);
    const authors = authorsOf.get(narrative);
    // Nearly every narrative has one author: a set is made for the second one only.
    if (authors === undefined) authorsOf.set(narrative, author);
    else if (typeof authors === 'object') authors.add(author);
    else if (authors !== author) authorsOf.set(narrative, new Set([authors, author]));
  }
  let anchored = 0;
  let backfilled = 0;
  for (const entry of accepted) {
    const posts = postsOf.get(entry.author)!;
    const perPost = Math.min(authorCap, 1 + Math.log(posts)) / posts;
    // Square-root collapse: a narrative with m authors weighs √m times the mean author, not m times.
    const weight = perPost / entry.tickers / Math.sqrt(voices(authorsOf.get(entry.narrative)!));
    anchored += weight * 2 ** ((entry.knownAt - anchor) / halfLife);
    if (entry.backfilled) backfilled++;
  }
  // Nobody can tell how many voices are behind a bare count, so a bucket weighs like one narrative of its authors.
  for (const count of counts)
    anchored += Math.sqrt(count.authors ?? count.posts) * 2 ** ((count.knownAt - anchor) / halfLife);
  const aggregateOnly = accepted.length === 0 && counts.length > 0;
  return {
    anchored,
    anchor,
    posts: accepted.length + counts.reduce((sum, count) => sum + count.posts, 0),
    backfilled: backfilled + counts.reduce((sum, count) => sum + (count.backfilled ? count.posts : 0), 0),
    authors: postsOf.size + counts.reduce((sum, count) => sum + (count.authors ?? 0), 0),
    narratives: authorsOf.size,
    independence: voiceIndependence(authorsOf, postsOf.size),
    entityPrecision: precision,
    ambiguous,
    aggregateOnly,
    newestKnownAt: newest(entries.at(-1), counts.at(-1)),
  };
}

const voices = (authors: number | ReadonlySet<number>): number =>
  typeof authors === 'object' ? authors.size : 1;

/** Effective number of independent narratives per author: 1 when everybody speaks for themselves. */
function voiceIndependence(
  authorsOf: ReadonlyMap<number, number | ReadonlySet<number>>,
  authors: number,
): number | null {
  if (authors === 0) return null;
  let total = 0;
  let squares = 0;
  for (const one of authorsOf.values()) {
    const size = voices(one);
    total += size;
    squares += size * size;
  }
  return Math.min(1, (total * total) / squares / authors);
}

/** Share of mentions that the platform itself tagged, where the platform tags at all, pulled towards a prior. */
function entityPrecision(entries: readonly Entry[], isWordLike: boolean): number | null {
  if (entries.length === 0) return null;
  let taggable = 0;
  let tagged = 0;
  for (const entry of entries) {
    if (!entry.providerTags) continue;
    taggable++;
    if (entry.form === 'tagged' && (!isWordLike || entry.financeContext)) tagged++;
  }
  const { priorPlain, priorWordLike, priorWeight } = ATTENTION.entity;
  const prior = isWordLike ? priorWordLike : priorPlain;
  return (tagged + prior * priorWeight) / (taggable + priorWeight);
}

/** Effective posts at an instant, in units of a constant rate's 24-hour count. */
export function activityAt(reading: Reading, at: Instant): number {
  return DECAY_NORM * reading.anchored * 2 ** (-(at - reading.anchor) / halfLife);
}

function newest(entry: Ordered | undefined, count: Ordered | undefined): Instant | null {
  if (!entry) return count?.knownAt ?? null;
  return count ? Math.max(entry.knownAt, count.knownAt) : entry.knownAt;
}
