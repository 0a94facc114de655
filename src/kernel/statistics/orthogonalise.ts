// Taking out of one list whatever another list explains.

import { assertSameLength } from './pearson.js';

/** v − u (u·v) / (u·u): what is left of v at right angles to u; NaN when u is all zero. */
export function orthogonalise(v: ArrayLike<number>, u: ArrayLike<number>): number[] {
  assertSameLength(v, u);
  let uv = 0;
  let uu = 0;
  for (let i = 0; i < v.length; i += 1) {
    uv += u[i]! * v[i]!;
    uu += u[i]! * u[i]!;
  }
  return Array.from(v, (value, i) => value - u[i]! * (uv / uu));
}
