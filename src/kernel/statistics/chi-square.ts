// The chi-square distribution: both tails and quantile.

import { incompleteGamma, incompleteGammaComplement, logIncompleteGamma } from './incomplete-gamma.js';
import { positiveQuantile } from './quantile-solver.js';

/** P(X ≤ x) with the given degrees of freedom; zero below zero. */
export function chiSquareCdf(x: number, freedom: number): number {
  return incompleteGamma(freedom / 2, x < 0 ? 0 : x / 2);
}

/** P(X > x): the p-value of a chi-square statistic. */
export function chiSquareSurvival(x: number, freedom: number): number {
  return incompleteGammaComplement(freedom / 2, x < 0 ? 0 : x / 2);
}

/** The x with P(X ≤ x) = p. */
export function chiSquareQuantile(p: number, freedom: number): number {
  if (!(freedom > 0)) return Number.NaN;
  return 2 * positiveQuantile((logX) => logIncompleteGamma(freedom / 2, Math.exp(logX)), p);
}
