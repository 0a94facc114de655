// Ordinary least squares by Householder reflections, which keeps the digits that normal equations square away.

import { fSurvival } from './f-distribution.js';
import { isConstant, mean } from './moments.js';
import { studentTTwoSided } from './student-t.js';

/** A fitted line; every statistic is NaN when the columns are dependent, hold a NaN, or outnumber the rows. */
export interface LeastSquares {
  /** The intercept first, unless it was turned off. */
  readonly coefficients: number[];
  readonly se: number[];
  readonly t: number[];
  readonly p: number[];
  /** (XᵀX)⁻¹, row by row: what every covariance of the coefficients is made from. */
  readonly inverseGram: number[][];
  readonly residuals: number[];
  /** The columns as fitted, the constant included. */
  readonly design: number[][];
  readonly residualDeviation: number;
  readonly rSquared: number;
  readonly f: number;
  readonly fPValue: number;
  readonly n: number;
  readonly freedom: number;
}

/** Upper triangle of QR in `a` (columns), with Qᵀy in `y`; false when a column adds nothing new. */
function triangularise(a: Float64Array[], y: Float64Array): boolean {
  for (let k = 0; k < a.length; k += 1) {
    const column = a[k]!;
    let whole = 0;
    for (const value of column) whole = Math.hypot(whole, value);
    let norm = 0;
    for (let i = k; i < y.length; i += 1) norm = Math.hypot(norm, column[i]!);
    if (!(norm > 1e-13 * whole)) return false;
    if (column[k]! > 0) norm = -norm;
    const reflector = column.slice(k).map((value) => value / -norm);
    reflector[0] = reflector[0]! + 1;
    for (const target of [...a.slice(k), y]) {
      let dot = 0;
      for (let i = k; i < y.length; i += 1) dot += reflector[i - k]! * target[i]!;
      const factor = dot / reflector[0]!;
      for (let i = k; i < y.length; i += 1) target[i] = target[i]! - factor * reflector[i - k]!;
    }
  }
  return true;
}

function solveUpper(r: Float64Array[], right: ArrayLike<number>): number[] {
  const x = Array.from({ length: r.length }, () => 0);
  for (let i = r.length - 1; i >= 0; i -= 1) {
    let value = right[i]!;
    for (let j = i + 1; j < r.length; j += 1) value -= r[j]![i]! * x[j]!;
    x[i] = value / r[i]![i]!;
  }
  return x;
}

/** (RᵀR)⁻¹ = R⁻¹R⁻ᵀ from the columns of R⁻¹. */
function invertGram(r: Float64Array[]): number[][] {
  const k = r.length;
  const columns = r.map((_, j) =>
    solveUpper(
      r,
      r.map((_column, i) => (i === j ? 1 : 0)),
    ),
  );
  return r.map((_, i) =>
    r.map((_column, j) => {
      let sum = 0;
      for (let m = Math.max(i, j); m < k; m += 1) sum += columns[m]![i]! * columns[m]![j]!;
      return sum;
    }),
  );
}

/** Fits y on the columns, with an intercept unless `intercept` is false. */
export function ordinaryLeastSquares(
  y: ArrayLike<number>,
  columns: readonly ArrayLike<number>[],
  intercept = true,
): LeastSquares {
  const n = y.length;
  for (const column of columns)
    if (column.length !== n) throw new RangeError('a column differs from y in length');
  const design = columns.map((column) => Array.from(column));
  if (intercept) design.unshift(Array.from({ length: n }, () => 1));
  const k = design.length;
  const freedom = n - k;
  const r = design.map((column) => Float64Array.from(column));
  const rotated = Float64Array.from(y);
  const solvable = k > 0 && freedom >= 0 && triangularise(r, rotated);
  const missing = (): number[] => Array.from({ length: k }, () => Number.NaN);
  const coefficients = solvable ? solveUpper(r, rotated) : missing();
  const residuals = Array.from(y, (value, i) => {
    let fitted = 0;
    for (let j = 0; j < k; j += 1) fitted += coefficients[j]! * design[j]![i]!;
    return value - fitted;
  });
  const inverseGram = solvable ? invertGram(r) : design.map(missing);
  const residualSquares = residuals.reduce((sum, e) => sum + e * e, 0);
  const s2 = freedom > 0 ? residualSquares / freedom : Number.NaN;
  const se = inverseGram.map((row, i) => Math.sqrt(s2 * row[i]!));
  const t = coefficients.map((b, i) => b / se[i]!);
  const centre = intercept ? mean(y) : 0;
  const totalSquares = Array.from(y).reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const explained = intercept ? k - 1 : k;
  // Rounding of the mean must not make a constant y explainable.
  const rSquared = intercept && isConstant(y) ? Number.NaN : 1 - residualSquares / totalSquares;
  const f = explained > 0 ? (totalSquares - residualSquares) / explained / s2 : Number.NaN;
  return {
    coefficients,
    se,
    t,
    p: t.map((value) => studentTTwoSided(value, freedom)),
    inverseGram,
    residuals,
    design,
    residualDeviation: Math.sqrt(s2),
    rSquared,
    f,
    fPValue: fSurvival(f, explained, freedom),
    n,
    freedom,
  };
}
