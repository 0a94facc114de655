// Ranks with ties averaged, and what is built from them.

import { normalQuantile } from './normal.js';

/** The order that sorts the values upwards. */
export function sortingOrder(values: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i += 1) order[i] = i;
  return order.sort((i, j) => values[i]! - values[j]! || (values[i]! < values[j]! ? -1 : 0));
}

/** Ranks from 1 to n; tied values share the mean of their places. All NaN when any value is NaN. */
export function averageRanks(values: ArrayLike<number>): number[] {
  const n = values.length;
  const ranks = Array.from({ length: n }, () => Number.NaN);
  for (let i = 0; i < n; i += 1) if (Number.isNaN(values[i])) return ranks;
  const order = sortingOrder(values);
  let start = 0;
  while (start < n) {
    let end = start + 1;
    while (end < n && values[order[end]!] === values[order[start]!]) end += 1;
    const shared = (start + 1 + end) / 2;
    for (let i = start; i < end; i += 1) ranks[order[i]!] = shared;
    start = end;
  }
  return ranks;
}

/** Ranks as fractions (rank − ½) / n, which never touch 0 or 1. */
export function rankFractions(values: ArrayLike<number>): number[] {
  return averageRanks(values).map((rank) => (rank - 0.5) / values.length);
}

/** Rank fractions pushed through the normal quantile: normal scores with ties kept. */
export function normalScores(values: ArrayLike<number>): number[] {
  return rankFractions(values).map((fraction) => normalQuantile(fraction));
}

/** sign(x) |x|^power: stretches tails without losing the side. */
export function signedPower(values: ArrayLike<number>, power: number): number[] {
  return Array.from(values, (x) => Math.sign(x) * Math.abs(x) ** power);
}
