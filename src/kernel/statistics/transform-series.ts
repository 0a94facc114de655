// The seven transformations that make macroeconomic series stationary, by their FRED-MD code.

/** 1 level, 2 Δx, 3 Δ²x, 4 log, 5 Δlog, 6 Δ²log, 7 Δ(x_t / x_(t−1) − 1). */
export type TransformCode = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** First differences, with NaN where there is no earlier value. */
function difference(values: readonly number[]): number[] {
  return values.map((value, t) => (t === 0 ? Number.NaN : value - values[t - 1]!));
}

/** A logarithm only of what has one: zero and below are gaps, not −∞. */
function logarithm(values: readonly number[]): number[] {
  return values.map((value) => (value > 0 ? Math.log(value) : Number.NaN));
}

/** Growth rates, undefined after a zero. */
function growth(values: readonly number[]): number[] {
  return values.map((value, t) => {
    if (t === 0 || values[t - 1] === 0) return Number.NaN;
    return value / values[t - 1]! - 1;
  });
}

/**
 * The transformed series, as long as the input; the first one or two entries of a difference are NaN,
 * and a NaN spreads exactly as far as the differences that use it.
 */
export function transformSeries(values: ArrayLike<number>, code: TransformCode): number[] {
  const x = Array.from(values);
  switch (code) {
    case 1:
      return x;
    case 2:
      return difference(x);
    case 3:
      return difference(difference(x));
    case 4:
      return logarithm(x);
    case 5:
      return difference(logarithm(x));
    case 6:
      return difference(difference(logarithm(x)));
    case 7:
      return difference(growth(x));
    default:
      throw new RangeError(`unknown transformation code ${String(code)}`);
  }
}
