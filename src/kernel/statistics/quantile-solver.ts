// Inverts a distribution known by its log tails, by bracketing and then inverse quadratic steps.

import type { LogTails } from './incomplete-beta.js';

/** Chandrupatla's method: a root of f between a and b, where f(a) and f(b) differ in sign. */
function rootBetween(f: (u: number) => number, a: number, b: number): number {
  let x1 = b;
  let x2 = a;
  let f1 = f(x1);
  let f2 = f(x2);
  let x3 = x1;
  let f3 = f1;
  let fraction = 0.5;
  for (let step = 0; step < 200; step += 1) {
    const x = x1 + fraction * (x2 - x1);
    const value = f(x);
    if (Math.sign(value) === Math.sign(f1)) {
      x3 = x1;
      f3 = f1;
    } else {
      x3 = x2;
      x2 = x1;
      f3 = f2;
      f2 = f1;
    }
    x1 = x;
    f1 = value;
    const best = Math.abs(f2) < Math.abs(f1) ? x2 : x1;
    const slack = (4e-16 * Math.abs(best) + 1e-300) / Math.abs(x2 - x1);
    if (value === 0 || slack > 0.5) return best;
    const xi = (x1 - x2) / (x3 - x2);
    const phi = (f1 - f2) / (f3 - f2);
    // Interpolate only where the three points show a curve gentle enough to trust.
    fraction =
      phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi
        ? (f1 / (f2 - f1)) * (f3 / (f2 - f3)) + ((x3 - x1) / (x2 - x1)) * (f1 / (f3 - f1)) * (f2 / (f3 - f2))
        : 0.5;
    fraction = Math.min(1 - slack, Math.max(slack, fraction));
  }
  return x1;
}

/**
 * The u at which the distribution's lower tail has logarithm `logLower` and its upper tail `logUpper`.
 * The smaller of the two is matched, because it is the one that carries digits.
 */
export function solveLogTails(tails: (u: number) => LogTails, logLower: number, logUpper: number): number {
  const gap =
    logLower < logUpper
      ? (u: number): number => tails(u).lower - logLower
      : (u: number): number => logUpper - tails(u).upper;
  let low = -1;
  let high = 1;
  while (gap(low) > 0 && low > -1e6) low *= 2;
  while (gap(high) < 0 && high < 1e6) high *= 2;
  const atLow = gap(low);
  const atHigh = gap(high);
  if (atLow === 0) return low;
  if (atHigh === 0) return high;
  if (!(atLow < 0 && atHigh > 0)) return Number.NaN;
  // Clamped: an infinite end value would ruin the interpolation that starts from it.
  const bounded = (u: number): number => Math.max(-1e6, Math.min(1e6, gap(u)));
  return rootBetween(bounded, low, high);
}

/** Quantile of a positive variable from its log tails as functions of log x; 0 and Infinity at the ends. */
export function positiveQuantile(tails: (logX: number) => LogTails, p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return 0;
  if (p === 1) return Number.POSITIVE_INFINITY;
  return Math.exp(solveLogTails(tails, Math.log(p), Math.log1p(-p)));
}
