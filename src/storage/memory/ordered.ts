// Seeks in lists that are kept in order.

/** Position of the first element for which `isAfter` holds; it holds for all that follow. */
export function firstAfter<T>(sorted: readonly T[], isAfter: (element: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
