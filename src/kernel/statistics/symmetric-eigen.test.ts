// Eigen decompositions checked by their own equation.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectAllClose, expectClose } from './golden-cases.suite.js';
import { symmetricEigen } from './symmetric-eigen.js';

describe('symmetricEigen', () => {
  const matrices = fc
    .integer({ min: 1, max: 12 })
    .chain((n) =>
      fc
        .array(fc.integer({ min: -9, max: 9 }), { minLength: n * n, maxLength: n * n })
        .map((list) => ({ n, list })),
    )
    .map(({ n, list }) =>
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_cell, j) => list[i * n + j]! + list[j * n + i]!),
      ),
    );

  it('decomposes any symmetric matrix', () => {
    fc.assert(
      fc.property(matrices, (matrix) => {
        const { values, vectors } = symmetricEigen(matrix);
        vectors.forEach((vector, k) => {
          matrix.forEach((row, i) => {
            const image = row.reduce((sum, entry, j) => sum + entry * vector[j]!, 0);
            expectClose(image, values[k]! * vector[i]!, { abs: 1e-11 });
          });
          vectors.forEach((other, m) => {
            const dot = vector.reduce((sum, value, i) => sum + value * other[i]!, 0);
            expectClose(dot, k === m ? 1 : 0, { abs: 1e-12 });
          });
        });
        expectAllClose(
          values,
          values.toSorted((a, b) => b - a),
          {},
        );
      }),
    );
  });

  it('handles diagonal, zero and repeated cases, and refuses NaN', () => {
    expect(
      symmetricEigen([
        [2, 0],
        [0, 3],
      ]).values,
    ).toEqual([3, 2]);
    expect(
      symmetricEigen([
        [0, 0],
        [0, 0],
      ]).values,
    ).toEqual([0, 0]);
    expect(symmetricEigen([]).values).toEqual([]);
    const ones = Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => 1));
    expectClose(symmetricEigen(ones).values[0], 30, { rel: 1e-13 });
    expectClose(symmetricEigen(ones).values[29], 0, { abs: 1e-13 });
    expect(() => symmetricEigen([[Number.NaN]])).toThrow(RangeError);
  });
});
