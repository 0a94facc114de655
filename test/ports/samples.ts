// Facts, frames and a clock that the port suites make up: seeded, so that a failure can be repeated.
import type { FactBody, FactKind, Report } from '../../src/domain/facts/fact.js';
import type { Denominator, Frame, Row } from '../../src/domain/facts/frame.js';
import { ANOMALY_BANDS, DENOMINATOR_STATES, ROW_STATES } from '../../src/domain/facts/frame.js';
import type { Claim, Identity } from '../../src/domain/facts/identity.js';
import type { Post } from '../../src/domain/facts/post.js';
import { sixDigits } from '../../src/domain/facts/row-codec.js';
import type { Statement, StatementKind } from '../../src/domain/facts/statement.js';
import type { Clock, Instant } from '../../src/kernel/instant.js';
import { DAY, EARLIEST, formatDay, HOUR, MINUTE, SECOND } from '../../src/kernel/instant.js';

export const T0: Instant = Date.UTC(2026, 2, 2, 14, 30) * 1_000;

export const KINDS: readonly FactKind[] = [
  'asset',
  'count',
  'identity',
  'post',
  'post_change',
  'price',
  'series',
  'shares',
  'split',
];

export interface TestClock {
  readonly now: Clock;
  set(at: Instant): void;
  advance(by: number): void;
  /** Answers this many times more and then throws, until it is set again. */
  breakAfter(calls: number): void;
}

export function testClock(at: Instant = T0): TestClock {
  let current = at;
  let calls = Number.POSITIVE_INFINITY;
  const set = (next: Instant): void => {
    current = next;
    calls = Number.POSITIVE_INFINITY;
  };
  return {
    now() {
      calls -= 1;
      if (calls < 0) throw new Error('the clock is broken');
      return current;
    },
    set,
    advance: (by) => set(current + by),
    breakAfter(left) {
      calls = left;
    },
  };
}

export type Random = () => number;

/** Mulberry32: small, seeded, good enough to shake a store. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const below = (random: Random, n: number): number => Math.floor(random() * n);
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!;

export function post(id: string, over: Partial<Post> = {}): Post {
  return {
    kind: 'post',
    provider: 'bluesky',
    id,
    author: 2 ** 52 - 1,
    mentions: [{ ticker: 'NVDA', form: 'cashtag' }],
    providerTags: true,
    financeContext: true,
    shingles: Uint32Array.from([1, 70_000, 2 ** 32 - 1]),
    narrative: 4_503_599_627_370_000,
    objects: [0, 2 ** 52 - 1],
    excerpt: 'Wow, $NVDA 🚀 “naïve” 株',
    lang: 'en',
    authorCreatedAt: T0 - 400 * DAY,
    followers: 12,
    likes: 0,
    reposts: null,
    replies: 3,
    ...over,
  };
}

/** An event about a subject of its own: what events do to each other is for the register, not for the archive. */
export function identity(id: string): Identity {
  const claims: Claim[] = [
    { subject: `issuer ${id}`, from: T0 - 9 * DAY, to: null, holds: true },
    { subject: `symbol ${id} “株” 🚀`, from: EARLIEST, to: T0 + DAY, holds: id.length % 2 === 0 },
  ];
  return { kind: 'identity', id, event: `{"event_id":"${id}","name":"naïve 株"}`, claims };
}

export function report<B extends FactBody>(body: B, over: Partial<Omit<Report<B>, 'body'>> = {}): Report<B> {
  return { source: 'test-source', effectiveAt: T0 - HOUR, body, ...over };
}

/** Facts of all kinds with few subjects, so that keys meet again; about half of them backfilled. */
export function randomReport(random: Random, n: number): Report {
  const ticker = pick(random, ['NVDA', 'AAPL', 'BRK.B', 'GME', 'TSLA']);
  const date = formatDay(T0 - below(random, 5) * DAY);
  const kind = pick(random, KINDS);
  const bodies: { readonly [K in FactKind]: () => FactBody } = {
    asset: () => ({
      kind: 'asset',
      ticker,
      name: `${ticker} Inc`,
      sector: pick(random, ['Tech', null]),
      assetKind: 'equity',
    }),
    count: () => ({
      kind: 'count',
      ticker,
      bucketStart: T0 - below(random, 5) * HOUR,
      bucketSeconds: 3_600,
      posts: below(random, 3),
      authors: pick(random, [null, 1]),
    }),
    identity: () => identity(`e${below(random, n)}`),
    post: () =>
      post(`p${below(random, n * 2)}`, {
        provider: pick(random, ['bluesky', 'mastodon']),
        mentions: [
          { ticker, form: 'tagged' as const },
          { ticker: pick(random, ['NVDA', 'AAPL']), form: 'bare' as const },
        ].slice(0, below(random, 3)),
        shingles: Uint32Array.from({ length: below(random, 9) }, (_, i) => i * 77),
        objects: Array.from({ length: below(random, 3) }, () => below(random, 2 ** 32) * 1_000),
        lang: pick(random, [null, 'en', 'ja']),
        followers: pick(random, [null, 5]),
      }),
    post_change: () => ({
      kind: 'post_change',
      provider: 'bluesky',
      id: `p${below(random, 9)}`,
      change: pick(random, ['deleted', 'edited', 'suppressed', 'restored'] as const),
      excerpt: pick(random, [null, 'now it reads so']),
    }),
    price: () => ({
      kind: 'price',
      ticker,
      date,
      open: 1.5,
      high: 2.25,
      low: 1,
      close: 2 + below(random, 3),
      volume: 1e9,
    }),
    series: () => ({
      kind: 'series',
      series: pick(random, ['CPIAUCSL', 'DGS10']),
      date,
      value: below(random, 4) / 8,
    }),
    shares: () => ({
      kind: 'shares',
      ticker,
      shares: 1e9 + below(random, 3),
      basis: pick(random, ['vendor', 'consolidated'] as const),
    }),
    split: () => ({ kind: 'split', ticker, ratio: pick(random, [2, 0.1]) }),
  };
  const backfilled = random() < 0.5;
  return report(bodies[kind](), {
    source: pick(random, ['jetstream', 'archive-file', 'stooq']),
    effectiveAt: T0 - below(random, 4) * DAY,
    ...(backfilled ? { releasedAt: T0 - below(random, 40) * 6 * HOUR } : {}),
  });
}

export function denominator(over: Partial<Denominator> = {}): Denominator {
  return {
    state: 'exact',
    usdBillions: 3_210.5,
    shares: 24_400_000_000,
    sharesKnownAt: T0 - 30 * DAY,
    sharesSource: 'sec',
    close: 131.58,
    closeDate: '2026-02-27',
    ...over,
  };
}

const randomDenominator = (random: Random): Denominator =>
  random() < 0.2
    ? denominator({
        state: 'unavailable',
        usdBillions: null,
        shares: null,
        sharesKnownAt: null,
        sharesSource: null,
        close: null,
        closeDate: null,
      })
    : denominator({
        state: pick(random, DENOMINATOR_STATES),
        usdBillions: sixDigits(random() * 1e4),
        close: random() * 500,
      });

const served = (random: Random, scale: number): number | null =>
  random() < 0.1 ? null : sixDigits(random() * scale);

export function randomRow(random: Random, slot: number, ticker: string, before?: Row): Row {
  return {
    slot,
    ticker,
    rank: pick(random, [null, 1 + below(random, 2_000)]),
    state: pick(random, ROW_STATES),
    band: pick(random, ANOMALY_BANDS),
    activity: served(random, 1e4),
    density: served(random, 1e-3),
    share: served(random, 1),
    velocity: served(random, -50),
    surprise: served(random, 1e9),
    independence: served(random, 1),
    entityPrecision: served(random, 1),
    ambiguous: random() < 0.2,
    posts: below(random, 2 ** 32),
    authors: below(random, 300),
    narratives: below(random, 70_000),
    denominator: before !== undefined && random() < 0.8 ? before.denominator : randomDenominator(random),
  };
}

export function frameOf(at: Instant, rows: readonly Row[], highWater = 0): Frame {
  return {
    header: {
      at,
      cycleSeconds: 15,
      highWater,
      newestKnownAt: at - SECOND,
      postsUsed: 17,
      postsBackfilled: 4,
      rowCount: rows.length,
      sourceSet: { version: 2, sources: ['jetstream', 'stocktwits'], warming: ['mastodon'], level: 1.25 },
      fingerprint: `sha256:${'0'.repeat(52)}${String(at / SECOND).padStart(12, '0')}`,
    },
    rows,
  };
}

export function statement(kind: StatementKind, over: Partial<Statement> = {}): Statement {
  return { kind, subject: null, at: T0 - HOUR, body: { text: 'naïve 🚀', value: 0.1 }, ...over };
}

/** Few kinds, subjects and instants, so that queries meet several; one in five has a text beside it. */
export function randomStatement(random: Random): Statement {
  const kind = pick(random, ['attention_frame', 'hypothesis', 'macro_frame'] as const);
  return statement(kind, {
    subject: kind === 'hypothesis' ? pick(random, ['h1', 'h2', 'h3']) : null,
    at: T0 - below(random, 12) * MINUTE,
    body: { value: random(), list: [below(random, 5), null, { deep: 'naïve \u0000 🚀' }], flag: false },
    ...(random() < 0.2 ? { attachment: `${random()} `.repeat(below(random, 60)) } : {}),
  });
}

export const boundary = (n: number): Instant => T0 + n * MINUTE;

export async function gather<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}
