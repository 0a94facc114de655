// Pearson's correlation and the significance of a correlation coefficient.

import { isConstant, mean } from './moments.js';
import { studentTTwoSided } from './student-t.js';

/** Refuses lists of different lengths: such a pair is a programming error, not missing data. */
export function assertSameLength(x: ArrayLike<number>, y: ArrayLike<number>): void {
  if (x.length !== y.length)
    throw new RangeError(`paired lists differ in length: ${x.length} and ${y.length}`);
}

/** Keeps the pairs in which neither side is NaN: the explicit way to correlate over gaps. */
export function completePairs(x: ArrayLike<number>, y: ArrayLike<number>): { x: number[]; y: number[] } {
  assertSameLength(x, y);
  const kept = { x: [] as number[], y: [] as number[] };
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(x[i]) || Number.isNaN(y[i])) continue;
    kept.x.push(x[i]!);
    kept.y.push(y[i]!);
  }
  return kept;
}

/** Deviations from the mean, scaled so that their squares neither overflow nor vanish. */
function scaledDeviations(values: ArrayLike<number>): Float64Array {
  const centre = mean(values);
  const deviations = Float64Array.from(values, (value) => value - centre);
  let largest = 0;
  for (const d of deviations) if (Math.abs(d) > largest) largest = Math.abs(d);
  // A power of two, so that the scaling itself rounds nothing.
  const scale = 2 ** Math.floor(Math.log2(largest));
  for (let i = 0; i < deviations.length; i += 1) deviations[i] = deviations[i]! / scale;
  return deviations;
}

/** Pearson's r; NaN when a side is constant, holds a NaN or an infinity, or has fewer than two values. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  assertSameLength(x, y);
  // A constant side has no direction: the answer is undefined and must not read as zero.
  if (x.length < 2 || isConstant(x) || isConstant(y)) return Number.NaN;
  const u = scaledDeviations(x);
  const v = scaledDeviations(y);
  let uv = 0;
  let uu = 0;
  let vv = 0;
  for (let i = 0; i < u.length; i += 1) {
    uv += u[i]! * v[i]!;
    uu += u[i]! * u[i]!;
    vv += v[i]! * v[i]!;
  }
  // One root of the product, not a product of roots: equal sides then give exactly one.
  return Math.max(-1, Math.min(1, uv / Math.sqrt(uu * vv)));
}

/** Two-sided p-value of a correlation over n pairs, by Student's t with n − 2 degrees of freedom. */
export function correlationPValue(r: number, n: number): number {
  if (Number.isNaN(r) || !(n > 2)) return Number.NaN;
  if (Math.abs(r) >= 1) return 0;
  return studentTTwoSided(r * Math.sqrt((n - 2) / ((1 - r) * (1 + r))), n - 2);
}
