// Bai and Ng's criteria for the number of common factors in a panel.

/** The panel criteria PC_p1 … PC_p3 and their logarithmic twins IC_p1 … IC_p3. */
export type FactorCriterion = 'PCp1' | 'PCp2' | 'PCp3' | 'ICp1' | 'ICp2' | 'ICp3';

/** The cost of one more factor in units of the noise variance. */
function penalty(criterion: FactorCriterion, rows: number, columns: number): number {
  const area = rows * columns;
  const edge = rows + columns;
  const shorter = Math.min(rows, columns);
  switch (criterion) {
    case 'PCp1':
    case 'ICp1':
      return (edge / area) * Math.log(area / edge);
    case 'PCp2':
    case 'ICp2':
      return (edge / area) * Math.log(shorter);
    case 'PCp3':
    case 'ICp3':
      return Math.log(shorter) / shorter;
  }
}

/**
 * The k in 0 … kmax with the smallest criterion, given the eigenvalues of XᵀX / (rows · columns) from the largest down.
 * The panel criteria scale the penalty by the residual variance at kmax, so a larger kmax makes them choose more.
 */
export function factorCount(
  eigenvalues: readonly number[],
  rows: number,
  columns: number,
  kmax: number,
  criterion: FactorCriterion = 'PCp1',
): number {
  const limit = Math.min(kmax, rows, columns);
  const residual = Array.from({ length: limit + 1 }, () => 0);
  let rest = 0;
  // From the small end up, so that what is left is a sum of small numbers and not a difference of large ones.
  for (let k = eigenvalues.length; k >= 0; k -= 1) {
    if (k < eigenvalues.length) rest += Math.max(0, eigenvalues[k]!);
    if (k <= limit) residual[k] = rest;
  }
  const step = penalty(criterion, rows, columns);
  const noise = residual[limit]!;
  let best = 0;
  let bestValue = Number.POSITIVE_INFINITY;
  residual.forEach((left, k) => {
    const value = criterion.startsWith('PC') ? left + k * noise * step : Math.log(left) + k * step;
    if (value < bestValue) {
      bestValue = value;
      best = k;
    }
  });
  return best;
}
