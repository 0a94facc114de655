// The regularised incomplete gamma function and its logarithm, both tails.

import { type LogTails, logOneMinusExp } from './incomplete-beta.js';
import { logPoissonMass } from './saddle-point.js';

const TINY = 1e-300;

/** Σ x^k / ((a+1)…(a+k)) by its power series, for x below a + 1. */
function lowerSeries(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 10_000_000; k += 1) {
    term *= x / (a + k);
    sum += term;
    if (term < sum * 1e-17) return sum;
  }
  return Number.NaN;
}

/** Γ(a, x) e^x x^(1−a)… as Lentz's continued fraction, for x above a + 1. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let h = d;
  for (let k = 1; k < 10_000_000; k += 1) {
    const coefficient = -k * (k - a);
    b += 2;
    d = coefficient * d + b;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = b + coefficient / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 2e-16) return h;
  }
  return Number.NaN;
}

/** Both tails of the unit-scale gamma distribution with shape a, at x. */
export function logIncompleteGamma(a: number, x: number): LogTails {
  if (!(a > 0 && x >= 0) || a === Infinity) return { lower: Number.NaN, upper: Number.NaN };
  if (x === 0) return { lower: Number.NEGATIVE_INFINITY, upper: 0 };
  if (x === Infinity) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  const mass = logPoissonMass(a, x);
  if (x < a + 1) {
    const lower = Math.min(0, mass + Math.log(lowerSeries(a, x)));
    return { lower, upper: logOneMinusExp(lower) };
  }
  const upper = Math.min(0, mass + Math.log(a) + Math.log(upperFraction(a, x)));
  return { lower: logOneMinusExp(upper), upper };
}

/** P(a, x), the lower regularised incomplete gamma function; NaN for a ≤ 0 or x < 0. */
export function incompleteGamma(a: number, x: number): number {
  return Math.exp(logIncompleteGamma(a, x).lower);
}

/** Q(a, x) = 1 − P(a, x), with its own digits when it is small. */
export function incompleteGammaComplement(a: number, x: number): number {
  return Math.exp(logIncompleteGamma(a, x).upper);
}
