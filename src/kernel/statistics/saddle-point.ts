// Loader's saddle-point pieces, which give binomial and Poisson masses to full precision even when they are tiny.

import { logGamma, stirlingRemainder } from './log-gamma.js';

const HALF_LOG_TWO_PI = 0.9189385332046728;
const LOG_TWO_PI = 1.8378770664093456;

/** log Γ(x + 1) minus its leading Stirling terms, for x > 0. */
export function stirlingError(x: number): number {
  if (x > 9) return stirlingRemainder(x);
  return logGamma(x + 1) - (x + 0.5) * Math.log(x) + x - HALF_LOG_TWO_PI;
}

/** x log(x/m) + m − x, computed so that x ≈ m does not cancel. */
export function deviance(x: number, m: number): number {
  if (x === 0) return m;
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let sum = (x - m) * v;
  let term = 2 * x * v;
  for (let k = 1; k < 1000; k += 1) {
    term *= v * v;
    const next = sum + term / (2 * k + 1);
    if (next === sum) return next;
    sum = next;
  }
  return sum;
}

/** log of e^(−m) m^x / Γ(x+1), for real x ≥ 0 and m > 0. */
export function logPoissonMass(x: number, m: number): number {
  if (x === 0) return -m;
  return -0.5 * (LOG_TWO_PI + Math.log(x)) - stirlingError(x) - deviance(x, m);
}

/** log of Γ(a+b+1)/(Γ(a+1)Γ(b+1)) p^a q^b, for real a, b ≥ 0 and q = 1 − p given on its own to keep its digits. */
export function logBinomialMass(a: number, b: number, p: number, q: number): number {
  if (a === 0 && b === 0) return 0;
  const n = a + b;
  if (a === 0) return p < 0.1 ? -deviance(n, n * q) - n * p : n * Math.log(q);
  if (b === 0) return q < 0.1 ? -deviance(n, n * p) - n * q : n * Math.log(p);
  const correction = stirlingError(n) - stirlingError(a) - stirlingError(b);
  const spread = 0.5 * (LOG_TWO_PI + Math.log(a) + Math.log(b) - Math.log(n));
  return correction - deviance(a, n * p) - deviance(b, n * q) - spread;
}
