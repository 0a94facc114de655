// The regularised incomplete beta function and its logarithm, both tails.

import { logBinomialMass } from './saddle-point.js';

const TINY = 1e-300;

/** Both tails of a distribution in natural logarithms, so that neither is lost when the other is near one. */
export interface LogTails {
  readonly lower: number;
  readonly upper: number;
}

/** log(1 − e^x) for x ≤ 0, keeping its digits at both ends. */
export function logOneMinusExp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/** The continued fraction by Lentz's method; converges fast when x < (a+1)/(a+b+2). */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < TINY ? TINY : d);
  let h = d;
  // The number of terms grows as the square root of the larger parameter; the cap is far above that.
  for (let m = 1; m < 1_000_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = 1 + even / c;
    if (Math.abs(c) < TINY) c = TINY;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = 1 + odd / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 2e-16) return h;
  }
  return Number.NaN;
}

/** log I_x(a, b) by the fraction, where it converges fast. */
function logFractionTail(a: number, b: number, x: number, y: number): number {
  // x^a y^b / (a B(a,b)) is the binomial mass at (a, b) times b / (a+b).
  const front = logBinomialMass(a, b, x, y) + Math.log(b / (a + b));
  return front + Math.log(betaFraction(a, b, x));
}

/** Both tails of the beta distribution at x, where y = 1 − x is given on its own to keep its digits. */
export function logIncompleteBeta(a: number, b: number, x: number, y: number = 1 - x): LogTails {
  if (!(a > 0 && b > 0 && x >= 0 && y >= 0) || a === Infinity || b === Infinity) {
    return { lower: Number.NaN, upper: Number.NaN };
  }
  if (x === 0) return { lower: Number.NEGATIVE_INFINITY, upper: 0 };
  if (y === 0) return { lower: 0, upper: Number.NEGATIVE_INFINITY };
  if (x * (a + b + 2) < a + 1) {
    const lower = Math.min(0, logFractionTail(a, b, x, y));
    return { lower, upper: logOneMinusExp(lower) };
  }
  const upper = Math.min(0, logFractionTail(b, a, y, x));
  return { lower: logOneMinusExp(upper), upper };
}

/** I_x(a, b): the beta distribution function; NaN outside 0 ≤ x ≤ 1 or for parameters that are not positive. */
export function incompleteBeta(a: number, b: number, x: number): number {
  return Math.exp(logIncompleteBeta(a, b, x).lower);
}
