// The non-central t distribution and the power of t tests, by integrating over the estimated scale.

import { normalSurvival } from './normal.js';
import { logPoissonMass } from './saddle-point.js';
import { studentTQuantile } from './student-t.js';

/** Which departures from zero the test looks for. */
export type Alternative = 'two-sided' | 'greater' | 'less';

/** Where the log density of log s, v (w + (1 − e^(2w)) / 2), has fallen by 45 from its peak at w = 0. */
function edge(freedom: number, side: -1 | 1): number {
  const drop = (w: number): number => -freedom * (w + (1 - Math.exp(2 * w)) / 2);
  let near = 0;
  let far: number = side;
  while (drop(far) < 45) far *= 2;
  for (let step = 0; step < 40; step += 1) {
    const middle = (near + far) / 2;
    if (drop(middle) < 45) near = middle;
    else far = middle;
  }
  return far;
}

/**
 * P(T > t) for T = (Z + ncp) / s, as the mean of P(Z > t·s − ncp) over s = √(χ²/v).
 * Every term is positive, so small powers keep their digits; the plain trapezium rule on log s converges
 * faster than any power of the step because the integrand is smooth and dies out on both sides.
 */
export function nonCentralTSurvival(t: number, freedom: number, ncp: number): number {
  if (Number.isNaN(t) || Number.isNaN(ncp) || !(freedom > 0)) return Number.NaN;
  if (freedom === Number.POSITIVE_INFINITY) return normalSurvival(t - ncp);
  if (!Number.isFinite(t)) return t > 0 ? 0 : 1;
  const from = edge(freedom, -1);
  const to = edge(freedom, 1);
  const width = Math.min(1 / Math.sqrt(2 * freedom), 1 / (1 + Math.abs(ncp)), 1 / (1 + Math.abs(t)));
  const steps = Math.min(200_000, Math.max(64, Math.ceil((6 * (to - from)) / width)));
  const step = (to - from) / steps;
  const peak = Math.log(freedom) + logPoissonMass(freedom / 2, freedom / 2);
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const w = from + i * step;
    const logDensity = peak + freedom * (w - Math.expm1(2 * w) / 2);
    sum += Math.exp(logDensity) * normalSurvival(t * Math.exp(w) - ncp);
  }
  return Math.min(1, sum * step);
}

/** P(T ≤ t); by symmetry the upper tail of the mirrored problem, so it too keeps its digits. */
export function nonCentralTCdf(t: number, freedom: number, ncp: number): number {
  return nonCentralTSurvival(-t, freedom, -ncp);
}

/** Chance that a t test at level alpha rejects when the true effect is `ncp` standard errors. */
export function nonCentralTPower(
  ncp: number,
  freedom: number,
  alpha = 0.05,
  alternative: Alternative = 'two-sided',
): number {
  if (!(alpha > 0 && alpha < 1)) return Number.NaN;
  if (alternative === 'two-sided') {
    const critical = -studentTQuantile(alpha / 2, freedom);
    return nonCentralTSurvival(critical, freedom, ncp) + nonCentralTCdf(-critical, freedom, ncp);
  }
  const critical = -studentTQuantile(alpha, freedom);
  return alternative === 'greater'
    ? nonCentralTSurvival(critical, freedom, ncp)
    : nonCentralTCdf(-critical, freedom, ncp);
}

/** The effect a two-sided test detects with the given power, in the units of the standard error. */
export function minimumDetectableEffect(se: number, freedom: number, alpha = 0.05, power = 0.8): number {
  return (studentTQuantile(1 - alpha / 2, freedom) + studentTQuantile(power, freedom)) * se;
}
