// The mean of an autocorrelated series with Newey and West's standard error.

import { isConstant, mean } from './moments.js';

/** A mean and how well it is known. */
export interface MeanTest {
  readonly mean: number;
  readonly se: number;
  readonly t: number;
  /** Number of observations. */
  readonly n: number;
}

/** A Newey-West mean with the lag it was computed at. */
export interface NeweyWestMean extends MeanTest {
  readonly lag: number;
}

/** The textbook lag floor(4 (T/100)^(2/9)); it knows nothing of overlapping windows, which need at least their overlap. */
export function defaultNeweyWestLag(n: number): number {
  // The nudge keeps exact powers from falling just below their whole number.
  return Math.floor(4 * (n / 100) ** (2 / 9) + 1e-9);
}

/** Σ e_t e_(t−lag). */
function laggedProduct(deviations: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < deviations.length; i += 1) sum += deviations[i]! * deviations[i - lag]!;
  return sum;
}

/**
 * Mean, Bartlett-weighted standard error and t. The values must stand in time order without gaps.
 * The factor n/(n−1) is included, so that lag 0 gives the ordinary standard error.
 * NaN for a gap, a constant series, fewer than two values, or a lag that reaches past the series.
 */
export function neweyWestMean(values: ArrayLike<number>, lag?: number): NeweyWestMean {
  const n = values.length;
  const used = lag ?? defaultNeweyWestLag(n);
  if (!Number.isInteger(used) || used < 0)
    throw new RangeError(`lag must be a whole number from 0, got ${used}`);
  const centre = mean(values);
  const undefinedError = { mean: centre, se: Number.NaN, t: Number.NaN, n, lag: used };
  if (n < 2 || used >= n || isConstant(values)) return undefinedError;
  const deviations = Float64Array.from(values, (value) => value - centre);
  let longRun = laggedProduct(deviations, 0);
  for (let l = 1; l <= used; l += 1) longRun += 2 * (1 - l / (used + 1)) * laggedProduct(deviations, l);
  // Bartlett weights keep the sum above zero up to rounding; below it there is no standard error.
  if (!(longRun > 0)) return undefinedError;
  const se = Math.sqrt(longRun / (n - 1) / n);
  return { mean: centre, se, t: centre / se, n, lag: used };
}

/** Kiefer and Vogelsang's 5 % two-sided critical value for a Bartlett t whose lag is the share b = (lag+1)/T of the sample. */
export function fixedBCriticalValue(b: number): number {
  if (!(b >= 0 && b <= 1)) return Number.NaN;
  return 1.96 + b * (2.9694 + b * (0.416 - b * 0.5324));
}
