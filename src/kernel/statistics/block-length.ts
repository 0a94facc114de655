// Politis and White's automatic block length for the bootstrap of a mean, with Patton's correction.

import { autocorrelation } from './autocorrelation.js';
import { variance } from './moments.js';

/** Best mean block length for stationary blocks and best fixed length for circular ones. */
export interface BlockLength {
  readonly stationary: number;
  readonly circular: number;
}

/** One up to half, then falling to zero at one: the flat-top weight. */
function flatTop(x: number): number {
  return Math.min(1, 2 * (1 - Math.abs(x)));
}

/** The last lag before a run of correlations all too small to matter. */
function lastNoticeableLag(
  correlations: readonly number[],
  band: number,
  run: number,
  maxLag: number,
): number {
  for (let lag = 0; lag + run <= maxLag; lag += 1) {
    if (correlations.slice(lag, lag + run).every((r) => Math.abs(r) < band)) return lag;
  }
  for (let lag = maxLag; lag >= 1; lag -= 1) if (Math.abs(correlations[lag - 1]!) >= band) return lag;
  return 1;
}

/** Both block lengths, at least 1 and at most min(3√n, n/3); NaN for gaps, constants and fewer than 10 values. */
export function politisWhiteBlockLength(values: ArrayLike<number>): BlockLength {
  const n = values.length;
  const run = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const maxLag = Math.min(n - 1, Math.ceil(Math.sqrt(n)) + run);
  const correlations = n < 10 ? [] : autocorrelation(values, maxLag);
  if (correlations.length === 0 || correlations.some((r) => Number.isNaN(r))) {
    return { stationary: Number.NaN, circular: Number.NaN };
  }
  const band = 2 * Math.sqrt(Math.log10(n) / n);
  const bandwidth = Math.min(2 * Math.max(1, lastNoticeableLag(correlations, band, run, maxLag)), maxLag);
  const level = variance(values, 0);
  let spectrum = level;
  let curvature = 0;
  for (let lag = 1; lag <= bandwidth; lag += 1) {
    const weighted = 2 * flatTop(lag / bandwidth) * correlations[lag - 1]! * level;
    spectrum += weighted;
    curvature += lag * weighted;
  }
  const cap = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  const length = (factor: number): number => {
    const best = Math.cbrt(((2 * curvature ** 2) / (factor * spectrum ** 2)) * n);
    return Math.max(1, Math.min(cap, best));
  };
  return { stationary: length(2), circular: length(4 / 3) };
}
