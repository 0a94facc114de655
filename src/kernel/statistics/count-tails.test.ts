// Count tails against 60-digit values, against plain sums, and at their edges.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  negativeBinomialLowerTail,
  negativeBinomialUpperTail,
  poissonLowerTail,
  poissonUpperTail,
} from './count-tails.js';
import golden from './golden/count-tails.json' with { type: 'json' };
import { expectClose, tableRows } from './golden-cases.suite.js';
import { seededRandom } from './seeded-random.js';

const tolerance = { rel: 1e-14, abs: 1e-11 };

describe('negativeBinomialUpperTail', () => {
  it('matches 60-digit logarithms far below the smallest double', () => {
    for (const row of tableRows(golden, 'negative_binomial')) {
      const tail = negativeBinomialUpperTail(row['x']!, row['mean']!, row['dispersion']!);
      expectClose(tail.logP, row['logP']!, tolerance);
      expectClose(tail.negLog10, -row['logP']! / Math.LN10, tolerance);
      expect(tail.p).toBe(Math.exp(tail.logP));
    }
  });

  it('equals one minus the summed masses', () => {
    const mean = 4;
    const r = 2.5;
    let mass = (r / (r + mean)) ** r;
    let below = 0;
    for (let x = 0; x < 40; x += 1) {
      expectClose(negativeBinomialUpperTail(x, mean, r).p, 1 - below, { abs: 1e-14 });
      below += mass;
      mass *= ((x + r) / (x + 1)) * (mean / (mean + r));
    }
  });

  it('falls as x grows and rises with the mean', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
        fc.double({ min: 1e-2, max: 1e5, noNaN: true }),
        (x, mean, r) => {
          const here = negativeBinomialUpperTail(x, mean, r).logP;
          expect(here).toBeLessThanOrEqual(0);
          expect(negativeBinomialUpperTail(x + 1, mean, r).logP).toBeLessThanOrEqual(here);
          expect(negativeBinomialUpperTail(x, mean * 1.1, r).logP).toBeGreaterThanOrEqual(here);
        },
      ),
    );
  });

  it('counts draws as often as it says', () => {
    const random = seededRandom(8);
    const n = 40_000;
    let hits = 0;
    for (let i = 0; i < n; i += 1) if (random.negativeBinomial(6, 1.5) >= 15) hits += 1;
    const { p } = negativeBinomialUpperTail(15, 6, 1.5);
    expect(Math.abs(hits / n - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n));
  });

  it('is certain from zero on, impossible without a mean, and NaN for nonsense', () => {
    expect(negativeBinomialUpperTail(0, 3, 1)).toEqual({ p: 1, logP: 0, negLog10: 0 });
    expect(negativeBinomialUpperTail(-2, 3, 1).p).toBe(1);
    expect(negativeBinomialUpperTail(1, 0, 1).p).toBe(0);
    expect(negativeBinomialUpperTail(1, 0, 1).negLog10).toBe(Number.POSITIVE_INFINITY);
    expect(negativeBinomialUpperTail(2.2, 3, 1)).toEqual(negativeBinomialUpperTail(3, 3, 1));
    const impossible: [x: number, mean: number, dispersion: number][] = [
      [Number.NaN, 1, 1],
      [1, Number.NaN, 1],
      [1, -1, 1],
      [1, 1, 0],
      [1, 1, Number.NaN],
    ];
    for (const bad of impossible) {
      expect(negativeBinomialUpperTail(...bad).p).toBeNaN();
      expect(negativeBinomialUpperTail(...bad).negLog10).toBeNaN();
    }
  });
});

describe('poissonUpperTail', () => {
  it('matches 60-digit logarithms', () => {
    for (const row of tableRows(golden, 'poisson')) {
      expectClose(poissonUpperTail(row['x']!, row['mean']!).logP, row['logP']!, tolerance);
    }
  });

  it('is the limit of the negative binomial', () => {
    for (const x of [1, 8, 30]) {
      const poisson = poissonUpperTail(x, 8).logP;
      expect(negativeBinomialUpperTail(x, 8, Number.POSITIVE_INFINITY).logP).toBe(poisson);
      expectClose(negativeBinomialUpperTail(x, 8, 1e11).logP, poisson, { abs: 1e-8 });
    }
  });
});

describe('lower tails', () => {
  it('complete the upper ones', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.double({ min: 0.01, max: 200, noNaN: true }),
        fc.double({ min: 0.05, max: 500, noNaN: true }),
        (x, mean, r) => {
          const both = negativeBinomialLowerTail(x, mean, r).p + negativeBinomialUpperTail(x + 1, mean, r).p;
          expectClose(both, 1, { abs: 1e-12 });
          expectClose(poissonLowerTail(x, mean).p + poissonUpperTail(x + 1, mean).p, 1, { abs: 1e-12 });
        },
      ),
    );
  });

  it('give silence its exact size', () => {
    expectClose(poissonLowerTail(0, 700).logP, -700, { rel: 1e-13 });
    expectClose(negativeBinomialLowerTail(0, 50, 2).logP, 2 * Math.log(2 / 52), { rel: 1e-13 });
    expect(negativeBinomialLowerTail(-1, 5, 2).p).toBe(0);
    expect(negativeBinomialLowerTail(0, 0, 2).p).toBe(1);
    expect(negativeBinomialLowerTail(3, 5, Number.POSITIVE_INFINITY)).toEqual(poissonLowerTail(3, 5));
    expect(negativeBinomialLowerTail(3, 5, 0).p).toBeNaN();
    expect(poissonLowerTail(Number.NaN, 5).p).toBeNaN();
  });
});
