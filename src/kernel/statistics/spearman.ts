// Spearman's rank correlation: Pearson's r of average ranks.

import { assertSameLength, pearson } from './pearson.js';
import { averageRanks } from './ranks.js';

/** Spearman's rho with ties averaged; NaN when a side is constant, holds a NaN, or has fewer than two values. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number {
  assertSameLength(x, y);
  return pearson(averageRanks(x), averageRanks(y));
}
