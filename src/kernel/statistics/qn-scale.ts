// Rousseeuw and Croux's Qn: a scale from pairwise distances, robust to half the data being wild.

import { sortedCopy } from './order-statistics.js';

/** 1 / (√2 Φ⁻¹(5/8)): makes Qn estimate the standard deviation of normal data. */
const NORMAL_FACTOR = 2.219144465985076;

/** Croux and Rousseeuw's factors for n = 2 … 9. */
const SMALL_SAMPLE = [0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872] as const;

function sampleFactor(n: number): number {
  if (n < 10) return SMALL_SAMPLE[n - 2]!;
  return n % 2 === 1 ? n / (n + 1.4) : n / (n + 3.8);
}

/** How many pairs lie at most `limit` apart; the window's left end only ever moves right. */
function pairsWithin(sorted: Float64Array, limit: number): number {
  let count = 0;
  let left = 0;
  for (let right = 1; right < sorted.length; right += 1) {
    while (sorted[right]! - sorted[left]! > limit) left += 1;
    count += right - left;
  }
  return count;
}

/** The k-th smallest pairwise distance, by halving an interval of distances: linear memory, no list of pairs. */
function pairwiseOrderStatistic(sorted: Float64Array, k: number): number {
  if (pairsWithin(sorted, 0) >= k) return 0;
  let below = 0;
  let reached = sorted[sorted.length - 1]! - sorted[0]!;
  for (;;) {
    const middle = below + (reached - below) / 2;
    // Once no double lies between, the upper end is the distance itself.
    if (middle <= below || middle >= reached) return reached;
    if (pairsWithin(sorted, middle) >= k) reached = middle;
    else below = middle;
  }
}

/**
 * Qn, scaled to the standard deviation of normal data; with `finiteSample` also corrected for small n.
 * NaN for a NaN, an infinity or fewer than two values.
 */
export function qn(values: ArrayLike<number>, finiteSample = false): number {
  const n = values.length;
  const sorted = sortedCopy(values);
  if (sorted === undefined || n < 2) return Number.NaN;
  if (!Number.isFinite(sorted[n - 1]! - sorted[0]!)) return Number.NaN;
  const half = Math.floor(n / 2) + 1;
  const distance = pairwiseOrderStatistic(sorted, (half * (half - 1)) / 2);
  return NORMAL_FACTOR * distance * (finiteSample ? sampleFactor(n) : 1);
}
