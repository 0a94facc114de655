// Outliers of a series replaced by NaN, by McCracken and Ng's rule.

import { quantileOfSorted, sortedCopy, withoutNaN } from './order-statistics.js';

/**
 * A copy in which every value further than `multiple` interquartile ranges from the median is NaN.
 * NaN entries stay and play no part in the quartiles. When the range is zero nothing is removed:
 * such a series has no scale to be an outlier on.
 */
export function removeOutliers(values: ArrayLike<number>, multiple = 10): number[] {
  const sorted = sortedCopy(withoutNaN(values));
  if (sorted === undefined || sorted.length === 0) return Array.from(values);
  const centre = quantileOfSorted(sorted, 0.5);
  const range = quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
  if (!(range > 0)) return Array.from(values);
  return Array.from(values, (value) => (Math.abs(value - centre) > multiple * range ? Number.NaN : value));
}
