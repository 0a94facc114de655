// A seeded block bootstrap of any statistic of a time series.

import { mean, standardDeviation } from './moments.js';
import { quantileOfSorted } from './order-statistics.js';
import type { Interval } from './proportion-intervals.js';
import { type SeededRandom, seededRandom } from './seeded-random.js';

/** How blocks are laid. */
export interface BootstrapOptions {
  /** Mean block length; at least the overlap of neighbouring observations. */
  readonly block: number;
  readonly seed: number | string;
  readonly draws?: number;
  readonly alpha?: number;
  /** Blocks of random length (stationary, the default) or all of one length (circular). */
  readonly kind?: 'stationary' | 'circular';
  readonly statistic?: (values: Float64Array) => number;
}

/** Percentile interval with the spread it came from. */
export interface BootstrapInterval extends Interval {
  readonly estimate: number;
  readonly se: number;
  /** Two-sided p-value that the statistic is zero, from draws recentred at the estimate. */
  readonly p: number;
}

/** Fills `into` with one resample; blocks wrap around the end so that every value is drawn equally often. */
function resample(
  values: ArrayLike<number>,
  into: Float64Array,
  block: number,
  stationary: boolean,
  random: SeededRandom,
): void {
  const n = into.length;
  let place = 0;
  for (let i = 0; i < n; i += 1) {
    const restart = stationary ? random.uniform() * block < 1 : i % block === 0;
    place = i === 0 || restart ? random.integer(0, n - 1) : (place + 1) % n;
    into[i] = values[place]!;
  }
}

/** Percentile interval of a statistic, the mean unless another is given; all NaN when the series holds a NaN or is too short. */
export function blockBootstrapInterval(
  values: ArrayLike<number>,
  options: BootstrapOptions,
): BootstrapInterval {
  const { block, draws = 2000, alpha = 0.05, kind = 'stationary', statistic = mean } = options;
  const stationary = kind === 'stationary';
  if (!(block >= 1) || (!stationary && !Number.isInteger(block))) {
    throw new RangeError(`block must be at least 1, and whole for circular blocks; got ${block}`);
  }
  if (!Number.isInteger(draws) || draws < 1) throw new RangeError(`draws must be a positive whole number`);
  const series = Float64Array.from(values);
  const estimate = statistic(series);
  if (series.length < 2 || series.some((value) => Number.isNaN(value))) {
    return { estimate, low: Number.NaN, high: Number.NaN, se: Number.NaN, p: Number.NaN };
  }
  const random = seededRandom(options.seed);
  const sample = new Float64Array(series.length);
  const results = new Float64Array(draws);
  let extreme = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    resample(series, sample, block, stationary, random);
    const value = statistic(sample);
    results[draw] = value;
    if (Math.abs(value - estimate) >= Math.abs(estimate)) extreme += 1;
  }
  const se = standardDeviation(results);
  results.sort();
  return {
    estimate,
    low: quantileOfSorted(results, alpha / 2),
    high: quantileOfSorted(results, 1 - alpha / 2),
    se,
    // One added above and below: a finite number of draws never proves a zero.
    p: (1 + extreme) / (1 + draws),
  };
}
