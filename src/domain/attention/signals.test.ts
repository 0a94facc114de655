import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../kernel/instant.js';
import type { Emission } from '../facts/emission.js';
import {
  ANOMALY_BANDS,
  type Denominator,
  type FrameHeader,
  type Row,
  type SourceSet,
} from '../facts/frame.js';
import { type BoardMoment, frameSignals, rotation, SIGNAL_TYPES, type SignalType } from './signals.js';

const AT = parseInstant('2026-03-04T15:00:00Z')!;

const DENOMINATOR: Denominator = {
  state: 'exact',
  usdBillions: 2,
  shares: 1e8,
  sharesKnownAt: AT - 1,
  sharesSource: 'filings',
  close: 20,
  closeDate: '2026-03-03',
};

function row(rest: Partial<Row> = {}): Row {
  const slot = rest.slot ?? 0;
  return {
    slot,
    ticker: `T${slot}`,
    rank: 10,
    state: 'ranked',
    band: 'normal',
    activity: 40,
    density: 20,
    share: 1,
    velocity: 0.25,
    surprise: 0.5,
    independence: 0.9,
    entityPrecision: 0.9,
    ambiguous: false,
    posts: 40,
    authors: 35,
    narratives: 30,
    denominator: DENOMINATOR,
    ...rest,
  };
}

const SOURCES: SourceSet = { version: 1, sources: ['a', 'b'], warming: [], level: 1 };

function moment(rows: readonly Row[], sourceSet: SourceSet = SOURCES): BoardMoment {
  const header: FrameHeader = {
    at: AT,
    cycleSeconds: 60,
    highWater: 1,
    newestKnownAt: null,
    postsUsed: 0,
    postsBackfilled: 0,
    rowCount: rows.length,
    sourceSet,
    fingerprint: 'sha256:0',
  };
  return { header, rows };
}

const known = (): boolean => false;
const unheardOf = (): boolean => true;
const typesOf = (emissions: readonly Emission[]): string[] => emissions.map(({ type }) => type);

/** The types that one ticker's change from one frame to the next gives. */
function told(before: Partial<Row>, now: Partial<Row>): string[] {
  return typesOf(frameSignals(moment([row(before)]), moment([row(now)]), known));
}

const shares = (count: number | null, sharesKnownAt = AT): { denominator: Denominator } => ({
  denominator: { ...DENOMINATOR, shares: count, sharesKnownAt },
});

const CHANGES: readonly [string, Partial<Row>, Partial<Row>, readonly SignalType[]][] = [
  ['nothing', {}, {}, []],
  ['other numbers', { density: 1, share: 1, posts: 9 }, { density: 2, share: 2, posts: 10 }, []],
  ['another band', { band: 'normal' }, { band: 'elevated' }, ['attention.band_changed']],
  ['a band that warmed up', { band: 'warming' }, { band: 'quiet' }, ['attention.band_changed']],
  [
    'a rise to high',
    { band: 'normal' },
    { band: 'high' },
    ['attention.band_changed', 'attention.burst_started'],
  ],
  [
    'a rise to extreme',
    { band: 'elevated' },
    { band: 'extreme' },
    ['attention.band_changed', 'attention.burst_started'],
  ],
  ['a burst that grows', { band: 'high' }, { band: 'extreme' }, ['attention.band_changed']],
  ['a burst that shrinks', { band: 'extreme' }, { band: 'high' }, ['attention.band_changed']],
  ['a burst that goes on', { band: 'high' }, { band: 'high' }, []],
  [
    'a fall from high',
    { band: 'high' },
    { band: 'elevated' },
    ['attention.band_changed', 'attention.burst_ended'],
  ],
  [
    'a burst nobody speaks of any more',
    { band: 'extreme' },
    { band: 'insufficient' },
    ['attention.band_changed', 'attention.burst_ended'],
  ],
  ['a step into the first 25', { rank: 26 }, { rank: 25 }, ['attention.rank_entered']],
  ['a first rank', { rank: null }, { rank: 3 }, ['attention.rank_entered']],
  ['a first rank further down', { rank: null }, { rank: 26 }, []],
  ['a step out of the first 25', { rank: 25 }, { rank: 26 }, ['attention.rank_exited']],
  ['a lost rank', { rank: 1 }, { rank: null }, ['attention.rank_exited']],
  ['a lost rank further down', { rank: 26 }, { rank: null }, []],
  ['a move inside the first 25', { rank: 1 }, { rank: 25 }, []],
  ['a move outside of them', { rank: 26 }, { rank: 300 }, []],
  ['more shares', {}, shares(1.06e8), ['denominator.revised']],
  ['fewer shares', {}, shares(0.94e8), ['denominator.revised']],
  ['a few more shares', {}, shares(1.04e8), []],
  ['the same count filed anew', {}, shares(1e8), []],
  ['a split of the same count', {}, shares(2e8, DENOMINATOR.sharesKnownAt!), []],
  ['a first share count', shares(null, AT - 2), shares(1e8), []],
  ['a share count that went', {}, shares(null), []],
  ['another price', {}, { denominator: { ...DENOMINATOR, close: 40, usdBillions: 4 } }, []],
];

describe('two frames next to each other', () => {
  it.each(CHANGES)('tell of %s', (_what, before, now, types) => {
    expect(told(before, now)).toEqual(types);
  });

  it('tell several changes of one ticker at once', () => {
    expect(told({ band: 'normal', rank: 90 }, { band: 'high', rank: 1, ...shares(2e8) })).toEqual([
      'attention.band_changed',
      'attention.burst_started',
      'attention.rank_entered',
      'denominator.revised',
    ]);
  });

  it('tell a ticker that is spoken of after long silence, whether or not it had a row', () => {
    const now = moment([row({ posts: 4, rank: null })]);
    for (const before of [moment([]), moment([row({ posts: 0, rank: null })])]) {
      const found = frameSignals(before, now, unheardOf);
      expect(typesOf(found)).toEqual(['attention.first_seen']);
      expect(found[0]!.body).toMatchObject({ prev: null, now: { posts: 4 } });
      expect(frameSignals(before, now, known)).toEqual([]);
    }
    // Spoken of in the frame before, or still not spoken of.
    expect(frameSignals(moment([row({ posts: 3 })]), moment([row({ posts: 4 })]), unheardOf)).toEqual([]);
    expect(frameSignals(moment([]), moment([row({ posts: 0 })]), unheardOf)).toEqual([]);
  });

  it.each([
    ['the same sources', SOURCES, null],
    ['a newcomer', { ...SOURCES, warming: ['c'] }, 'source_warming'],
    [
      'a newcomer that counts',
      { version: 2, sources: ['a', 'b', 'c'], warming: [], level: 1.2 },
      'source_set_changed',
    ],
  ] as const)('tell of %s once, for no single ticker', (_what, sources, reason) => {
    const found = frameSignals(moment([row()]), moment([row()], sources), known);
    expect(found.map(({ type, ticker }) => [type, ticker])).toEqual(
      reason === null ? [] : [['data.coverage_changed', null]],
    );
    if (reason !== null) expect(found[0]!.body).toMatchObject({ evidence: { reason } });
  });

  it('say what was, what is, and the values that the receipt vouches for', () => {
    const [changed] = frameSignals(
      moment([row({ band: 'quiet' })]),
      moment([row({ band: 'normal', velocity: null })]),
      known,
    );
    expect(changed).toEqual({
      kind: 'signal',
      type: 'attention.band_changed',
      ticker: 'T0',
      body: {
        prev: 'quiet',
        now: 'normal',
        evidence: {},
        values: {
          attention_density: 20,
          attention_share: 1,
          attention_velocity: null,
          attention_surprise: 0.5,
          voice_independence: 0.9,
        },
      },
    });
  });
});

it('the first frame of an archive tells nothing', () => {
  const loud = moment([row({ band: 'extreme', rank: 1 }), row({ slot: 1, band: 'high', rank: 2 })]);
  expect(frameSignals(null, loud, unheardOf)).toEqual([]);
});

const rank = fc.option(fc.integer({ min: 1, max: 40 }), { nil: null });
const change = fc.record({ band: fc.constantFrom(...ANOMALY_BANDS), rank, posts: fc.nat({ max: 3 }) });
const board = fc.array(fc.record({ before: change, now: change, first: fc.boolean() }), { maxLength: 12 });
const sorted = (emissions: readonly Emission[]): string[] =>
  emissions.map((one) => JSON.stringify(one)).sort();

describe('the signals of a frame', () => {
  it('do not depend on the order of the rows, nor on what other tickers do', () => {
    fc.assert(
      fc.property(board, (changes) => {
        const before = changes.map((one, slot) => row({ slot, ...one.before }));
        const now = changes.map((one, slot) => row({ slot, ...one.now }));
        const isFirst = (ticker: string): boolean => changes[Number(ticker.slice(1))]!.first;
        const whole = sorted(frameSignals(moment(before), moment(now), isFirst));
        expect(sorted(frameSignals(moment(before), moment(now.toReversed()), isFirst))).toEqual(whole);
        const alone = now.flatMap((one) => frameSignals(moment(before), moment([one]), isFirst));
        expect(sorted(alone)).toEqual(whole);
      }),
    );
  });

  it('are of the declared types, and a burst that starts or ends changes the band', () => {
    fc.assert(
      fc.property(board, (changes) => {
        const before = changes.map((one, slot) => row({ slot, ...one.before }));
        const now = changes.map((one, slot) => row({ slot, ...one.now }));
        const found = frameSignals(moment(before), moment(now), unheardOf);
        for (const { type, ticker } of found) {
          expect(SIGNAL_TYPES).toContain(type);
          if (!type.startsWith('attention.burst')) continue;
          expect(found.some((one) => one.type === 'attention.band_changed' && one.ticker === ticker)).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('a rotation', () => {
  const board = (...parts: readonly (number | null)[]): Row[] =>
    parts.map((share, slot) => row({ slot, share }));

  it.each([
    ['ten points that changed hands', [60, 40], [50, 50], true],
    ['a little less', [60, 40], [50.1, 49.9], false],
    ['nothing', [60, 40], [60, 40], false],
    ['points of a ticker that had no share before', [60, null], [60, 40], false],
    ['points of a ticker that has no share now', [60, 40], [60, null], false],
  ] as const)('of %s', (_what, then, now, isTold) => {
    expect(rotation(board(...then), board(...now)) !== null).toBe(isTold);
  });

  it('names where attention came from and where it went, most first', () => {
    const told = rotation(board(40, 30, 20, 10), board(25, 28, 27, 20))!;
    expect(told.ticker).toBeNull();
    expect(told.body).toMatchObject({
      prev: {
        from: [
          { ticker: 'T0', points: -15 },
          { ticker: 'T1', points: -2 },
        ],
      },
      now: {
        to: [
          { ticker: 'T3', points: 10 },
          { ticker: 'T2', points: 7 },
        ],
      },
      evidence: { moved_points: 17 },
    });
  });

  it('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), {
          minLength: 1,
          maxLength: 14,
        }),
        (parts) => {
          const then = board(...parts.map(([was]) => was));
          const now = board(...parts.map(([, is]) => is));
          expect(rotation(then, now.toReversed())).toEqual(rotation(then, now));
        },
      ),
    );
  });

  it('lists at most five names a side', () => {
    const told = rotation(
      board(...Array.from({ length: 14 }, (_, i) => (i < 7 ? 10 : 0))),
      board(...Array.from({ length: 14 }, (_, i) => (i < 7 ? 0 : 10))),
    )!;
    expect(told.body).toMatchObject({ evidence: { moved_points: 70 } });
    expect((told.body['prev'] as { from: unknown[] }).from).toHaveLength(5);
    expect((told.body['now'] as { to: unknown[] }).to).toHaveLength(5);
  });
});
