// The binomial distribution function and the beta quantile that exact intervals are made from.

import { logIncompleteBeta } from './incomplete-beta.js';
import { solveLogTails } from './quantile-solver.js';

/** P(X ≤ x) for n trials with the given chance each. */
export function binomialCdf(x: number, trials: number, probability: number): number {
  if (Number.isNaN(x) || !(trials >= 0) || !(probability >= 0 && probability <= 1)) return Number.NaN;
  const k = Math.floor(x);
  if (k < 0) return 0;
  if (k >= trials) return 1;
  return Math.exp(logIncompleteBeta(k + 1, trials - k, probability).upper);
}

/** The x in [0, 1] with I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1) || !(a > 0 && b > 0)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  // On the log-odds scale both ends of the interval are equally far away.
  const odds = solveLogTails(
    (u) => logIncompleteBeta(a, b, 1 / (1 + Math.exp(-u)), 1 / (1 + Math.exp(u))),
    Math.log(p),
    Math.log1p(-p),
  );
  return 1 / (1 + Math.exp(-odds));
}
