// The block bootstrap: repeatable, right for independent data, wider for dependent data.

import { describe, expect, it } from 'vitest';
import { blockBootstrapInterval } from './block-bootstrap.js';
import { politisWhiteBlockLength } from './block-length.js';
import { expectClose } from './golden-cases.suite.js';
import { mean, standardDeviation } from './moments.js';
import { median } from './order-statistics.js';
import { seededRandom } from './seeded-random.js';

function autoregression(seed: string, n: number, persistence: number): number[] {
  const random = seededRandom(seed);
  const x: number[] = [];
  for (let t = 0; t < n; t += 1) x.push(persistence * (x[t - 1] ?? 0) + random.normal());
  return x;
}

describe('blockBootstrapInterval', () => {
  const independent = autoregression('independent', 400, 0);
  const dependent = autoregression('dependent', 400, 0.8);

  it('repeats itself for a seed', () => {
    const options = { block: 5, seed: 'a', draws: 300 };
    expect(blockBootstrapInterval(dependent, options)).toEqual(blockBootstrapInterval(dependent, options));
    expect(blockBootstrapInterval(dependent, { ...options, seed: 'b' })).not.toEqual(
      blockBootstrapInterval(dependent, options),
    );
  });

  it('finds the textbook standard error when nothing depends on anything', () => {
    const result = blockBootstrapInterval(independent, { block: 1, seed: 1 });
    const naive = standardDeviation(independent) / Math.sqrt(400);
    expectClose(result.se, naive, { rel: 0.08 });
    expect(result.estimate).toBe(mean(independent));
    expectClose(result.high - result.low, 2 * 1.96 * naive, { rel: 0.1 });
  });

  it.each(['stationary', 'circular'] as const)('sees dependence through %s blocks', (kind) => {
    const naive = standardDeviation(dependent) / Math.sqrt(400);
    const { se } = blockBootstrapInterval(dependent, { block: 25, seed: 1, kind });
    expect(se).toBeGreaterThan(1.8 * naive);
  });

  it('tests against zero', () => {
    const shifted = independent.map((x) => x + 1);
    expect(blockBootstrapInterval(shifted, { block: 4, seed: 2 }).p).toBeLessThan(0.001);
    expect(blockBootstrapInterval(shifted, { block: 4, seed: 2 }).p).toBeGreaterThan(0);
    expect(blockBootstrapInterval([-1, 1, -1, 1], { block: 1, seed: 2 }).p).toBe(1);
  });

  it('takes any statistic, and has no answer for gaps', () => {
    const result = blockBootstrapInterval(independent, { block: 2, seed: 3, draws: 200, statistic: median });
    expect(result.estimate).toBe(median(independent));
    expect(result.low).toBeLessThan(result.high);
    for (const x of [[1, Number.NaN, 3], [1], []]) {
      const { low, high, se, p } = blockBootstrapInterval(x, { block: 1, seed: 3 });
      expect([low, high, se, p].every(Number.isNaN)).toBe(true);
    }
    expect(() => blockBootstrapInterval([1, 2], { block: 0, seed: 1 })).toThrow(RangeError);
    expect(() => blockBootstrapInterval([1, 2], { block: 1.5, seed: 1, kind: 'circular' })).toThrow(
      RangeError,
    );
    expect(() => blockBootstrapInterval([1, 2], { block: 1, seed: 1, draws: 0 })).toThrow(RangeError);
  });
});

describe('politisWhiteBlockLength', () => {
  it('is short for noise and grows with memory', () => {
    const lengths = [0, 0.5, 0.9].map(
      (phi) => politisWhiteBlockLength(autoregression('w', 2000, phi)).stationary,
    );
    expect(lengths[0]).toBeLessThan(6);
    expect(lengths[1]).toBeGreaterThan(lengths[0]!);
    expect(lengths[2]).toBeGreaterThan(lengths[1]!);
    expect(lengths[2]).toBeLessThanOrEqual(Math.ceil(3 * Math.sqrt(2000)));
  });

  it('keeps the theoretical ratio between circular and stationary blocks', () => {
    const { stationary, circular } = politisWhiteBlockLength(autoregression('w', 2000, 0.5));
    expectClose(circular / stationary, Math.cbrt(1.5), { rel: 1e-12 });
  });

  it('comes near the best length of an autoregression', () => {
    // For persistence ρ the constants are known: G/g = 2ρ/(1−ρ²), so the best length is (G² n / g²)^(1/3).
    const [rho, n] = [0.5, 20_000];
    const best = Math.cbrt(((2 * rho) / (1 - rho * rho)) ** 2 * n);
    expectClose(politisWhiteBlockLength(autoregression('long', n, rho)).stationary, best, { rel: 0.15 });
  });

  it('has no answer for constants, gaps and short series', () => {
    for (const x of [
      Array.from({ length: 50 }, () => 2),
      [1, 2, 3],
      [...autoregression('g', 50, 0), Number.NaN],
    ]) {
      expect(politisWhiteBlockLength(x)).toEqual({ stationary: Number.NaN, circular: Number.NaN });
    }
  });
});
