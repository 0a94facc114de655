// Tests of a mean under autocorrelation: exact identities and error rates on overlapping data.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosineTerms, equalWeightedCosine } from './equal-weighted-cosine.js';
import { expectClose } from './golden-cases.suite.js';
import { mean, standardDeviation } from './moments.js';
import { defaultNeweyWestLag, fixedBCriticalValue, neweyWestMean } from './newey-west.js';
import { ordinaryLeastSquares } from './ordinary-least-squares.js';
import { neweyWestCovariance } from './robust-covariance.js';
import { seededRandom } from './seeded-random.js';
import { studentTTwoSided } from './student-t.js';

const series = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 60 })
  .filter((x) => standardDeviation(x) > 1e-6);

describe('neweyWestMean', () => {
  it('with lag 0 is the ordinary standard error and White’s', () => {
    fc.assert(
      fc.property(series, (x) => {
        const { se, t } = neweyWestMean(x, 0);
        const naive = standardDeviation(x) / Math.sqrt(x.length);
        expectClose(se, naive, { rel: 1e-10 });
        expectClose(t, mean(x) / naive, { rel: 1e-10, abs: 1e-12 });
        const white = neweyWestCovariance(ordinaryLeastSquares(x, []), 0);
        expectClose(Math.sqrt(white[0]![0]!), se, { rel: 1e-9 });
      }),
    );
  });

  it('equals the covariance of a regression on a constant at any lag', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 0, max: 2 }), (x, lag) => {
        const direct = neweyWestMean(x, lag).se ** 2;
        const fitted = neweyWestCovariance(ordinaryLeastSquares(x, []), lag)[0]![0]!;
        // Alternating series cancel to almost nothing, so the yardstick is the ordinary variance.
        const ordinary = neweyWestMean(x, 0).se ** 2;
        if (!Number.isNaN(direct)) expectClose(fitted, direct, { abs: 1e-9 * ordinary });
      }),
    );
  });

  it('uses the textbook lag unless told otherwise', () => {
    expect(defaultNeweyWestLag(100)).toBe(4);
    expect(defaultNeweyWestLag(51_200)).toBe(16);
    expect(defaultNeweyWestLag(250)).toBe(4);
    expect(neweyWestMean(Array.from({ length: 100 }, (_, i) => (i * 37) % 11)).lag).toBe(4);
  });

  it('is undefined for constants, gaps, short series and long lags', () => {
    for (const x of [[0.1, 0.1, 0.1], [1, Number.NaN, 2], [1], []]) {
      expect(neweyWestMean(x, 0).se).toBeNaN();
      expect(neweyWestMean(x, 0).t).toBeNaN();
    }
    expect(neweyWestMean([1, 2, 3], 3).se).toBeNaN();
    expect(() => neweyWestMean([1, 2, 3], -1)).toThrow(RangeError);
    expect(fixedBCriticalValue(0)).toBe(1.96);
    expectClose(fixedBCriticalValue(0.1), 2.2605676, { abs: 1e-7 });
    expect(fixedBCriticalValue(2)).toBeNaN();
  });
});

describe('equalWeightedCosine', () => {
  it('with T − 1 cosines is the ordinary t test', () => {
    fc.assert(
      fc.property(series, (x) => {
        const n = x.length;
        const test = equalWeightedCosine(x, { terms: n - 1 });
        const se = standardDeviation(x) / Math.sqrt(n);
        expectClose(test.se, se, { rel: 1e-9 });
        expectClose(test.t, mean(x) / se, { rel: 1e-9, abs: 1e-12 });
        expectClose(test.p, studentTTwoSided(mean(x) / se, n - 1), { abs: 1e-8 });
        expectClose(test.effectiveN, n, { rel: 1e-9 });
      }),
    );
  });

  it('chooses fewer cosines for longer overlaps', () => {
    expect(cosineTerms(125)).toBe(10);
    expect(cosineTerms(500, 1)).toBe(25);
    expect(cosineTerms(500, 20)).toBe(12);
    expect(cosineTerms(250, 60)).toBe(4);
    expect(cosineTerms(3)).toBe(0);
  });

  it('keeps its size on overlapping sums where the ordinary t test fails', () => {
    const random = seededRandom('overlap');
    const [runs, n, horizon] = [400, 300, 10];
    let naive = 0;
    let honest = 0;
    for (let run = 0; run < runs; run += 1) {
      const noise = Array.from({ length: n + horizon }, () => random.normal());
      const x = Array.from({ length: n }, (_, t) => noise.slice(t, t + horizon).reduce((a, b) => a + b, 0));
      if (equalWeightedCosine(x, { terms: n - 1 }).p < 0.05) naive += 1;
      if (equalWeightedCosine(x, { horizon }).p < 0.05) honest += 1;
    }
    expect(naive / runs).toBeGreaterThan(0.3);
    expect(honest / runs).toBeLessThan(0.09);
    expect(honest / runs).toBeGreaterThan(0.02);
  });

  it('is undefined for constants, gaps and too little data', () => {
    for (const x of [
      [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
      [1, Number.NaN, 2, 3, 4, 5, 6, 7, 8],
      [1, 2],
      [],
    ]) {
      const { se, t, p } = equalWeightedCosine(x);
      expect([se, t, p]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    }
    expect(() => equalWeightedCosine([1, 2, 3], { horizon: 0 })).toThrow(RangeError);
    expect(() => equalWeightedCosine([1, 2, 3], { terms: 1.5 })).toThrow(RangeError);
  });
});
