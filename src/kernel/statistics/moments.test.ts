// Moments, compensated sums and autocorrelations against NIST and Stata.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autocorrelation, ljungBox } from './autocorrelation.js';
import { chiSquareSurvival } from './chi-square.js';
import { neumaierSum, runningSum } from './compensated-sum.js';
import acf from './golden/autocorrelation.json' with { type: 'json' };
import golden from './golden/univariate.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';
import { excessKurtosis, kurtosis, mean, skewness, standardDeviation, variance } from './moments.js';

interface Univariate {
  y: number[];
  expected: { mean: number; sample_sd_n_minus_1: number; lag1_autocorrelation: number };
  tol_rel: number;
}

describe('NIST univariate sets', () => {
  it.each(['Lottery', 'Michelso', 'NumAcc1', 'NumAcc2'])('%s', (id) => {
    const { y, expected, tol_rel: rel } = goldenCase<Univariate>(golden, id);
    expectClose(mean(y), expected.mean, { rel });
    expectClose(standardDeviation(y), expected.sample_sd_n_minus_1, { rel });
    expectClose(variance(y), expected.sample_sd_n_minus_1 ** 2, { rel: 2 * rel });
    expectClose(autocorrelation(y, 1)[0], expected.lag1_autocorrelation, { rel });
  });

  it('survives a spread of one in ten million', () => {
    const y = [10_000_000.2];
    for (let i = 0; i < 500; i += 1) y.push(10_000_000.1, 10_000_000.3);
    expectClose(mean(y), 10_000_000.2, { rel: 1e-15 });
    expectClose(standardDeviation(y), 0.1, { rel: 2e-8 });
  });
});

describe('moments', () => {
  it('has the textbook shape', () => {
    const x = [1, 2, 3, 4, 10];
    expectClose(variance(x), 12.5, { rel: 1e-15 });
    expectClose(variance(x, 0), 10, { rel: 1e-15 });
    expectClose(skewness(x), 36 / 10 ** 1.5, { rel: 1e-14 });
    expectClose(kurtosis(x), 278.8 / 100, { rel: 1e-14 });
    expectClose(skewness(x, true), (36 / 10 ** 1.5) * (Math.sqrt(20) / 3), { rel: 1e-14 });
    expectClose(excessKurtosis(x, true), (4 / 6) * (6 * (2.788 - 3) + 6), { rel: 1e-13 });
  });

  it('does not overflow or vanish', () => {
    const huge = Number.MAX_VALUE;
    expect(mean([huge, huge, huge])).toBe(huge);
    expectClose(standardDeviation([1e200, -1e200]), Math.SQRT2 * 1e200, { rel: 1e-14 });
    expectClose(standardDeviation([1e-200, -1e-200]), Math.SQRT2 * 1e-200, { rel: 1e-14 });
    expectClose(skewness([1e200, 2e200, 9e200]), skewness([1, 2, 9]), { rel: 1e-12 });
  });

  it('gives constants no spread and no shape', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: 4, max: 30 }),
        (c, n) => {
          const x = Array.from({ length: n }, () => c);
          expect(standardDeviation(x)).toBe(0);
          expect(skewness(x)).toBeNaN();
          expect(kurtosis(x)).toBeNaN();
          expect(autocorrelation(x, 1)[0]).toBeNaN();
        },
      ),
    );
  });

  it('is NaN for gaps, infinities and too few values', () => {
    const gap = [1, Number.NaN, 3, 4, 5];
    for (const f of [mean, variance, standardDeviation, skewness, kurtosis]) {
      expect(f(gap)).toBeNaN();
      expect(f([])).toBeNaN();
    }
    expect(variance([1])).toBeNaN();
    expect(standardDeviation([1, Number.POSITIVE_INFINITY])).toBeNaN();
    expect(skewness([1, 2])).toBeNaN();
  });

  it('ignores shifts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2 }), (x) => {
        expectClose(variance(x.map((v) => v + 1e6)), variance(x), { rel: 1e-9 });
      }),
    );
  });
});

describe('compensated sums', () => {
  it('keep what plain loops lose', () => {
    expect(neumaierSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(neumaierSum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(neumaierSum([])).toBe(0);
    expect(neumaierSum([Number.POSITIVE_INFINITY, 1])).toBe(Number.POSITIVE_INFINITY);
    expect(neumaierSum([1, Number.NaN])).toBeNaN();
  });

  it('agree one by one and all at once', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 })), (x) => {
        const running = runningSum();
        for (const value of x) running.add(value);
        expect(running.total()).toBe(neumaierSum(x));
      }),
    );
  });
});

describe('autocorrelation and ljungBox', () => {
  it('match Stata on real GDP', () => {
    const { input, expected } = goldenCase<{
      input: number[];
      expected: { acf_lag_1_to_40: number[]; Q: number[] };
    }>(acf, 'realgdp');
    expectAllClose(autocorrelation(input, 40), expected.acf_lag_1_to_40, { rel: 1e-6 });
    const test = ljungBox(input, 40);
    expectAllClose(test.statistics, expected.Q, { rel: 1e-6 });
    expect(test.pValues[0]).toBe(chiSquareSurvival(test.statistics[0]!, 1));
    expect(ljungBox(input, 3, 1).pValues[0]).toBeNaN();
  });

  it('has no value past the end or across gaps', () => {
    expect(autocorrelation([1, 2, 4], 4).slice(2)).toEqual([Number.NaN, Number.NaN]);
    expect(autocorrelation([1, Number.NaN, 4], 1)[0]).toBeNaN();
    expect(ljungBox([1, Number.NaN, 4], 1).pValues[0]).toBeNaN();
  });
});
