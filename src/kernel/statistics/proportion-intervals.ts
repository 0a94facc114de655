// Confidence intervals for a proportion: Wilson's, the exact one, and two coarser ones for comparison.

import { betaQuantile } from './binomial.js';
import { normalQuantile } from './normal.js';

/** A closed interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const UNDEFINED: Interval = { low: Number.NaN, high: Number.NaN };

function valid(successes: number, trials: number, alpha: number): boolean {
  return trials > 0 && successes >= 0 && successes <= trials && alpha > 0 && alpha < 1;
}

/** Wilson's score interval: never leaves [0, 1] and stays honest for few trials and extreme shares. */
export function wilsonInterval(successes: number, trials: number, alpha = 0.05): Interval {
  if (!valid(successes, trials, alpha)) return UNDEFINED;
  const z = normalQuantile(1 - alpha / 2);
  const share = successes / trials;
  const weight = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / weight;
  const spread = (share * (1 - share)) / trials + (z * z) / (4 * trials * trials);
  const half = (z / weight) * Math.sqrt(spread);
  // At the ends the bound is exactly 0 or 1; rounding would put it a hair away.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  };
}

/** Clopper and Pearson's exact interval: covers at least as often as promised. */
export function exactInterval(successes: number, trials: number, alpha = 0.05): Interval {
  if (!valid(successes, trials, alpha)) return UNDEFINED;
  return {
    low: successes === 0 ? 0 : betaQuantile(alpha / 2, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(1 - alpha / 2, successes + 1, trials - successes),
  };
}

/** Agresti and Coull's interval: the plain one after adding z² invented trials. */
export function agrestiCoullInterval(successes: number, trials: number, alpha = 0.05): Interval {
  if (!valid(successes, trials, alpha)) return UNDEFINED;
  const z = normalQuantile(1 - alpha / 2);
  const padded = trials + z * z;
  const centre = (successes + (z * z) / 2) / padded;
  const half = z * Math.sqrt((centre * (1 - centre)) / padded);
  return { low: centre - half, high: centre + half };
}
