// The seven transformations on a doubling series, and their gaps.

import { describe, expect, it } from 'vitest';
import { expectAllClose } from './golden-cases.suite.js';
import { type TransformCode, transformSeries } from './transform-series.js';

describe('transformSeries', () => {
  const x = [1, 2, 4, 8, 16];
  const nan = Number.NaN;
  const log2 = Math.log(2);

  it.each([
    [1, x],
    [2, [nan, 1, 2, 4, 8]],
    [3, [nan, nan, 1, 2, 4]],
    [4, [0, log2, 2 * log2, 3 * log2, 4 * log2]],
    [5, [nan, log2, log2, log2, log2]],
    [6, [nan, nan, 0, 0, 0]],
    [7, [nan, nan, 0, 0, 0]],
  ] as [TransformCode, number[]][])('code %i', (code, expected) => {
    expectAllClose(transformSeries(x, code), expected, { abs: 1e-14 });
  });

  it('turns what has no logarithm or growth into gaps that spread no further', () => {
    expectAllClose(transformSeries([1, 0, 1, 1, 1], 5), [nan, nan, nan, 0, 0], {});
    expectAllClose(transformSeries([1, -2, 1], 4), [0, nan, 0], {});
    expectAllClose(transformSeries([0, 1, 2, 4], 7), [nan, nan, nan, 0], {});
    expectAllClose(transformSeries([1, nan, 1, 2], 2), [nan, nan, nan, 1], {});
    expect(() => transformSeries(x, 8 as TransformCode)).toThrow(RangeError);
    expect(transformSeries([], 6)).toEqual([]);
  });
});
