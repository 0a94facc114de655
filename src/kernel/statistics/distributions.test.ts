// Distribution functions and quantiles against R, Julia and high-precision values.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaQuantile, binomialCdf } from './binomial.js';
import { chiSquareCdf, chiSquareQuantile, chiSquareSurvival } from './chi-square.js';
import { fCdf, fQuantile, fSurvival } from './f-distribution.js';
import golden from './golden/distributions.json' with { type: 'json' };
import special from './golden/special-functions.json' with { type: 'json' };
import { expectClose, goldenCase, tableRows } from './golden-cases.suite.js';
import { incompleteBeta } from './incomplete-beta.js';
import { incompleteGamma, incompleteGammaComplement } from './incomplete-gamma.js';
import { logGamma } from './log-gamma.js';
import { nonCentralTCdf, nonCentralTSurvival } from './non-central-t.js';
import { logNormalSurvival, normalCdf, normalDensity, normalQuantile, normalSurvival } from './normal.js';
import { studentTCdf, studentTQuantile, studentTSurvival, studentTTwoSided } from './student-t.js';

type Row = Record<string, number>;
const rel = 1e-9;

const tables: [id: string, compute: (row: Row) => number][] = [
  ['normal/cdf/data', (r) => normalCdf(r['x']!, r['mu'], r['sigma'])],
  ['normal/quantile/data', (r) => normalQuantile(r['x']!, r['mu'], r['sigma'])],
  ['t/cdf/small_small', (r) => studentTCdf(r['x']!, r['v']!)],
  ['t/cdf/large_large', (r) => studentTCdf(r['x']!, r['v']!)],
  ['t/quantile/small', (r) => studentTQuantile(r['p']!, r['v']!)],
  ['t/quantile/large', (r) => studentTQuantile(r['p']!, r['v']!)],
  ['chisquare/cdf/decimal_decimal', (r) => chiSquareCdf(r['x']!, r['k']!)],
  ['chisquare/quantile/decimal_decimal', (r) => chiSquareQuantile(r['p']!, r['k']!)],
  ['f/cdf/both_large', (r) => fCdf(r['x']!, r['d1']!, r['d2']!)],
  ['f/quantile/both_large', (r) => fQuantile(r['p']!, r['d1']!, r['d2']!)],
  ['beta/cdf/both_large', (r) => incompleteBeta(r['alpha']!, r['beta']!, r['x']!)],
  ['binomial/cdf/small_high', (r) => binomialCdf(r['x']!, r['n']!, r['p']!)],
];

describe('published distribution tables', () => {
  it.each(tables)('%s', (id, compute) => {
    for (const row of tableRows(golden, id)) expectClose(compute(row), row['expected']!, { rel });
  });

  it('gives critical values to twelve digits', () => {
    const { expected } = goldenCase<{ expected: Record<string, Record<string, string>> }>(
      golden,
      'critical_values',
    );
    const close = { rel: 1e-12 };
    for (const [p, z] of Object.entries(expected['normal_ppf']!))
      expectClose(normalQuantile(Number(p)), Number(z), close);
    for (const [v, t] of Object.entries(expected['t_ppf_0.975']!)) {
      expectClose(studentTQuantile(0.975, Number(v)), Number(t), close);
    }
    for (const [z, p] of Object.entries(expected['normal_sf']!)) {
      expectClose(normalSurvival(Number(z)), Number(p), close);
      expectClose(logNormalSurvival(Number(z)), Math.log(Number(p)), close);
    }
  });
});

describe('special functions', () => {
  it('matches high-precision values', () => {
    for (const r of tableRows(special, 'log_gamma'))
      expectClose(logGamma(r['x']!), r['expected']!, { rel: 2e-15 });
    for (const r of tableRows(special, 'incomplete_beta')) {
      expectClose(incompleteBeta(r['a']!, r['b']!, r['x']!), r['expected']!, { rel: 1e-12 });
      expectClose(incompleteBeta(r['b']!, r['a']!, 1 - r['x']!), 1 - r['expected']!, { abs: 1e-12 });
    }
    for (const r of tableRows(special, 'incomplete_gamma')) {
      expectClose(incompleteGamma(r['a']!, r['x']!), r['lower']!, { rel: 1e-12 });
      expectClose(incompleteGammaComplement(r['a']!, r['x']!), r['upper']!, { rel: 1e-12 });
    }
    for (const r of tableRows(special, 'non_central_t_cdf')) {
      expectClose(nonCentralTCdf(r['t']!, r['freedom']!, r['ncp']!), r['expected']!, { rel: 1e-11 });
    }
  });

  it('satisfies the recurrence of the gamma function', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (x) => {
        expectClose(logGamma(x + 1) - logGamma(x), Math.log(x), {
          abs: 1e-14 * (1 + Math.abs(logGamma(x + 1))),
        });
      }),
    );
    expect(logGamma(0)).toBe(Number.POSITIVE_INFINITY);
    expect(logGamma(-1.5)).toBeNaN();
    expect(logGamma(Number.NaN)).toBeNaN();
  });

  it('reduces the non-central t to the central one', () => {
    for (const v of [1, 4, 33])
      for (const t of [-2, 0, 1.5]) {
        expectClose(nonCentralTCdf(t, v, 0), studentTCdf(t, v), { rel: 1e-11 });
        expectClose(nonCentralTCdf(t, v, 1.2) + nonCentralTSurvival(t, v, 1.2), 1, { rel: 1e-11 });
      }
  });
});

describe('quantiles invert their distribution functions', () => {
  const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });
  const freedom = fc.double({ min: 0.2, max: 5000, noNaN: true });

  it('for the normal, t, chi-square, F and beta', () => {
    fc.assert(
      fc.property(probability, freedom, freedom, (p, v, w) => {
        expectClose(normalCdf(normalQuantile(p)), p, { rel: 1e-12 });
        expectClose(studentTCdf(studentTQuantile(p, v), v), p, { rel: 1e-10 });
        expectClose(chiSquareCdf(chiSquareQuantile(p, v), v), p, { rel: 1e-10 });
        expectClose(fCdf(fQuantile(p, v, w), v, w), p, { rel: 1e-10 });
        const a = 1 + v / 100;
        const b = 1 + w / 100;
        expectClose(incompleteBeta(a, b, betaQuantile(p, a, b)), p, { rel: 1e-10 });
      }),
    );
  });

  it('with both tails summing to one and the right ends', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e3, noNaN: true }), freedom, (x, v) => {
        expectClose(chiSquareCdf(x, v) + chiSquareSurvival(x, v), 1, { rel: 1e-12 });
        expectClose(fCdf(x, v, 7) + fSurvival(x, v, 7), 1, { rel: 1e-12 });
        expectClose(studentTCdf(x, v) + studentTSurvival(x, v), 1, { rel: 1e-12 });
        expectClose(studentTTwoSided(-x, v), 2 * studentTCdf(-x, v), { rel: 1e-12 });
      }),
    );
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
    expect(studentTQuantile(0.5, 3)).toBe(0);
    expect(chiSquareQuantile(0, 3)).toBe(0);
    expect(normalCdf(Number.POSITIVE_INFINITY)).toBe(1);
    expect(normalDensity(0)).toBeCloseTo(0.3989422804014327, 15);
    expectClose(studentTSurvival(1e200, 1), 1 / (Math.PI * 1e200), { rel: 1e-12 });
    expectClose(studentTCdf(2, Number.POSITIVE_INFINITY), normalCdf(2), { rel: 1e-15 });
  });
});

describe('impossible arguments', () => {
  it('give NaN, never a number', () => {
    const nan = Number.NaN;
    for (const value of [
      normalCdf(nan),
      normalQuantile(nan),
      normalQuantile(1.1),
      studentTCdf(nan, 3),
      studentTCdf(1, 0),
      studentTCdf(1, nan),
      studentTQuantile(-0.1, 3),
      studentTQuantile(0.5, -1),
      chiSquareCdf(nan, 3),
      chiSquareCdf(1, -2),
      chiSquareQuantile(0.5, nan),
      fCdf(nan, 1, 1),
      fCdf(1, nan, 1),
      fQuantile(2, 1, 1),
      incompleteBeta(1, 1, 1.5),
      incompleteBeta(0, 1, 0.5),
      incompleteGamma(1, -1),
      binomialCdf(nan, 5, 0.5),
      binomialCdf(1, 5, 2),
      nonCentralTCdf(1, -1, 0),
      nonCentralTCdf(nan, 3, 0),
    ]) {
      expect(value).toBeNaN();
    }
  });
});
