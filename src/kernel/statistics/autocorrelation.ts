// Autocorrelations of a series and the Ljung-Box test that they are all zero.

import { chiSquareSurvival } from './chi-square.js';
import { isConstant, mean } from './moments.js';

/** Autocorrelations at lags 1 … maxLag, each sum divided by n; NaN for gaps, constants and lags past the end. */
export function autocorrelation(values: ArrayLike<number>, maxLag: number): number[] {
  const n = values.length;
  const result = Array.from({ length: maxLag }, () => Number.NaN);
  if (n < 2 || isConstant(values)) return result;
  const centre = mean(values);
  const deviations = Float64Array.from(values, (value) => value - centre);
  let squares = 0;
  for (const d of deviations) squares += d * d;
  for (let lag = 1; lag <= Math.min(maxLag, n - 1); lag += 1) {
    let product = 0;
    for (let i = lag; i < n; i += 1) product += deviations[i]! * deviations[i - lag]!;
    result[lag - 1] = product / squares;
  }
  return result;
}

/** Ljung-Box statistics, entry k − 1 over lags 1 … k. */
export interface LjungBox {
  readonly statistics: number[];
  readonly pValues: number[];
}

/** The test at every lag up to maxLag; `fitted` counts parameters estimated from the same series. */
export function ljungBox(values: ArrayLike<number>, maxLag: number, fitted = 0): LjungBox {
  const n = values.length;
  let sum = 0;
  const statistics = autocorrelation(values, maxLag).map((r, index) => {
    sum += (r * r) / (n - index - 1);
    return n * (n + 2) * sum;
  });
  const pValues = statistics.map((q, index) => chiSquareSurvival(q, index + 1 - fitted));
  return { statistics, pValues };
}
