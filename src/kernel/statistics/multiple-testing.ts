// P-values adjusted for having run many tests at once.

/** Rank (1 = smallest) and p-value of one test, with the number of tests in the family. */
type Inflate = (p: number, rank: number, total: number) => number;

/** The order of the usable p-values, upwards; NaN stands for a test without a result. */
function ascending(p: ArrayLike<number>): number[] {
  const order: number[] = [];
  for (let i = 0; i < p.length; i += 1) {
    const value = p[i]!;
    if (Number.isNaN(value)) continue;
    if (value < 0 || value > 1) throw new RangeError(`a p-value must lie in [0, 1], got ${value}`);
    order.push(i);
  }
  return order.sort((i, j) => p[i]! - p[j]!);
}

function familySize(p: ArrayLike<number>, total: number | undefined): number {
  const size = total ?? p.length;
  if (!(size >= p.length)) throw new RangeError(`a family of ${size} cannot hold ${p.length} tests`);
  return size;
}

/** From the largest p down, each adjusted value at most the one above it. */
function stepUp(p: ArrayLike<number>, total: number | undefined, inflate: Inflate): number[] {
  const size = familySize(p, total);
  const adjusted = Array.from({ length: p.length }, () => Number.NaN);
  const order = ascending(p);
  let bound = 1;
  for (let rank = order.length; rank >= 1; rank -= 1) {
    const i = order[rank - 1]!;
    bound = Math.min(bound, inflate(p[i]!, rank, size));
    adjusted[i] = bound;
  }
  return adjusted;
}

/** From the smallest p up, each adjusted value at least the one below it. */
function stepDown(p: ArrayLike<number>, total: number | undefined, inflate: Inflate): number[] {
  const size = familySize(p, total);
  const adjusted = Array.from({ length: p.length }, () => Number.NaN);
  let bound = 0;
  ascending(p).forEach((i, index) => {
    bound = Math.min(1, Math.max(bound, inflate(p[i]!, index + 1, size)));
    adjusted[i] = bound;
  });
  return adjusted;
}

/**
 * Benjamini and Hochberg's step-up values, controlling the false discovery rate under independence.
 * In this and the functions below a NaN stays NaN but counts in the family as a test with p = 1, and `total`
 * may name a larger family, whose absent members count the same way.
 */
export function benjaminiHochberg(p: ArrayLike<number>, total?: number): number[] {
  return stepUp(p, total, (value, rank, size) => (value * size) / rank);
}

/** Benjamini and Yekutieli's values: Benjamini and Hochberg's times Σ 1/i, valid under any dependence. */
export function benjaminiYekutieli(p: ArrayLike<number>, total?: number): number[] {
  const size = familySize(p, total);
  let harmonic = 0;
  for (let i = size; i >= 1; i -= 1) harmonic += 1 / i;
  return stepUp(p, total, (value, rank) => (value * size * harmonic) / rank);
}

/** Holm's step-down values, controlling the chance of any false claim under any dependence. */
export function holm(p: ArrayLike<number>, total?: number): number[] {
  return stepDown(p, total, (value, rank, size) => value * (size - rank + 1));
}

/** Hochberg's step-up values: Holm's factors from the other end, for independent tests. */
export function hochberg(p: ArrayLike<number>, total?: number): number[] {
  return stepUp(p, total, (value, rank, size) => value * (size - rank + 1));
}

/** Bonferroni's single-step values. */
export function bonferroni(p: ArrayLike<number>, total?: number): number[] {
  return stepDown(p, total, (value, _rank, size) => value * size);
}

/** Šidák's step-down values 1 − (1 − p)^(m − rank + 1); written with expm1 so tiny p survive. */
export function holmSidak(p: ArrayLike<number>, total?: number): number[] {
  return stepDown(p, total, (value, rank, size) => -Math.expm1((size - rank + 1) * Math.log1p(-value)));
}

/** Šidák's single-step values 1 − (1 − p)^m. */
export function sidak(p: ArrayLike<number>, total?: number): number[] {
  return stepDown(p, total, (value, _rank, size) => -Math.expm1(size * Math.log1p(-value)));
}
