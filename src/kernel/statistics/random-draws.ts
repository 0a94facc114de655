// Draws from the common distributions, each made from a source of uniforms on [0, 1).

import { logGamma } from './log-gamma.js';

/** A source of uniforms on [0, 1). */
export type UniformSource = () => number;

/** Marsaglia's polar method; the pair's second half is dropped so a draw carries no hidden state. */
export function drawNormal(uniform: UniformSource): number {
  for (;;) {
    const u = 2 * uniform() - 1;
    const v = 2 * uniform() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}

/** Marsaglia and Tsang's squeeze for a gamma of unit scale. */
export function drawGamma(uniform: UniformSource, shape: number): number {
  if (!(shape > 0) || shape === Number.POSITIVE_INFINITY) return Number.NaN;
  if (shape < 1) {
    // In logs, because u^(1/shape) underflows for small shapes long before the product is zero.
    const boosted = Math.log(drawGamma(uniform, shape + 1));
    return Math.exp(boosted + Math.log(1 - uniform()) / shape);
  }
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(uniform);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = 1 - uniform();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Knuth's product for small means, Hörmann's transformed rejection (PTRS) for the rest. */
export function drawPoisson(uniform: UniformSource, mean: number): number {
  if (!(mean >= 0) || mean === Number.POSITIVE_INFINITY) return Number.NaN;
  if (mean < 10) {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = uniform(); product > limit; product *= uniform()) count += 1;
    return count;
  }
  const spread = 0.931 + 2.53 * Math.sqrt(mean);
  const slope = -0.059 + 0.02483 * spread;
  const inverseAlpha = 1.1239 + 1.1328 / (spread - 3.4);
  const quickAccept = 0.9277 - 3.6224 / (spread - 2);
  const logMean = Math.log(mean);
  for (;;) {
    const u = uniform() - 0.5;
    const v = 1 - uniform();
    const us = 0.5 - Math.abs(u);
    const count = Math.floor(((2 * slope) / us + spread) * u + mean + 0.43);
    if (us >= 0.07 && v <= quickAccept) return count;
    if (count < 0 || (us < 0.013 && v > us)) continue;
    const bound = Math.log((v * inverseAlpha) / (slope / (us * us) + spread));
    if (bound <= count * logMean - mean - logGamma(count + 1)) return count;
  }
}

/** A Poisson whose mean is itself gamma: variance = mean + mean² / dispersion. */
export function drawNegativeBinomial(uniform: UniformSource, mean: number, dispersion: number): number {
  if (dispersion === Number.POSITIVE_INFINITY) return drawPoisson(uniform, mean);
  if (!(mean >= 0) || !(dispersion > 0)) return Number.NaN;
  return drawPoisson(uniform, drawGamma(uniform, dispersion) * (mean / dispersion));
}
