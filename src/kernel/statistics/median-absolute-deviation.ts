// The median absolute deviation and its scalings to the normal standard deviation.

import { median } from './order-statistics.js';

/** 1 / Φ⁻¹(3/4): multiplies a raw MAD into an estimate of the standard deviation of normal data. */
export const NORMAL_MAD_FACTOR = 1.482602218505602;

/** 2 Φ⁻¹(3/4): divides an interquartile range into an estimate of the standard deviation of normal data. */
export const NORMAL_IQR_DIVISOR = 1.3489795003921634;

/**
 * Median of |x − median|, times the factor (1 = raw, NORMAL_MAD_FACTOR = comparable to a standard deviation).
 * NaN when any value is NaN or there are none; zero when half the values agree, which callers must not divide by.
 */
export function mad(values: ArrayLike<number>, factor = 1): number {
  const centre = median(values);
  if (Number.isNaN(centre)) return Number.NaN;
  const deviations = new Float64Array(values.length);
  // A value equal to an infinite centre lies at distance zero, although ∞ − ∞ says NaN.
  for (let i = 0; i < deviations.length; i += 1) {
    const value = values[i]!;
    deviations[i] = value === centre ? 0 : Math.abs(value - centre);
  }
  return factor * median(deviations);
}
