// Benjamini, Krieger and Yekutieli's adaptive procedure, which first estimates how many tests are truly null.

import { benjaminiHochberg } from './multiple-testing.js';

/** How often to re-estimate the number of true nulls. */
export interface AdaptiveOptions {
  /** Repeat until the number of rejections no longer grows, instead of stopping after two stages. */
  readonly iterate?: boolean;
}

/** How many tests are rejected at false discovery rate q; NaN p-values count as 1. */
export function adaptiveRejections(p: ArrayLike<number>, q: number, options: AdaptiveOptions = {}): number {
  if (!(q > 0 && q < 1)) throw new RangeError(`q must lie between 0 and 1, got ${q}`);
  const size = p.length;
  const adjusted = benjaminiHochberg(p);
  const count = (level: number): number => adjusted.filter((value) => value <= level).length;
  const level = q / (1 + q);
  let rejected = count(level);
  for (;;) {
    if (rejected === 0 || rejected === size) return rejected;
    const next = count((level * size) / (size - rejected));
    if (options.iterate !== true || next <= rejected) return Math.max(next, rejected);
    rejected = next;
  }
}
