// Tails of count distributions in log space, so that surprises far beyond 1e-300 still have a size.

import { logIncompleteBeta } from './incomplete-beta.js';
import { logIncompleteGamma } from './incomplete-gamma.js';

/** A tail probability at three scales; the first may underflow to zero where the others still carry it. */
export interface TailProbability {
  readonly p: number;
  readonly logP: number;
  /** −log10 of the probability, never negative. */
  readonly negLog10: number;
}

function fromLog(logP: number): TailProbability {
  // Adding zero turns −0 into 0, which would otherwise leak into printed output.
  return { p: Math.exp(logP), logP: logP + 0, negLog10: -logP / Math.LN10 + 0 };
}

/** P(X ≥ x) for a Poisson count; x is rounded up, since a count cannot lie between whole numbers. */
export function poissonUpperTail(x: number, mean: number): TailProbability {
  if (Number.isNaN(x) || !(mean >= 0) || mean === Infinity) return fromLog(Number.NaN);
  const threshold = Math.ceil(x);
  if (threshold <= 0) return fromLog(0);
  if (mean === 0 || threshold === Infinity) return fromLog(Number.NEGATIVE_INFINITY);
  return fromLog(logIncompleteGamma(threshold, mean).lower);
}

/**
 * P(X ≥ x) for a negative binomial with the given mean and dispersion r (variance = mean + mean²/r).
 * An infinite dispersion is Poisson; a mean below zero or a dispersion not above zero is NaN.
 */
export function negativeBinomialUpperTail(x: number, mean: number, dispersion: number): TailProbability {
  if (dispersion === Infinity) return poissonUpperTail(x, mean);
  if (Number.isNaN(x) || !(mean >= 0) || mean === Infinity || !(dispersion > 0)) return fromLog(Number.NaN);
  const threshold = Math.ceil(x);
  if (threshold <= 0) return fromLog(0);
  if (mean === 0 || threshold === Infinity) return fromLog(Number.NEGATIVE_INFINITY);
  // Each side divided on its own: one minus the other would lose a small share.
  const total = mean + dispersion;
  return fromLog(logIncompleteBeta(threshold, dispersion, mean / total, dispersion / total).lower);
}

/** P(X ≤ x) for a Poisson count: how unusually quiet x is. */
export function poissonLowerTail(x: number, mean: number): TailProbability {
  if (Number.isNaN(x) || !(mean >= 0) || mean === Infinity) return fromLog(Number.NaN);
  const limit = Math.floor(x);
  if (limit < 0) return fromLog(Number.NEGATIVE_INFINITY);
  if (mean === 0 || limit === Infinity) return fromLog(0);
  return fromLog(logIncompleteGamma(limit + 1, mean).upper);
}

/** P(X ≤ x) for a negative binomial, with the same parameters as its upper tail. */
export function negativeBinomialLowerTail(x: number, mean: number, dispersion: number): TailProbability {
  if (dispersion === Infinity) return poissonLowerTail(x, mean);
  if (Number.isNaN(x) || !(mean >= 0) || mean === Infinity || !(dispersion > 0)) return fromLog(Number.NaN);
  const limit = Math.floor(x);
  if (limit < 0) return fromLog(Number.NEGATIVE_INFINITY);
  if (mean === 0 || limit === Infinity) return fromLog(0);
  const total = mean + dispersion;
  return fromLog(logIncompleteBeta(limit + 1, dispersion, mean / total, dispersion / total).upper);
}
