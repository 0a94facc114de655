import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/instant.js';
import type { FactOf, SharesBasis } from '../facts/fact.js';
import { denominatorHoldsUntil, type Listing, resolveDenominator } from './denominator.js';

const AT = 20_000 * DAY;
let sequence = 0;

function shares(
  count: number,
  daysAgo: number,
  basis: SharesBasis = 'consolidated',
  filedAfter = 30,
): FactOf<'shares'> {
  const effectiveAt = AT - daysAgo * DAY;
  const body = { kind: 'shares', ticker: 'X', shares: count, basis } as const;
  return {
    sequence: ++sequence,
    effectiveAt,
    knownAt: effectiveAt + filedAfter * DAY,
    source: 'sec',
    backfilled: true,
    body,
  };
}

function price(close: number, daysAgo: number): FactOf<'price'> {
  const effectiveAt = AT - daysAgo * DAY;
  const body = {
    kind: 'price',
    ticker: 'X',
    date: `d${daysAgo}`,
    open: close,
    high: close,
    low: close,
    close,
    volume: 1,
  } as const;
  return { sequence: ++sequence, effectiveAt, knownAt: effectiveAt, source: 'p', backfilled: true, body };
}

function split(ratio: number, daysAgo: number): FactOf<'split'> {
  const effectiveAt = AT - daysAgo * DAY;
  const body = { kind: 'split', ticker: 'X', ratio } as const;
  return {
    sequence: ++sequence,
    effectiveAt,
    knownAt: effectiveAt - 5 * DAY,
    source: 'p',
    backfilled: true,
    body,
  };
}

const resolve = (listing: Partial<Listing>, at = AT) =>
  resolveDenominator({ shares: [], prices: [], splits: [], ...listing }, at);

describe('resolveDenominator', () => {
  it('multiplies the newest filed share count by the newest close', () => {
    const resolved = resolve({
      shares: [shares(1e8, 200), shares(1.1e8, 90)],
      prices: [price(40, 3), price(50, 1)],
    });
    expect(resolved).toMatchObject({ state: 'exact', usdBillions: 5.5, closeDate: 'd1' });
  });

  it('does not know a filing before it is filed', () => {
    const resolved = resolve({ shares: [shares(1e8, 150), shares(2e8, 20)], prices: [price(10, 1)] });
    expect(resolved.shares).toBe(1e8);
  });

  it('refuses placeholders and jumps that no split explains', () => {
    const traps = [shares(1e8, 190), shares(1000, 100), shares(5e9, 90), shares(1.2e8, 60)];
    expect(resolve({ shares: traps, prices: [price(10, 1)] }).shares).toBe(1.2e8);
    expect(resolve({ shares: [shares(100, 60)], prices: [price(10, 1)] }).state).toBe('unavailable');
  });

  it('carries shares and closes through a split', () => {
    const before = { shares: [shares(1e8, 60)], prices: [price(100, 1)], splits: [split(10, 0.5)] };
    expect(resolve(before)).toMatchObject({ shares: 1e9, close: 10, usdBillions: 10, state: 'exact' });
    const after = { ...before, shares: [...before.shares, shares(1e9, 0.25, 'consolidated', 0)] };
    expect(resolve(after)).toMatchObject({ shares: 1e9, usdBillions: 10 });
  });

  it('types what it cannot vouch for', () => {
    expect(resolve({ shares: [shares(1e8, 60)] }).state).toBe('unavailable');
    expect(resolve({ prices: [price(5, 1)] })).toMatchObject({ state: 'unavailable', close: 5 });
    expect(resolve({ shares: [shares(1e8, 300)], prices: [price(5, 1)] }).state).toBe('stale');
    expect(resolve({ shares: [shares(1e8, 60)], prices: [price(5, 12)] }).state).toBe('stale');
    expect(resolve({ shares: [shares(1e8, 60)], prices: [price(5, 31)] }).state).toBe('unavailable');
    expect(resolve({ shares: [shares(1e7, 60)], prices: [price(2, 1)] }).state).toBe('floored');
    expect(resolve({ shares: [shares(1e8, 60, 'per_class_sum')], prices: [price(5, 1)] }).state).toBe(
      'per_class_sum',
    );
  });

  it('prefers a filed count to a vendor count while it is fresh', () => {
    const both = [shares(1e8, 60), shares(1.05e8, 10, 'vendor', 0)];
    expect(resolve({ shares: both, prices: [price(5, 1)] })).toMatchObject({ shares: 1e8, state: 'exact' });
    const old = [shares(1e8, 260), shares(1.05e8, 10, 'vendor', 0)];
    expect(resolve({ shares: old, prices: [price(5, 1)] })).toMatchObject({
      shares: 1.05e8,
      state: 'vendor',
    });
  });

  it('holds exactly until the instant it says', () => {
    const listing = { shares: [shares(1e8, 150)], prices: [price(5, 1)], splits: [split(2, -3)] };
    let at = AT;
    for (let i = 0; i < 6; i++) {
      const until = denominatorHoldsUntil(listing, at);
      if (until === Number.POSITIVE_INFINITY) break;
      expect(resolve(listing, until - 1)).toEqual(resolve(listing, at));
      at = until;
    }
    expect(at).toBeGreaterThan(AT + 29 * DAY);
  });
});
