// Kendall's tau-b and tau-c in O(n log n), and the exact p-value of an untied tau.

import { assertSameLength } from './pearson.js';

/** Pair counts that every form of tau is made from. */
interface PairCounts {
  readonly concordantMinusDiscordant: number;
  readonly pairs: number;
  readonly tiedX: number;
  readonly tiedY: number;
  readonly levelsX: number;
  readonly levelsY: number;
}

function tiesOf(sorted: ArrayLike<number>): { tied: number; levels: number } {
  let tied = 0;
  let levels = 0;
  let start = 0;
  while (start < sorted.length) {
    let end = start + 1;
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1;
    tied += ((end - start) * (end - start - 1)) / 2;
    levels += 1;
    start = end;
  }
  return { tied, levels };
}

/** Sorts in place and returns how many pairs stood in the wrong order: the exchanges of a bubble sort. */
function sortCountingExchanges(values: Float64Array): number {
  let exchanges = 0;
  let from = values;
  let into: Float64Array = new Float64Array(values.length);
  for (let width = 1; width < values.length; width *= 2) {
    for (let left = 0; left < values.length; left += 2 * width) {
      const middle = Math.min(left + width, values.length);
      const end = Math.min(left + 2 * width, values.length);
      let i = left;
      let j = middle;
      for (let k = left; k < end; k += 1) {
        if (j >= end || (i < middle && from[i]! <= from[j]!)) {
          into[k] = from[i]!;
          i += 1;
        } else {
          into[k] = from[j]!;
          j += 1;
          exchanges += middle - i;
        }
      }
    }
    [from, into] = [into, from];
  }
  if (from !== values) values.set(from);
  return exchanges;
}

function countPairs(x: ArrayLike<number>, y: ArrayLike<number>): PairCounts | undefined {
  assertSameLength(x, y);
  const n = x.length;
  if (n < 2) return undefined;
  for (let i = 0; i < n; i += 1) if (Number.isNaN(x[i]) || Number.isNaN(y[i])) return undefined;
  const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  order.sort((i, j) => compare(x[i]!, x[j]!) || compare(y[i]!, y[j]!));
  const sortedX = Float64Array.from(order, (i) => x[i]!);
  const orderedY = Float64Array.from(order, (i) => y[i]!);
  let tiedBoth = 0;
  let run = 1;
  for (let i = 1; i <= n; i += 1) {
    if (i < n && sortedX[i] === sortedX[i - 1] && orderedY[i] === orderedY[i - 1]) {
      run += 1;
    } else {
      tiedBoth += (run * (run - 1)) / 2;
      run = 1;
    }
  }
  const discordant = sortCountingExchanges(orderedY);
  const ofX = tiesOf(sortedX);
  const ofY = tiesOf(orderedY);
  const pairs = (n * (n - 1)) / 2;
  return {
    concordantMinusDiscordant: pairs - ofX.tied - ofY.tied + tiedBoth - 2 * discordant,
    pairs,
    tiedX: ofX.tied,
    tiedY: ofY.tied,
    levelsX: ofX.levels,
    levelsY: ofY.levels,
  };
}

/** Tau-b, corrected for ties; NaN when a side is constant, holds a NaN, or has fewer than two values. */
export function kendallTau(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const counts = countPairs(x, y);
  if (counts === undefined || counts.levelsX < 2 || counts.levelsY < 2) return Number.NaN;
  const { concordantMinusDiscordant, pairs, tiedX, tiedY } = counts;
  return concordantMinusDiscordant / Math.sqrt(pairs - tiedX) / Math.sqrt(pairs - tiedY);
}

/** Stuart's tau-c, for tables that are not square. */
export function kendallTauC(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const counts = countPairs(x, y);
  if (counts === undefined) return Number.NaN;
  const levels = Math.min(counts.levelsX, counts.levelsY);
  if (levels < 2) return Number.NaN;
  return (2 * counts.concordantMinusDiscordant * levels) / (x.length ** 2 * (levels - 1));
}

/** Exact two-sided p-value by counting permutations; NaN when there are ties, where that law does not hold. */
export function kendallExactP(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const counts = countPairs(x, y);
  if (counts === undefined || counts.tiedX > 0 || counts.tiedY > 0) return Number.NaN;
  const { pairs } = counts;
  const discordant = (pairs - counts.concordantMinusDiscordant) / 2;
  const extreme = Math.min(discordant, pairs - discordant);
  // share[c] = probability of exactly c discordant pairs, grown one value at a time.
  let share = new Float64Array(extreme + 1);
  share[0] = 1;
  for (let size = 2; size <= x.length; size += 1) {
    const grown = new Float64Array(extreme + 1);
    let window = 0;
    for (let c = 0; c <= extreme; c += 1) {
      window += share[c]!;
      if (c >= size) window -= share[c - size]!;
      grown[c] = window / size;
    }
    share = grown;
  }
  let tail = 0;
  for (const part of share) tail += part;
  return Math.min(1, 2 * tail);
}
