// Winsorising: values beyond a bound are moved to it rather than dropped.

import { quantileOfSorted, sortedCopy, withoutNaN } from './order-statistics.js';

/** Moves values into [low, high]; a NaN stays where it is. */
export function winsoriseTo(values: ArrayLike<number>, low: number, high: number): number[] {
  if (!(low <= high)) throw new RangeError(`bounds must be ordered, got ${low} and ${high}`);
  return Array.from(values, (value) => (value < low ? low : value > high ? high : value));
}

/**
 * Moves values into the range between two of their own quantiles (type 7).
 * A NaN stays where it is and plays no part in the quantiles.
 * The bounds use the whole list, so in a history pass only what was known at the time.
 */
export function winsorise(values: ArrayLike<number>, lower: number, upper: number): number[] {
  if (!(lower >= 0 && lower <= upper && upper <= 1)) {
    throw new RangeError(`probabilities must satisfy 0 <= lower <= upper <= 1, got ${lower} and ${upper}`);
  }
  const sorted = sortedCopy(withoutNaN(values));
  if (sorted === undefined || sorted.length === 0) return Array.from(values);
  return winsoriseTo(values, quantileOfSorted(sorted, lower), quantileOfSorted(sorted, upper));
}
