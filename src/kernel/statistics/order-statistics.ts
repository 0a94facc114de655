// Median and type-7 quantiles, for raw and for already sorted values.

/** A sorted copy, or undefined when a NaN makes any order meaningless. */
export function sortedCopy(values: ArrayLike<number>): Float64Array | undefined {
  const copy = new Float64Array(values.length);
  for (let i = 0; i < copy.length; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) return undefined;
    copy[i] = value;
  }
  return copy.sort();
}

/** The explicit way to leave gaps out: every function here otherwise answers NaN to a NaN. */
export function withoutNaN(values: ArrayLike<number>): number[] {
  const kept: number[] = [];
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (!Number.isNaN(value)) kept.push(value);
  }
  return kept;
}

/** Quantile of values sorted upwards, linear between order statistics (Hyndman and Fan type 7). */
export function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0 || !(probability >= 0 && probability <= 1)) return Number.NaN;
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const weight = position - below;
  const low = sorted[below]!;
  if (weight === 0) return low;
  const high = sorted[below + 1]!;
  // Two equal infinities must not become NaN, and a wide pair must not overflow.
  return low === high ? low : low * (1 - weight) + high * weight;
}

/** Type-7 quantile; NaN when any value is NaN, when there are none, or when the probability is not in [0, 1]. */
export function quantile(values: ArrayLike<number>, probability: number): number {
  const sorted = sortedCopy(values);
  return sorted === undefined ? Number.NaN : quantileOfSorted(sorted, probability);
}

/** Several quantiles for the price of one sort. */
export function quantiles(values: ArrayLike<number>, probabilities: readonly number[]): number[] {
  const sorted = sortedCopy(values);
  return probabilities.map((p) => (sorted === undefined ? Number.NaN : quantileOfSorted(sorted, p)));
}

/** The middle value, or the mean of the two middle values; NaN when any value is NaN or there are none. */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** Upper quartile minus lower quartile, both type 7. */
export function interquartileRange(values: ArrayLike<number>): number {
  const sorted = sortedCopy(values);
  if (sorted === undefined) return Number.NaN;
  return quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
}
