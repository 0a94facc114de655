// Student's t distribution with real degrees of freedom: both tails and quantile.

import { type LogTails, logIncompleteBeta } from './incomplete-beta.js';
import { logGamma } from './log-gamma.js';
import { normalQuantile, normalSurvival } from './normal.js';
import { solveLogTails } from './quantile-solver.js';

/** Tails of |T| at |t|: lower = P(|T| ≤ |t|), upper = P(|T| > |t|), in logarithms. */
function magnitudeTails(magnitude: number, freedom: number): LogTails {
  if (magnitude > 1e100) {
    // t² overflows, but out here one term of the tail's expansion is exact.
    const logX = Math.log(freedom) - 2 * Math.log(magnitude);
    const half = freedom / 2;
    const logBeta = logGamma(half) + logGamma(0.5) - logGamma(half + 0.5);
    const upper = Math.min(0, half * logX - Math.log(half) - logBeta);
    return { lower: Math.log1p(-Math.exp(upper)), upper };
  }
  const square = magnitude * magnitude;
  const total = freedom + square;
  return logIncompleteBeta(0.5, freedom / 2, square / total, freedom / total);
}

/** P(T > t) with its own digits; infinite degrees of freedom are the normal distribution. */
export function studentTSurvival(t: number, freedom: number): number {
  if (Number.isNaN(t) || !(freedom > 0)) return Number.NaN;
  if (freedom === Number.POSITIVE_INFINITY) return normalSurvival(t);
  if (!Number.isFinite(t)) return t > 0 ? 0 : 1;
  const outside = 0.5 * Math.exp(magnitudeTails(Math.abs(t), freedom).upper);
  return t >= 0 ? outside : 1 - outside;
}

/** P(T ≤ t). */
export function studentTCdf(t: number, freedom: number): number {
  return studentTSurvival(-t, freedom);
}

/** P(|T| ≥ |t|): the two-sided p-value of a t statistic. */
export function studentTTwoSided(t: number, freedom: number): number {
  return 2 * studentTSurvival(Math.abs(t), freedom);
}

/** The t with P(T ≤ t) = p; ±Infinity at the ends, NaN outside [0, 1] or for freedom not above zero. */
export function studentTQuantile(p: number, freedom: number): number {
  if (!(p >= 0 && p <= 1) || !(freedom > 0)) return Number.NaN;
  if (freedom === Number.POSITIVE_INFINITY) return normalQuantile(p);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  if (p === 0.5) return 0;
  const outside = 2 * Math.min(p, 1 - p);
  const inside = 2 * Math.abs(p - 0.5);
  const tails = (logT: number): LogTails => magnitudeTails(Math.exp(logT), freedom);
  const magnitude = Math.exp(solveLogTails(tails, Math.log(inside), Math.log(outside)));
  return p < 0.5 ? -magnitude : magnitude;
}
