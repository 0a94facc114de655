// Eigenvalues and eigenvectors of a symmetric matrix: Householder tridiagonalisation, then implicit QL.

/** Eigenvalues from the largest down; vectors[k] belongs to values[k] and has unit length. */
export interface SymmetricEigen {
  readonly values: number[];
  readonly vectors: Float64Array[];
}

interface Tridiagonal {
  readonly diagonal: Float64Array;
  /** beside[i] joins rows i and i + 1; the last entry is unused. */
  readonly beside: Float64Array;
  /** Columns of the orthogonal matrix, each as its own list. */
  readonly basis: Float64Array[];
}

/** Reduces a copy of the matrix by reflections that clear one column below its sub-diagonal at a time. */
function tridiagonalise(matrix: readonly ArrayLike<number>[]): Tridiagonal {
  const n = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  const basis = a.map((_, i) => Float64Array.from({ length: n }, (_entry, j) => (i === j ? 1 : 0)));
  const beside = new Float64Array(n);
  for (let k = 0; k < n - 2; k += 1) {
    let norm = 0;
    for (let i = k + 1; i < n; i += 1) norm = Math.hypot(norm, a[i]![k]!);
    if (norm === 0) continue;
    const alpha = a[k + 1]![k]! > 0 ? -norm : norm;
    const v = new Float64Array(n);
    for (let i = k + 1; i < n; i += 1) v[i] = a[i]![k]! / norm;
    v[k + 1] = v[k + 1]! - alpha / norm;
    let vv = 0;
    for (let i = k + 1; i < n; i += 1) vv += v[i]! * v[i]!;
    const beta = 2 / vv;
    // A ← A − v wᵀ − w vᵀ applies the reflection to both sides at once.
    const w = new Float64Array(n);
    let vp = 0;
    for (let i = k; i < n; i += 1) {
      let sum = 0;
      const row = a[i]!;
      for (let j = k + 1; j < n; j += 1) sum += row[j]! * v[j]!;
      w[i] = beta * sum;
      vp += v[i]! * w[i]!;
    }
    for (let i = k; i < n; i += 1) w[i] = w[i]! - 0.5 * beta * vp * v[i]!;
    for (let i = k; i < n; i += 1) {
      const row = a[i]!;
      const vi = v[i]!;
      const wi = w[i]!;
      for (let j = k; j < n; j += 1) row[j] = row[j]! - vi * w[j]! - wi * v[j]!;
    }
    // basis ← basis · H, kept column by column.
    const projection = new Float64Array(n);
    for (let j = k + 1; j < n; j += 1) {
      const column = basis[j]!;
      const vj = v[j]!;
      for (let i = 0; i < n; i += 1) projection[i] = projection[i]! + column[i]! * vj;
    }
    for (let j = k + 1; j < n; j += 1) {
      const column = basis[j]!;
      const factor = beta * v[j]!;
      for (let i = 0; i < n; i += 1) column[i] = column[i]! - factor * projection[i]!;
    }
  }
  for (let i = 0; i < n - 1; i += 1) beside[i] = a[i + 1]![i]!;
  return { diagonal: Float64Array.from(a, (row, i) => row[i]!), beside, basis };
}

/** Turns two basis columns by the given cosine and sine. */
function rotate(left: Float64Array, right: Float64Array, c: number, s: number): void {
  for (let i = 0; i < left.length; i += 1) {
    const held = right[i]!;
    right[i] = s * left[i]! + c * held;
    left[i] = c * left[i]! - s * held;
  }
}

/** One implicit QL sweep with Wilkinson's shift over rows first … last. */
function sweep({ diagonal: d, beside: e, basis }: Tridiagonal, first: number, last: number): void {
  const half = (d[first + 1]! - d[first]!) / (2 * e[first]!);
  const root = Math.hypot(half, 1);
  let g = d[last]! - d[first]! + e[first]! / (half + (half >= 0 ? root : -root));
  let s = 1;
  let c = 1;
  let shift = 0;
  for (let i = last - 1; i >= first; i -= 1) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      // The matrix split of itself: the remaining rows wait for the next sweep.
      d[i + 1] = d[i + 1]! - shift;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - shift;
    const t = (d[i]! - g) * s + 2 * c * b;
    shift = s * t;
    d[i + 1] = g + shift;
    g = c * t - b;
    rotate(basis[i]!, basis[i + 1]!, c, s);
  }
  d[first] = d[first]! - shift;
  e[first] = g;
  e[last] = 0;
}

/** Full decomposition; throws when the matrix holds a value that is not finite. */
export function symmetricEigen(matrix: readonly ArrayLike<number>[]): SymmetricEigen {
  const n = matrix.length;
  for (const row of matrix) {
    for (let j = 0; j < n; j += 1)
      if (!Number.isFinite(row[j])) throw new RangeError('matrix entries must be finite');
  }
  const reduced = tridiagonalise(matrix);
  const { diagonal, beside, basis } = reduced;
  for (let first = 0; first < n; first += 1) {
    for (let attempt = 0; ; attempt += 1) {
      let last = first;
      while (last < n - 1) {
        const scale = Math.abs(diagonal[last]!) + Math.abs(diagonal[last + 1]!);
        if (Math.abs(beside[last]!) <= Number.EPSILON * scale) break;
        last += 1;
      }
      if (last === first) break;
      if (attempt > 60) throw new Error('eigenvalue iteration did not settle');
      sweep(reduced, first, last);
    }
  }
  const order = Array.from(diagonal, (_, i) => i).sort((i, j) => diagonal[j]! - diagonal[i]!);
  return { values: order.map((i) => diagonal[i]!), vectors: order.map((i) => basis[i]!) };
}
