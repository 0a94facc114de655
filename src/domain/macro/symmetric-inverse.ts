// Inverse of a small positive definite matrix, by Cholesky, in flat row-major arrays.

/** Null when the matrix is not positive definite. */
export function symmetricInverse(matrix: Float64Array, size: number): Float64Array | null {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k += 1) sum -= lower[i * size + k]! * lower[j * size + k]!;
      if (i === j) {
        if (!(sum > 0)) return null;
        lower[i * size + i] = Math.sqrt(sum);
      } else lower[i * size + j] = sum / lower[j * size + j]!;
    }
  }
  const inverse = new Float64Array(size * size);
  const column = new Float64Array(size);
  for (let c = 0; c < size; c += 1) {
    for (let i = 0; i < size; i += 1) {
      let sum = i === c ? 1 : 0;
      for (let k = 0; k < i; k += 1) sum -= lower[i * size + k]! * column[k]!;
      column[i] = sum / lower[i * size + i]!;
    }
    for (let i = size - 1; i >= 0; i -= 1) {
      let sum = column[i]!;
      for (let k = i + 1; k < size; k += 1) sum -= lower[k * size + i]! * column[k]!;
      column[i] = sum / lower[i * size + i]!;
      inverse[i * size + c] = column[i]!;
    }
  }
  return inverse;
}
