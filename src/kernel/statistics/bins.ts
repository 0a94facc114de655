// Cutting a cross-section into bins, and averaging what follows within them.

import { mean } from './moments.js';
import { averageRanks } from './ranks.js';

/** Bins 1 … count of equal width between the least and the greatest value, closed above; NaN for NaN and constants. */
export function equalWidthBins(values: ArrayLike<number>, count: number): number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    if (values[i]! < low) low = values[i]!;
    if (values[i]! > high) high = values[i]!;
  }
  return Array.from(values, (value) => {
    if (Number.isNaN(value) || !(high > low)) return Number.NaN;
    return Math.min(count, Math.max(1, Math.ceil(((value - low) / (high - low)) * count)));
  });
}

/** Bins 1 … count of as near equal size as ties allow: tied values always fall into one bin. All NaN when any is. */
export function equalCountBins(values: ArrayLike<number>, count: number): number[] {
  return averageRanks(values).map((rank) =>
    Math.min(count, Math.floor(((rank - 0.5) / values.length) * count) + 1),
  );
}

/**
 * The mean of the values in each bin per row, then over rows: every date counts alike, however many names it has.
 * Rows where a bin is empty are left out of that bin's mean; pairs with a NaN are left out of their row.
 */
export function binnedMeans(
  binRows: readonly ArrayLike<number>[],
  valueRows: readonly ArrayLike<number>[],
  count: number,
): number[] {
  if (binRows.length !== valueRows.length)
    throw new RangeError('bins and values differ in their number of rows');
  const perBin: number[][] = Array.from({ length: count }, () => []);
  binRows.forEach((bins, row) => {
    const members: number[][] = Array.from({ length: count }, () => []);
    for (let i = 0; i < bins.length; i += 1) {
      const value = valueRows[row]![i]!;
      if (!Number.isNaN(value)) members[bins[i]! - 1]?.push(value);
    }
    members.forEach((list, bin) => {
      if (list.length > 0) perBin[bin]!.push(mean(list));
    });
  });
  return perBin.map((list) => mean(list));
}
