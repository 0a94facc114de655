// Fisher's F distribution: both tails and quantile.

import { type LogTails, logIncompleteBeta } from './incomplete-beta.js';
import { positiveQuantile } from './quantile-solver.js';

function fTails(x: number, numerator: number, denominator: number): LogTails {
  if (x === Number.POSITIVE_INFINITY) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  const scaled = x < 0 ? 0 : numerator * x;
  const total = scaled + denominator;
  return logIncompleteBeta(numerator / 2, denominator / 2, scaled / total, denominator / total);
}

/** P(X ≤ x) with the given degrees of freedom above and below; zero below zero. */
export function fCdf(x: number, numerator: number, denominator: number): number {
  return Math.exp(fTails(x, numerator, denominator).lower);
}

/** P(X > x): the p-value of an F statistic. */
export function fSurvival(x: number, numerator: number, denominator: number): number {
  return Math.exp(fTails(x, numerator, denominator).upper);
}

/** The x with P(X ≤ x) = p. */
export function fQuantile(p: number, numerator: number, denominator: number): number {
  if (!(numerator > 0 && denominator > 0)) return Number.NaN;
  return positiveQuantile((logX) => fTails(Math.exp(logX), numerator, denominator), p);
}
