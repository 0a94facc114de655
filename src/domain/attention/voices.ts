// What each author did in the posts about a ticker: the voices that coordination is measured on.
import type { Instant } from '../../kernel/instant.js';
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';
import { MEASURES } from './measure-parameters.js';

const { window: WINDOW, together: TOGETHER } = MEASURES.coordination;

/** One post as far as coordination is concerned; authors, narratives and objects are keys, never names or texts. */
export interface CoordinationPost {
  readonly knownAt: Instant;
  readonly createdAt: Instant;
  readonly author: number;
  readonly narrative: number;
  readonly objects: readonly number[];
  readonly authorCreatedAt: Instant | null;
  readonly source: string;
  /** Distinct tickers that the post names. */
  readonly tickers: number;
}

/** The posts of the window that were known at an instant, in an order that their arrival has no part in. */
export function knownPosts(posts: readonly CoordinationPost[], at: Instant): CoordinationPost[] {
  return posts
    .filter(({ knownAt }) => knownAt <= at && knownAt > at - WINDOW)
    .sort(
      (a, b) =>
        a.createdAt - b.createdAt ||
        a.author - b.author ||
        a.narrative - b.narrative ||
        a.tickers - b.tickers,
    );
}

/** The voices of the posts, one per author, in columns: a bootstrap reads them hundreds of times. */
export interface Crowd {
  readonly size: number;
  readonly posts: Uint32Array;
  /** Posts in a minute in which another author posted too, beyond those that chance would put there. */
  readonly excess: Float64Array;
  /** One when the author shared something within a minute of somebody else. */
  readonly together: Uint8Array;
  /** Age of the account at its first post here; NaN where the provider does not say. */
  readonly age: Float64Array;
  /** The account's week of creation, as a place among the weeks that occur; −1 without a creation. */
  readonly week: Int32Array;
  readonly weeks: number;
  /** Places among the narratives that occur; those of voice i end where `narrativesEnd[i]` says. */
  readonly narratives: Uint32Array;
  readonly narrativesEnd: Uint32Array;
  readonly clusters: number;
  /** Voices whose account age is known. */
  readonly aged: number;
}

interface Author {
  readonly firstAt: Instant;
  posts: number;
  createdAt: Instant | null;
  together: boolean;
  synchronous: number;
  expected: number;
  readonly narratives: Set<number>;
}

export function crowdOf(posts: readonly CoordinationPost[]): Crowd {
  const authors = new Map<number, Author>();
  const narratives = new Map<number, number>();
  for (const { author: key, createdAt, authorCreatedAt, narrative } of posts) {
    const author = authors.get(key) ?? newAuthor(createdAt);
    authors.set(key, author);
    author.posts++;
    if (authorCreatedAt !== null) {
      author.createdAt = Math.min(author.createdAt ?? authorCreatedAt, authorCreatedAt);
    }
    author.narratives.add(placeOf(narratives, narrative));
  }
  markTogether(posts, authors);
  markSynchronous(posts, authors);
  return columnsOf([...authors.values()], narratives.size);
}

function columnsOf(authors: readonly Author[], clusters: number): Crowd {
  const weeks = new Map<number, number>();
  const week = Int32Array.from(authors, ({ createdAt }) =>
    createdAt === null ? -1 : placeOf(weeks, isoWeek(createdAt)),
  );
  let end = 0;
  return {
    size: authors.length,
    posts: Uint32Array.from(authors, ({ posts }) => posts),
    excess: Float64Array.from(authors, ({ synchronous, expected }) => synchronous - expected),
    together: Uint8Array.from(authors, ({ together }) => (together ? 1 : 0)),
    age: Float64Array.from(authors, ({ firstAt, createdAt }) =>
      createdAt === null ? Number.NaN : firstAt - createdAt,
    ),
    week,
    weeks: weeks.size,
    narratives: Uint32Array.from(authors.flatMap(({ narratives }) => [...narratives])),
    narrativesEnd: Uint32Array.from(authors, ({ narratives }) => {
      end += narratives.size;
      return end;
    }),
    clusters,
    aged: week.filter((place) => place >= 0).length,
  };
}

function newAuthor(firstAt: Instant): Author {
  return {
    firstAt,
    posts: 0,
    createdAt: null,
    together: false,
    synchronous: 0,
    expected: 0,
    narratives: new Set(),
  };
}

function placeOf(places: Map<number, number>, key: number): number {
  const place = places.get(key) ?? places.size;
  places.set(key, place);
  return place;
}

/** Weeks begin on Monday; 1970 began on a Thursday. */
function isoWeek(instant: Instant): number {
  return Math.floor((instant / DAY + 3) / 7);
}

/** The newest share of an object, and the newest by anybody else. */
interface Shares {
  author: number;
  at: Instant;
  otherAuthor: number;
  otherAt: Instant;
}

/** Marks who shared an object within a minute of another author. Posts come in time order, so one pass finds all. */
function markTogether(posts: readonly CoordinationPost[], authors: ReadonlyMap<number, Author>): void {
  const byNarrative = new Map<number, Shares>();
  const byObject = new Map<number, Shares>();
  const share = (seen: Map<number, Shares>, key: number, author: number, at: Instant): void => {
    const shares = seen.get(key);
    if (!shares) {
      seen.set(key, { author, at, otherAuthor: Number.NaN, otherAt: Number.NEGATIVE_INFINITY });
      return;
    }
    if (shares.author !== author) {
      shares.otherAuthor = shares.author;
      shares.otherAt = shares.at;
      shares.author = author;
    }
    shares.at = at;
    if (at - shares.otherAt > TOGETHER) return;
    authors.get(author)!.together = true;
    authors.get(shares.otherAuthor)!.together = true;
  };
  for (const { author, createdAt, narrative, objects } of posts) {
    share(byNarrative, narrative, author, createdAt);
    for (const object of objects) share(byObject, object, author, createdAt);
  }
}

/** A post has company when another author posts in the same clock minute; chance is an even spread over the hour. */
function markSynchronous(posts: readonly CoordinationPost[], authors: ReadonlyMap<number, Author>): void {
  for (const minute of runs(posts, MINUTE)) {
    if (minute.every(({ author }) => author === minute[0]!.author)) continue;
    for (const { author } of minute) authors.get(author)!.synchronous++;
  }
  for (const hour of runs(posts, HOUR)) {
    const own = new Map<number, number>();
    for (const { author } of hour) own.set(author, (own.get(author) ?? 0) + 1);
    for (const [author, count] of own) {
      authors.get(author)!.expected += count * (1 - (1 - MINUTE / HOUR) ** (hour.length - count));
    }
  }
}

/** Cuts posts in time order into those of one minute, or one hour. */
function* runs(posts: readonly CoordinationPost[], span: number): Generator<readonly CoordinationPost[]> {
  let start = 0;
  for (let i = 1; i <= posts.length; i++) {
    const same =
      i < posts.length &&
      Math.floor(posts[i]!.createdAt / span) === Math.floor(posts[start]!.createdAt / span);
    if (same) continue;
    yield posts.slice(start, i);
    start = i;
  }
}
