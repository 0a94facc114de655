// Least squares and its robust covariances against NIST, Stata and R.

import { describe, expect, it } from 'vitest';
import norris from './golden/norris.json' with { type: 'json' };
import golden from './golden/robust-covariance.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';
import { ordinaryLeastSquares } from './ordinary-least-squares.js';
import { neweyWestCovariance } from './robust-covariance.js';
import { seededRandom } from './seeded-random.js';
import { studentTQuantile, studentTTwoSided } from './student-t.js';

interface MacroCase {
  expected: {
    rows: string[];
    coef: number[];
    se: number[];
    t: number[];
    p: number[];
    ci_lo: number[];
    ci_hi: number[];
    cov: number[][];
    r2?: number;
    rss?: number;
  };
}

function macroFit() {
  const { realgdp, realinv, realint } = golden.data;
  const growth = (x: number[]): number[] =>
    x.slice(1).map((value, t) => 400 * (Math.log(value) - Math.log(x[t]!)));
  // Slopes first and the constant last, as the published rows stand.
  const constant = Array.from({ length: realgdp.length - 1 }, () => 1);
  return ordinaryLeastSquares(growth(realinv), [growth(realgdp), realint.slice(0, -1), constant], false);
}

describe('ordinaryLeastSquares', () => {
  it('reaches NIST’s certified digits', () => {
    const {
      rows_y_x: rows,
      expected,
      tol_rel: rel,
    } = goldenCase<{
      rows_y_x: number[][];
      expected: { b: number[]; se: number[]; resid_sd: number; r2: number; F: number };
      tol_rel: number;
    }>(norris, 'Norris');
    const fit = ordinaryLeastSquares(
      rows.map((row) => row[0]!),
      [rows.map((row) => row[1]!)],
    );
    expectAllClose(fit.coefficients, expected.b, { rel });
    expectAllClose(fit.se, expected.se, { rel });
    expectClose(fit.residualDeviation, expected.resid_sd, { rel });
    expectClose(fit.rSquared, expected.r2, { rel });
    expectClose(fit.f, expected.F, { rel: 1e-9 });
    expect(fit.freedom).toBe(34);
  });

  it('recovers what was planted, whatever the scale', () => {
    const random = seededRandom(4);
    const x = Array.from({ length: 50 }, () => random.normal());
    const z = Array.from({ length: 50 }, () => random.normal() * 1e8);
    const y = x.map((value, i) => 3 - 2 * value + 5e-8 * z[i]!);
    const fit = ordinaryLeastSquares(y, [x, z]);
    expectAllClose(fit.coefficients, [3, -2, 5e-8], { rel: 1e-10 });
    expectClose(fit.rSquared, 1, { rel: 1e-12 });
  });

  it('says NaN where there is no single answer', () => {
    const x = [1, 2, 3, 4, 5];
    const twice = ordinaryLeastSquares([1, 3, 2, 5, 4], [x, x.map((v) => 2 * v)]);
    expect(twice.coefficients.every(Number.isNaN)).toBe(true);
    expect(twice.se.every(Number.isNaN)).toBe(true);
    const gap = ordinaryLeastSquares([1, 3, Number.NaN, 5, 4], [x]);
    expect(gap.coefficients.every(Number.isNaN)).toBe(true);
    const few = ordinaryLeastSquares([1], [[2]]);
    expect(few.coefficients.every(Number.isNaN)).toBe(true);
    expect(ordinaryLeastSquares([2, 2, 2, 2], [[1, 2, 3, 5]]).rSquared).toBeNaN();
    expect(() => ordinaryLeastSquares([1, 2], [[1]])).toThrow(RangeError);
  });
});

describe('neweyWestCovariance', () => {
  it.each([
    ['results_hc0', 0],
    ['results_newey4', 4],
  ] as const)('matches Stata: %s', (id, lag) => {
    const { expected } = goldenCase<MacroCase>(golden, id);
    const fit = macroFit();
    const rel = 1e-9;
    expectAllClose(fit.coefficients, expected.coef, { rel });
    if (expected.r2 !== undefined) {
      const squares = fit.residuals.reduce((sum, e) => sum + e * e, 0);
      expectClose(squares, expected.rss!, { rel });
    }
    const covariance = neweyWestCovariance(fit, lag);
    covariance.forEach((row, i) => {
      expectAllClose(row, expected.cov[i]!, { rel: 1e-9, abs: 1e-12 });
    });
    const critical = studentTQuantile(0.975, fit.freedom);
    fit.coefficients.forEach((b, i) => {
      const se = Math.sqrt(covariance[i]![i]!);
      expectClose(se, expected.se[i]!, { rel });
      expectClose(b / se, expected.t[i]!, { rel });
      expectClose(studentTTwoSided(b / se, fit.freedom), expected.p[i]!, { rel: 1e-8 });
      expectClose(b - critical * se, expected.ci_lo[i]!, { rel: 1e-8 });
      expectClose(b + critical * se, expected.ci_hi[i]!, { rel: 1e-8 });
    });
  });

  it('matches R sandwich', () => {
    const { expected } = goldenCase<{ expected: { cov: number[][] } }>(golden, 'R_sandwich_NW4_adjust');
    const covariance = neweyWestCovariance(macroFit(), 4);
    const order = [2, 0, 1];
    order.forEach((from, i) => {
      expectAllClose(
        order.map((to) => covariance[from]![to]!),
        expected.cov[i]!,
        { rel: 1e-8 },
      );
    });
  });

  it('has no answer when the lag reaches past the data', () => {
    const fit = ordinaryLeastSquares([1, 2, 4], []);
    expect(neweyWestCovariance(fit, 3)[0]![0]).toBeNaN();
    expect(() => neweyWestCovariance(fit, 0.5)).toThrow(RangeError);
  });
});
