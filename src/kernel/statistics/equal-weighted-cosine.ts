// The equal-weighted cosine test of a mean, which stays honest when observations overlap.

import { isConstant, mean } from './moments.js';
import type { MeanTest } from './newey-west.js';
import { studentTTwoSided } from './student-t.js';

/** An EWC test: t is compared with Student's t on `terms` degrees of freedom. */
export interface CosineMean extends MeanTest {
  readonly terms: number;
  readonly p: number;
  /** How many independent observations would give the same standard error. */
  readonly effectiveN: number;
}

/** How long each observation's window is, or directly how many cosines to use. */
export interface CosineOptions {
  /** Number of steps that neighbouring observations share, at least 1. */
  readonly horizon?: number;
  readonly terms?: number;
}

/** min(⌊0.4 T^(2/3)⌋, max(4, ⌊T / 2H⌋)): fewer cosines for longer overlaps. */
export function cosineTerms(n: number, horizon = 1): number {
  // Through the cube root, because T ** (2/3) misses exact cubes.
  const smooth = Math.floor(0.4 * Math.cbrt(n) ** 2 + 1e-9);
  return Math.min(smooth, Math.max(4, Math.floor(n / (2 * horizon))));
}

/** Σ √(2/T) cos(πj(t − ½)/T) e_t. */
function cosineProjection(deviations: Float64Array, j: number): number {
  const n = deviations.length;
  let sum = 0;
  for (let t = 0; t < n; t += 1) {
    // The product j(2t+1) is reduced in whole numbers first: the cosine of a large float loses digits.
    sum += Math.cos((Math.PI * ((j * (2 * t + 1)) % (4 * n))) / (2 * n)) * deviations[t]!;
  }
  return Math.sqrt(2 / n) * sum;
}

/**
 * Lazarus, Lewis, Stock and Watson's test that the mean is zero. Values must stand in time order without gaps.
 * With T − 1 terms it is the ordinary t test. NaN for a gap, a constant series or no room for a term.
 */
export function equalWeightedCosine(values: ArrayLike<number>, options: CosineOptions = {}): CosineMean {
  const n = values.length;
  const horizon = options.horizon ?? 1;
  if (!(horizon >= 1)) throw new RangeError(`horizon must be at least 1, got ${horizon}`);
  const terms = options.terms ?? cosineTerms(n, horizon);
  if (!Number.isInteger(terms) || terms < 0)
    throw new RangeError(`terms must be a whole number, got ${terms}`);
  const centre = mean(values);
  const none = Number.NaN;
  if (terms < 1 || terms > n - 1 || isConstant(values)) {
    return { mean: centre, se: none, t: none, n, terms, p: none, effectiveN: none };
  }
  const deviations = Float64Array.from(values, (value) => value - centre);
  let longRun = 0;
  for (let j = 1; j <= terms; j += 1) longRun += cosineProjection(deviations, j) ** 2;
  const se = Math.sqrt(longRun / terms / n);
  let squares = 0;
  for (const d of deviations) squares += d * d;
  const naiveSquare = squares / (n - 1) / n;
  const t = centre / se;
  return {
    mean: centre,
    se,
    t,
    n,
    terms,
    p: studentTTwoSided(t, terms),
    effectiveN: (n * naiveSquare) / (se * se),
  };
}
