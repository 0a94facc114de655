import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, parseInstant, SECOND } from '../../kernel/instant.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { type ComponentId, coordinationIndex, measureCoordination } from './coordination.js';
import type { CoordinationPost } from './voices.js';

const AT = parseInstant('2026-03-04T18:00:00Z')!;

function post(createdAt: Instant, author: number, rest: Partial<CoordinationPost> = {}): CoordinationPost {
  return {
    knownAt: createdAt + 5 * SECOND,
    createdAt,
    author,
    narrative: author * 1000 + Math.floor(createdAt / SECOND),
    objects: [],
    authorCreatedAt: createdAt - 900 * DAY - author * 9 * DAY,
    source: 'bluesky',
    tickers: 1,
    ...rest,
  };
}

/** News breaks: many people, old accounts, own words, some reposts of the same story spread over hours. */
function organicBurst(seed: string, posts: number): CoordinationPost[] {
  const random = seededRandom(seed);
  const begins = AT - 10 * HOUR;
  return Array.from({ length: posts }, (_, i) => {
    const createdAt = begins + Math.floor(random.exponential(2 * HOUR));
    const passesOn = random.chance(0.12);
    return post(Math.min(createdAt, AT - MINUTE), random.integer(0, posts), {
      narrative: passesOn ? 1 : 1000 + i,
      objects: passesOn ? [77] : [],
      authorCreatedAt: AT - Math.floor(random.uniform(20, 3000) * DAY),
      source: random.pick(['bluesky', 'mastodon', 'stocktwits']),
      tickers: random.integer(1, 3),
    });
  });
}

/** A campaign: throw-away accounts of one week push one text in short salvos. */
function campaign(seed: string, posts: number): CoordinationPost[] {
  const random = seededRandom(seed);
  return Array.from({ length: posts }, (_, i) => {
    const salvo = AT - 6 * HOUR + Math.floor(i / 12) * 9 * MINUTE;
    return post(salvo + random.integer(0, 40 * SECOND), 10_000 + i, {
      narrative: random.chance(0.9) ? 5 : 6,
      objects: [88],
      authorCreatedAt: AT - 12 * DAY - random.integer(0, 3 * DAY),
      tickers: 4,
    });
  });
}

function componentOf(posts: readonly CoordinationPost[], id: ComponentId): number | null {
  return measureCoordination(posts, AT).measurement!.components.find((component) => component.id === id)!
    .value;
}

describe('the index', () => {
  it('is high for campaigns', () => {
    for (const size of [40, 120, 500]) {
      const { measurement } = measureCoordination(campaign(`c${size}`, size), AT);
      expect(measurement!.index).toBeGreaterThanOrEqual(0.7);
      expect(measurement!.interval.low).toBeGreaterThanOrEqual(0.7);
      expect(measurement!.realness).toBeCloseTo(1 - measurement!.index, 5);
    }
  });

  it('is low for news that many people talk about', () => {
    for (const size of [40, 120, 500]) {
      const { measurement } = measureCoordination(organicBurst(`o${size}`, size), AT);
      expect(measurement!.index).toBeLessThan(0.3);
    }
  });

  it('rises as a campaign rides on real talk', () => {
    const real = organicBurst('mixed', 200);
    const mixed = [20, 80, 300].map((size) => coordinationIndex([...real, ...campaign('ride', size)], AT)!);
    expect(mixed[0]!).toBeGreaterThan(coordinationIndex(real, AT)!);
    expect(mixed[1]!).toBeGreaterThan(mixed[0]!);
    expect(mixed[2]!).toBeGreaterThan(mixed[1]!);
  });

  it('has an interval around it, the same each time', () => {
    const posts = [...organicBurst('interval', 150), ...campaign('interval', 60)];
    const { measurement } = measureCoordination(posts, AT);
    const { index, interval } = measurement!;
    expect(interval.low).toBeLessThan(index);
    expect(interval.high).toBeGreaterThan(index);
    expect(interval.high - interval.low).toBeLessThan(0.5);
    expect(measureCoordination(posts.toReversed(), AT)).toEqual(measureCoordination(posts, AT));
    expect(coordinationIndex(posts, AT)).toBe(index);
  });

  it('depends on neither the order of the posts nor what becomes known later', () => {
    const posts = [...organicBurst('pure', 40), ...campaign('pure', 30)];
    const alone = measureCoordination(posts, AT);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(posts, { minLength: posts.length }),
        fc.array(fc.integer({ min: 1, max: DAY }), { maxLength: 30 }),
        (shuffled, delays) => {
          const later = delays.map((delay, i) =>
            post(AT - HOUR, 5 + (i % 3), { knownAt: AT + delay, narrative: 5 }),
          );
          const old = delays.map((age, i) => post(AT - 2 * DAY, 20_000 + i, { knownAt: AT - DAY - age + 1 }));
          expect(measureCoordination([...later, ...shuffled, ...old], AT)).toEqual(alone);
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('the components', () => {
  /** Thirty authors, two minutes apart in different hours' minutes, each with own words. */
  const spread = Array.from({ length: 30 }, (_, i) => post(AT - 20 * HOUR + i * 37 * MINUTE, i));

  it('are zero for posts that have nothing to do with one another', () => {
    const { measurement } = measureCoordination(spread, AT);
    expect(measurement!.index).toBe(0);
    expect(measurement!.bound).toBe('exact');
    expect(measurement!.components.map(({ value }) => value! <= 0.034)).toEqual(Array(5).fill(true));
  });

  it('count everybody who shared within a minute of somebody else, and nobody else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ second: fc.nat(400), author: fc.nat(14), object: fc.nat(3) }), {
          minLength: 20,
          maxLength: 60,
        }),
        (shares) => {
          const posts = [
            ...spread,
            ...shares.map(({ second, author, object }, i) =>
              post(AT - HOUR + second * SECOND, 100 + author, { objects: [object], narrative: 9_000 + i }),
            ),
          ];
          const guilty = new Set<number>();
          for (const a of shares) {
            for (const b of shares) {
              if (a.object === b.object && a.author !== b.author && Math.abs(a.second - b.second) <= 60) {
                guilty.add(a.author);
              }
            }
          }
          const authors = spread.length + new Set(shares.map(({ author }) => author)).size;
          expect(componentOf(posts, 'co_share_60s')).toBeCloseTo(guilty.size / authors, 5);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('measure weeks, narratives and ages by authors, not by posts', () => {
    const week = parseInstant('2026-02-16T00:00:00Z')!;
    const posts = spread.map((one, i) =>
      i < 12 ? { ...one, narrative: i < 9 ? 1 : one.narrative, authorCreatedAt: week + i * 12 * HOUR } : one,
    );
    const repeated = [
      ...posts,
      ...posts.slice(0, 5).map((one) => ({ ...one, createdAt: one.createdAt + 2 * MINUTE })),
    ];
    expect(componentOf(repeated, 'creation_week')).toBeCloseTo((12 - 2) / 30, 5);
    expect(componentOf(repeated, 'narrative_top')).toBeCloseTo(9 / 30, 5);
    expect(componentOf(repeated, 'young_accounts')).toBeCloseTo(12 / 30, 5);
    const { measurement } = measureCoordination(repeated, AT);
    expect(measurement!.narrative).toEqual({ clusters: 22, topShare: 0.3 });
    expect(measurement!.accountAge!.under60d).toBeCloseTo(0.4, 5);
    expect(measurement!.accountAge!.p10).toBeLessThan(measurement!.accountAge!.p50);
  });

  it('tell salvos from an even stream', () => {
    const even = Array.from({ length: 60 }, (_, i) => post(AT - 10 * HOUR + i * 9 * MINUTE, i));
    const salvos = Array.from({ length: 60 }, (_, i) => post(AT - 10 * HOUR + (i % 10) * 55 * MINUTE + i, i));
    expect(componentOf(even, 'sync_excess')).toBeLessThanOrEqual(0);
    expect(componentOf(salvos, 'sync_excess')).toBeGreaterThan(0.8);
  });

  it('that a provider cannot carry are left out, and the index is a lower bound', () => {
    const blind = campaign('blind', 80).map((one) => ({ ...one, authorCreatedAt: null }));
    const { measurement, sample } = measureCoordination(blind, AT);
    expect(sample.coverage).toBe(0);
    expect(measurement!.bound).toBe('lower');
    expect(measurement!.accountAge).toBeNull();
    expect(measurement!.components.filter(({ value }) => value === null).map(({ id }) => id)).toEqual([
      'creation_week',
      'young_accounts',
    ]);
    expect(measurement!.index).toBeLessThan(
      measureCoordination(campaign('blind', 80), AT).measurement!.index,
    );
  });
});

describe('the sample', () => {
  it('carries no measurement below twenty posts or ten authors', () => {
    const posts = organicBurst('few', 60);
    expect(measureCoordination(posts.slice(0, 19), AT).measurement).toBeNull();
    expect(coordinationIndex(posts.slice(0, 19), AT)).toBeNull();
    const nine = posts.map((one, i) => ({ ...one, author: i % 9 }));
    expect(measureCoordination(nine, AT)).toMatchObject({
      sample: { posts: 60, authors: 9 },
      measurement: null,
    });
    expect(coordinationIndex(nine, AT)).toBeNull();
    expect(measureCoordination([], AT)).toMatchObject({
      sample: { posts: 0, authors: 0 },
      measurement: null,
    });
  });

  it('says how many sources it has, how they share, and what spills over', () => {
    const posts = Array.from({ length: 40 }, (_, i) =>
      post(AT - 12 * HOUR + i * 13 * MINUTE, i, { source: i < 30 ? 'a' : 'b', tickers: i % 2 === 0 ? 1 : 4 }),
    );
    const { sample, measurement } = measureCoordination(posts, AT);
    expect(sample).toMatchObject({ posts: 40, authors: 40, narratives: 40, sources: 2, coverage: 1 });
    expect(measurement!.sourceConcentration).toBeCloseTo(0.625, 6);
    expect(measurement!.spill).toBeCloseTo(0.375, 6);
  });
});
