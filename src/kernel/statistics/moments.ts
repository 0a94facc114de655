// Mean, variance, skewness and kurtosis in two passes, safe against cancellation and overflow.

import { neumaierSum } from './compensated-sum.js';

const ROOM = 2 ** 64;

/** Arithmetic mean; NaN for an empty list. */
export function mean(values: ArrayLike<number>): number {
  const n = values.length;
  if (n === 0) return Number.NaN;
  const sum = neumaierSum(values);
  if (Number.isFinite(sum)) return sum / n;
  // The sum may overflow although the mean does not; a power of two makes room without rounding.
  return (neumaierSum(Float64Array.from(values, (value) => value / ROOM)) / n) * ROOM;
}

/** True when every value is the same number: rounding in the mean must not give such a list a spread. */
export function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i += 1) if (values[i] !== values[0]) return false;
  return !Number.isNaN(values[0]);
}

interface Centred {
  /** Deviations from the mean, divided by the scale. */
  readonly deviations: Float64Array;
  readonly scale: number;
}

/** Deviations scaled to at most one, so that no power of them overflows or vanishes. */
function centred(values: ArrayLike<number>): Centred {
  const centre = mean(values);
  const deviations = new Float64Array(values.length);
  let scale = 0;
  for (let i = 0; i < deviations.length; i += 1) {
    const deviation = values[i]! - centre;
    deviations[i] = deviation;
    if (!(Math.abs(deviation) <= scale)) scale = Math.abs(deviation);
  }
  // A power of two, so that the scaling itself rounds nothing.
  const power = scale > 0 && Number.isFinite(scale) ? 2 ** Math.floor(Math.log2(scale)) : scale;
  for (let i = 0; i < deviations.length; i += 1) deviations[i] = deviations[i]! / power;
  return { deviations, scale: power };
}

function powerMean(deviations: Float64Array, power: number): number {
  return neumaierSum(deviations.map((d) => d ** power)) / deviations.length;
}

/** Sum of squared scaled deviations, with the rounding error of the mean taken out again. */
function squares(deviations: Float64Array): number {
  const drift = neumaierSum(deviations);
  return neumaierSum(deviations.map((d) => d * d)) - (drift * drift) / deviations.length;
}

/** Sum of squares over n − dropped: 1 for a sample (the default), 0 for a population. */
export function variance(values: ArrayLike<number>, dropped = 1): number {
  return standardDeviation(values, dropped) ** 2;
}

/** Square root of the variance, right even where the variance itself would overflow. */
export function standardDeviation(values: ArrayLike<number>, dropped = 1): number {
  const freedom = values.length - dropped;
  if (!(freedom > 0)) return Number.NaN;
  if (isConstant(values)) return Number.isFinite(values[0]) ? 0 : Number.NaN;
  const { deviations, scale } = centred(values);
  return scale * Math.sqrt(squares(deviations) / freedom);
}

/** Third standardised moment g1; with `unbiased` the sample form G1. NaN for constants and fewer than 3 values. */
export function skewness(values: ArrayLike<number>, unbiased = false): number {
  const n = values.length;
  if (n < 3 || isConstant(values)) return Number.NaN;
  const { deviations } = centred(values);
  const g1 = powerMean(deviations, 3) / (squares(deviations) / n) ** 1.5;
  return unbiased ? (g1 * Math.sqrt(n * (n - 1))) / (n - 2) : g1;
}

/** Fourth standardised moment: 3 for the normal distribution. NaN for constants and fewer than 4 values. */
export function kurtosis(values: ArrayLike<number>): number {
  const n = values.length;
  if (n < 4 || isConstant(values)) return Number.NaN;
  const { deviations } = centred(values);
  return powerMean(deviations, 4) / (squares(deviations) / n) ** 2;
}

/** Kurtosis minus 3; with `unbiased` the sample form G2. */
export function excessKurtosis(values: ArrayLike<number>, unbiased = false): number {
  const n = values.length;
  const excess = kurtosis(values) - 3;
  return unbiased ? ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * excess + 6) : excess;
}
