// White's and Newey and West's covariance of least-squares coefficients.

import type { LeastSquares } from './ordinary-least-squares.js';

/** Multiplies two small square matrices. */
function multiply(a: readonly number[][], b: readonly number[][]): number[][] {
  return a.map((row) => b.map((_, j) => row.reduce((sum, value, m) => sum + value * b[m]![j]!, 0)));
}

/**
 * Bartlett-weighted covariance of the coefficients, times n/(n−k); lag 0 is White's.
 * Rows must stand in time order without gaps.
 */
export function neweyWestCovariance(fit: LeastSquares, lag: number): number[][] {
  if (!Number.isInteger(lag) || lag < 0)
    throw new RangeError(`lag must be a whole number from 0, got ${lag}`);
  const { design, residuals, n, freedom, inverseGram } = fit;
  if (lag >= n || freedom <= 0) return design.map(() => design.map(() => Number.NaN));
  const scores = design.map((column) => column.map((x, t) => x * residuals[t]!));
  const meat = scores.map((a) =>
    scores.map((b) => {
      let sum = 0;
      for (let l = 0; l <= lag; l += 1) {
        const weight = 1 - l / (lag + 1);
        // Both orders of the lagged product, so that the matrix is symmetric.
        for (let t = l; t < n; t += 1) {
          const forward = a[t]! * b[t - l]!;
          sum += l === 0 ? forward : weight * (forward + a[t - l]! * b[t]!);
        }
      }
      return sum;
    }),
  );
  const sandwich = multiply(multiply(inverseGram, meat), inverseGram);
  return sandwich.map((row) => row.map((value) => (value * n) / freedom));
}
