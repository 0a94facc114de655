import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';
import { activityAt, type Entry, TickerWindow } from './ticker-window.js';

const AT = 20_000 * DAY + 12 * HOUR;
const ALL = new Set(['micro', 'forum']);

function entry(sequence: number, changes: Partial<Entry> = {}): Entry {
  return {
    sequence,
    knownAt: AT - MINUTE,
    source: 'micro',
    author: sequence,
    narrative: sequence,
    tickers: 1,
    form: 'tagged',
    providerTags: true,
    financeContext: true,
    backfilled: false,
    createdAt: AT - MINUTE,
    objects: [],
    authorCreatedAt: null,
    ...changes,
  };
}

function activity(entries: readonly Entry[], at = AT, ticker = 'AAPL'): number {
  const window = new TickerWindow(ticker);
  for (const one of entries) window.add(one);
  return activityAt(window.readAt(at, ALL), at);
}

describe('activity', () => {
  it('measures a constant rate of independent posts as its 24-hour count', () => {
    const steady = Array.from({ length: 1440 }, (_, i) => entry(i + 1, { knownAt: AT - i * MINUTE }));
    expect(activity(steady)).toBeGreaterThan(1430);
    expect(activity(steady)).toBeLessThan(1450);
  });

  it('halves in six hours', () => {
    const posts = [entry(1), entry(2)];
    expect(activity(posts, AT + 6 * HOUR) / activity(posts, AT)).toBeCloseTo(0.5, 10);
  });

  it('counts a campaign of one narrative by the square root of its authors', () => {
    const campaign = Array.from({ length: 400 }, (_, i) => entry(i + 1, { narrative: 1 }));
    const lone = activity([entry(1)]);
    expect(activity(campaign) / lone).toBeCloseTo(20, 8);
  });

  it('does not let 500 coordinated posts outweigh 150 independent voices', () => {
    const campaign = Array.from({ length: 500 }, (_, i) => entry(i + 1, { narrative: 1 + (i % 3) }));
    const organic = Array.from({ length: 150 }, (_, i) => entry(i + 1));
    expect(activity(campaign)).toBeLessThan(activity(organic));
  });

  it('saturates one author at three posts', () => {
    const chatter = Array.from({ length: 200 }, (_, i) => entry(i + 1, { author: 7 }));
    expect(activity(chatter) / activity([entry(1)])).toBeCloseTo(3, 8);
  });

  it('splits a post between the tickers it names and ignores lists', () => {
    expect(activity([entry(1, { tickers: 4 })]) / activity([entry(1)])).toBeCloseTo(0.25, 10);
    expect(activity([entry(1, { tickers: 9 })])).toBe(0);
  });

  it('leaves out sources that do not count and posts known later', () => {
    expect(activity([entry(1, { source: 'newcomer' })])).toBe(0);
    expect(activity([entry(1, { knownAt: AT + 1 })])).toBe(0);
    expect(activity([entry(1, { knownAt: AT - DAY })])).toBe(0);
  });
});

describe('entity gate', () => {
  it('counts an ambiguous ticker only where it was tagged in financial context', () => {
    const window = new TickerWindow('T');
    for (let i = 1; i <= 30; i++) window.add(entry(i, { form: 'tagged', financeContext: false }));
    window.add(entry(31, { financeContext: true }));
    const reading = window.readAt(AT, ALL);
    expect(reading.ambiguous).toBe(true);
    expect(reading.posts).toBe(1);
  });

  it('trusts an ordinary ticker', () => {
    const window = new TickerWindow('AAPL');
    window.add(entry(1, { form: 'cashtag', providerTags: false, financeContext: false }));
    expect(window.readAt(AT, ALL)).toMatchObject({ ambiguous: false, posts: 1, entityPrecision: 0.9 });
  });
});

describe('aggregate counts', () => {
  it('uses the newest version of a bucket that was known by the instant', () => {
    const window = new TickerWindow('GME');
    const bucket = {
      source: 'micro',
      bucketStart: AT - 2 * HOUR,
      bucketSeconds: 3600,
      authors: null,
      backfilled: false,
    };
    window.addCount({ ...bucket, sequence: 1, knownAt: AT - HOUR, posts: 50 });
    window.addCount({ ...bucket, sequence: 2, knownAt: AT + HOUR, posts: 80 });
    expect(window.readAt(AT, ALL)).toMatchObject({ posts: 50, aggregateOnly: true });
    expect(window.readAt(AT + HOUR, ALL)).toMatchObject({ posts: 80 });
  });
});

it('reads the same to the bit whatever the order of arrival and however often it was read before', () => {
  const post = fc.record({
    minutesAgo: fc.integer({ min: -600, max: 2000 }),
    author: fc.integer({ min: 1, max: 12 }),
    narrative: fc.integer({ min: 1, max: 8 }),
    tickers: fc.integer({ min: 1, max: 10 }),
    source: fc.constantFrom('micro', 'forum', 'newcomer'),
    form: fc.constantFrom('tagged' as const, 'cashtag' as const),
  });
  fc.assert(
    fc.property(fc.array(post, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (posts, steps) => {
      const entries = posts.map(({ minutesAgo, ...rest }, i) =>
        entry(i + 1, { ...rest, knownAt: AT - minutesAgo * MINUTE }),
      );
      const stepped = new TickerWindow('GME');
      let fed = 0;
      for (let step = 0; step <= steps; step++) {
        while (fed < ((step + 1) * entries.length) / (steps + 1)) stepped.add(entries[fed++]!);
        stepped.readAt(AT - (steps - step) * 7 * MINUTE, ALL);
      }
      const fresh = new TickerWindow('GME');
      for (const one of entries.toReversed()) fresh.add(one);
      expect(stepped.readAt(AT, ALL)).toEqual(fresh.readAt(AT, ALL));
    }),
  );
});
