import { describe, expect, it } from 'vitest';
import { DAY, formatDay, HOUR, type Instant, parseInstant } from '../../kernel/instant.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import type { Fact, FactOf } from '../facts/fact.js';
import type { Row } from '../facts/frame.js';
import { coordinationShift, priceDivergence, sourceConcentration } from './conditions.js';
import { ReferenceBook } from './reference-book.js';
import { SourceLedger } from './source-set.js';

const AT = parseInstant('2026-03-04T15:00:00Z')!;

function row(velocity: number | null = null): Row {
  return {
    slot: 0,
    ticker: 'XYZ',
    rank: 1,
    state: 'ranked',
    band: 'normal',
    activity: 40,
    density: 20,
    share: 1,
    velocity,
    surprise: 0.5,
    independence: 0.9,
    entityPrecision: 0.9,
    ambiguous: false,
    posts: 40,
    authors: 35,
    narratives: 30,
    denominator: {
      state: 'exact',
      usdBillions: 2,
      shares: 1e8,
      sharesKnownAt: AT - DAY,
      sharesSource: 'filings',
      close: 20,
      closeDate: '2026-03-03',
    },
  };
}

function price(close: number, effectiveAt: Instant, knownAt = effectiveAt): FactOf<'price'> {
  const bar = { open: close, high: close, low: close, close, volume: 1 };
  const body = { kind: 'price', ticker: 'XYZ', date: formatDay(effectiveAt), ...bar } as const;
  return { sequence: knownAt / HOUR, knownAt, effectiveAt, source: 'market', backfilled: false, body };
}

/** Twenty days that go up and down by 2 %, then one that moves by `last`; oldest first, the last one a day ago. */
function closes(last: number, days = 20): FactOf<'price'>[] {
  const levels = Array.from({ length: days }, (_, i) => 100 * Math.exp(i % 2 === 0 ? 0 : 0.02));
  levels.push(levels.at(-1)! * Math.exp(last));
  return levels.map((close, i) => price(close, AT - (levels.length - i) * DAY));
}

function bookOf(facts: readonly Fact[]): ReferenceBook {
  const book = new ReferenceBook();
  for (const fact of facts) book.take(fact);
  return book;
}

const split = (ratio: number, effectiveAt: Instant, knownAt = effectiveAt): FactOf<'split'> => ({
  sequence: 1,
  knownAt,
  effectiveAt,
  source: 'market',
  backfilled: false,
  body: { kind: 'split', ticker: 'XYZ', ratio },
});

describe('attention that leaves the price behind', () => {
  it.each([
    ['doubled attention and a quiet price', 1, closes(0.001), true],
    ['doubled attention and a quiet price that fell', 1.5, closes(-0.009), true],
    ['doubled attention and a price that moved', 1, closes(0.03), false],
    ['attention that did not double', 0.99, closes(0.001), false],
    ['attention without a usual hour', null, closes(0.001), false],
    ['just enough days to know a usual one', 1, closes(0.001, 11), true],
    ['too few days to know a usual one', 1, closes(0.001, 10), false],
    ['no prices at all', 1, [], false],
    ['a price that never moves', 1, closes(0).map((fact) => price(100, fact.effectiveAt)), false],
  ] as const)('is judged on %s', (_what, velocity, facts, isTold) => {
    const found = priceDivergence(row(velocity), bookOf(facts), AT);
    expect(found?.type ?? null).toBe(isTold ? 'attention.price_diverged' : null);
  });

  it('says how fast, how far and what is usual', () => {
    expect(priceDivergence(row(1.25), bookOf(closes(0.001)), AT)!.body).toMatchObject({
      prev: null,
      now: { velocity: 1.25, log_return: 0.001, usual_day: 0.0205196 },
      evidence: { close_date: '2026-03-03' },
    });
  });

  it.each([1, 6])('does not take a split for a move, %s days ago', (daysAgo) => {
    const whole = closes(0.001);
    const splitAt = AT - daysAgo * DAY - HOUR;
    const halved = whole.map((fact) =>
      fact.effectiveAt < splitAt ? fact : price(fact.body.close / 2, fact.effectiveAt),
    );
    const told = priceDivergence(row(1), bookOf([...halved, split(2, splitAt, AT - 20 * DAY)]), AT);
    expect(told).toEqual(priceDivergence(row(1), bookOf(whole), AT));
    expect(priceDivergence(row(1), bookOf(halved), AT)).not.toEqual(told);
  });

  it('knows only what was known: neither later closes, nor later splits, nor corrections', () => {
    const facts = closes(0.001);
    const told = priceDivergence(row(1), bookOf(facts), AT);
    const future = [
      price(500, AT + HOUR),
      price(500, facts.at(-1)!.effectiveAt, AT + HOUR),
      split(2, facts.at(-1)!.effectiveAt, AT + HOUR),
    ];
    expect(priceDivergence(row(1), bookOf([...facts, ...future]), AT)).toEqual(told);
  });

  it('does not depend on the order of arrival', () => {
    const facts = closes(0.001);
    const told = priceDivergence(row(1), bookOf(facts), AT);
    for (const seed of ['a', 'b', 'c']) {
      expect(priceDivergence(row(1), bookOf(seededRandom(seed).shuffle(facts)), AT)).toEqual(told);
    }
  });

  it('rests on the last month alone, whatever a long-lived book still holds', () => {
    const month = closes(0.001);
    const wild = Array.from({ length: 20 }, (_, i) => price(i % 2 === 0 ? 10 : 90, AT - (55 - i) * DAY));
    expect(priceDivergence(row(1), bookOf([...wild, ...month]), AT)).toEqual(
      priceDivergence(row(1), bookOf(month), AT),
    );
  });
});

/** Four weeks of mentions a day per source. */
function ledgerOf(daily: Readonly<Record<string, number>>): SourceLedger {
  const ledger = new SourceLedger();
  for (let day = 1; day <= 28; day++) {
    for (const [source, mentions] of Object.entries(daily)) ledger.count(source, AT - day * DAY, mentions);
  }
  return ledger;
}

const posts = (counts: Readonly<Record<string, number>>): { source: string }[] =>
  Object.entries(counts).flatMap(([source, count]) => Array.from({ length: count }, () => ({ source })));

describe('one loud source', () => {
  const usual = ledgerOf({ big: 700, small: 300 });
  it.each([
    ['the small one says nearly all', { small: 17, big: 3 }, true],
    ['it says just enough', { small: 16, big: 4 }, true],
    ['it says a little too little', { small: 79, big: 21 }, false],
    ['the big one says all, as it nearly does every day', { big: 100 }, false],
    ['there are too few posts', { small: 19 }, false],
    ['there are no posts', {}, false],
  ] as const)('when %s', (_what, counts, isTold) => {
    const found = sourceConcentration(row(), posts(counts), usual, ['big', 'small'], AT);
    expect(found?.type ?? null).toBe(isTold ? 'attention.source_concentrated' : null);
  });

  it('is named with its share and its usual share', () => {
    const found = sourceConcentration(row(), posts({ small: 18, big: 2 }), usual, ['big', 'small'], AT);
    expect(found!.body).toMatchObject({
      prev: { usual_share: 0.3 },
      now: { source: 'small', share: 0.9, posts: 20 },
    });
  });

  it('needs a past to compare with', () => {
    const fresh = new SourceLedger();
    expect(sourceConcentration(row(), posts({ small: 30 }), fresh, ['big', 'small'], AT)).toBeNull();
  });

  it('is compared with sources that show posts: a source of counts alone cannot make it look unusual', () => {
    const ledger = ledgerOf({ big: 700, small: 300 });
    for (let day = 1; day <= 28; day++) ledger.countAggregate('counts', AT - day * DAY, 9_000);
    const counted = ['big', 'counts', 'small'];
    expect(sourceConcentration(row(), posts({ big: 95, small: 5 }), ledger, counted, AT)).toBeNull();
    expect(sourceConcentration(row(), posts({ big: 5, small: 95 }), ledger, counted, AT)).not.toBeNull();
  });

  it('does not depend on the order of the posts', () => {
    const mixed = posts({ small: 40, big: 8 });
    const told = sourceConcentration(row(), mixed, usual, ['big', 'small'], AT);
    expect(told).not.toBeNull();
    const shuffled = seededRandom('posts').shuffle(mixed);
    expect(sourceConcentration(row(), shuffled, usual, ['small', 'big'], AT)).toEqual(told);
  });
});

describe('a coordination index that moved', () => {
  it.each([
    [0.1, 0.31, true],
    [0.31, 0.1, true],
    [0.9, 0.1, true],
    [0.1, 0.299, false],
    [0.5, 0.5, false],
    [null, 0.9, false],
    [0.9, null, false],
  ] as const)('from %s to %s', (dayAgo, now, isTold) => {
    const found = coordinationShift(row(), dayAgo, now);
    expect(found?.type ?? null).toBe(isTold ? 'coordination.measurement_shifted' : null);
    if (isTold) {
      expect(found!.body).toMatchObject({
        prev: { coordination_index: dayAgo },
        now: { coordination_index: now },
      });
    }
  });
});
