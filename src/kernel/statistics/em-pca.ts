// Principal components of a panel with holes: fill, extract factors, refill, until nothing moves.

import { type FactorCriterion, factorCount } from './factor-count.js';
import { mean, standardDeviation } from './moments.js';
import { withoutNaN } from './order-statistics.js';
import { symmetricEigen } from './symmetric-eigen.js';

/** How many factors to look for and when to stop. */
export interface EmPcaOptions {
  /** Largest number of factors the criterion may choose; 8 unless given. */
  readonly kmax?: number;
  /** A fixed number of factors instead of the criterion's choice. */
  readonly factors?: number;
  readonly criterion?: FactorCriterion;
  readonly tolerance?: number;
  readonly maxIterations?: number;
}

/** Factors of a standardised panel: filled ≈ mean + deviation · (factors · loadingsᵀ). */
export interface EmPca {
  /** One row per time, one column per factor. */
  readonly factors: number[][];
  /** One row per series, one column per factor; columns are at right angles with mean square 1. */
  readonly loadings: number[][];
  readonly number: number;
  /** Eigenvalues of XᵀX / (rows · columns) of the filled, standardised panel, from the largest down. */
  readonly eigenvalues: number[];
  /** The input in its own units, with the holes filled by the factors. */
  readonly filled: number[][];
  readonly means: number[];
  readonly deviations: number[];
  readonly iterations: number;
  readonly converged: boolean;
}

/** Panel as columns; each column is one series. */
type Columns = Float64Array[];

interface Components {
  readonly eigenvalues: number[];
  readonly loadings: Columns;
  readonly factors: Columns;
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

function transpose(columns: readonly ArrayLike<number>[], length: number): Columns {
  return Array.from({ length }, (_, t) => Float64Array.from(columns, (column) => column[t]!));
}

/** Gram matrix of the lists, divided by `scale`. */
function gram(lists: Columns, scale: number): Float64Array[] {
  const matrix = lists.map(() => new Float64Array(lists.length));
  for (let i = 0; i < lists.length; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const value = inner(lists[i]!, lists[j]!) / scale;
      matrix[i]![j] = value;
      matrix[j]![i] = value;
    }
  }
  return matrix;
}

/** Leading components; the eigenproblem is solved on the shorter side of the panel, which has the same spectrum. */
function components(columns: Columns, rows: number, choose: (eigenvalues: number[]) => number): Components {
  const series = columns.length;
  const byTime = transpose(columns, rows);
  const wide = rows < series;
  const eigen = symmetricEigen(gram(wide ? byTime : columns, rows * series));
  const kept = eigen.vectors.slice(0, choose(eigen.values));
  const loadings = kept.map((vector) => {
    const raw = wide ? Float64Array.from(columns, (column) => inner(column, vector)) : vector;
    const largest = raw.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    // Eigenvectors have no sign of their own: the heaviest loading is made positive.
    const factor = (Math.sign(largest) * Math.sqrt(series)) / Math.sqrt(inner(raw, raw));
    return raw.map((value) => value * factor);
  });
  const factors = loadings.map((loading) => Float64Array.from(byTime, (row) => inner(row, loading) / series));
  return { eigenvalues: eigen.values, loadings, factors };
}

/** The part of cell (t, i) that the factors explain, in standard units. */
function common({ factors, loadings }: Components, t: number, i: number): number {
  let sum = 0;
  for (let k = 0; k < factors.length; k += 1) sum += factors[k]![t]! * loadings[k]![i]!;
  return sum;
}

/**
 * EM principal components of a panel given row by row in time, NaN marking a hole.
 * Holes start at their series' mean; means, deviations and the number of factors are taken anew in every round.
 * Throws for ragged rows, for infinities, and for a series with fewer than two values or none that differ.
 */
export function emPca(panel: readonly ArrayLike<number>[], options: EmPcaOptions = {}): EmPca {
  const { kmax = 8, criterion = 'PCp1', tolerance = 1e-6, maxIterations = 50 } = options;
  const rows = panel.length;
  const series = panel[0]?.length ?? 0;
  if (series === 0 || panel.some((row) => row.length !== series))
    throw new RangeError('the panel must be a full grid');
  const filled = transpose(panel, series);
  const holes: [t: number, i: number][] = [];
  filled.forEach((column, i) => {
    const known = withoutNaN(column);
    // Also refuses infinities, whose deviation is NaN.
    if (!(standardDeviation(known) > 0)) throw new RangeError(`series ${i} has no spread to standardise by`);
    const level = mean(known);
    column.forEach((value, t) => {
      if (!Number.isNaN(value)) return;
      holes.push([t, i]);
      column[t] = level;
    });
  });

  const choose = (eigenvalues: number[]): number =>
    options.factors ?? factorCount(eigenvalues, rows, series, kmax, criterion);
  let means: number[] = [];
  let deviations: number[] = [];
  const extract = (): Components => {
    means = filled.map((column) => mean(column));
    deviations = filled.map((column) => standardDeviation(column));
    const standard = filled.map((column, i) => column.map((value) => (value - means[i]!) / deviations[i]!));
    return components(standard, rows, choose);
  };
  const commonPart = (parts: Components): Columns =>
    filled.map((_, i) => Float64Array.from({ length: rows }, (_cell, t) => common(parts, t, i)));

  let parts = extract();
  let explained = commonPart(parts);
  let iterations = 0;
  let moved = holes.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  while (moved > tolerance && iterations < maxIterations) {
    for (const [t, i] of holes) filled[i]![t] = means[i]! + deviations[i]! * explained[i]![t]!;
    parts = extract();
    const next = commonPart(parts);
    let change = 0;
    let size = 0;
    next.forEach((column, i) => {
      column.forEach((value, t) => {
        change += (value - explained[i]![t]!) ** 2;
        size += explained[i]![t]! ** 2;
      });
    });
    moved = change === 0 ? 0 : change / size;
    explained = next;
    iterations += 1;
  }
  const rowsOf = (columns: Columns, length: number): number[][] =>
    transpose(columns, length).map((row) => Array.from(row));
  return {
    factors: rowsOf(parts.factors, rows),
    loadings: rowsOf(parts.loadings, series),
    number: parts.factors.length,
    eigenvalues: parts.eigenvalues,
    filled: rowsOf(filled, rows),
    means,
    deviations,
    iterations,
    converged: moved <= tolerance,
  };
}
