// A deterministic random source: the same seed gives the same draws on every machine, for ever.

import { drawGamma, drawNegativeBinomial, drawNormal, drawPoisson } from './random-draws.js';
import { sfc32 } from './sfc32.js';

const TWO_POW_26 = 67_108_864;
const TWO_POW_32 = 4_294_967_296;
const TWO_POW_53 = 9_007_199_254_740_992;

/** Random draws that depend only on the seed and on the order of the calls. */
export interface SeededRandom {
  /** The next raw 32-bit word. */
  word(): number;
  /** A double on [0, 1) with all 53 bits drawn, or on [low, high) when bounds are given. */
  uniform(low?: number, high?: number): number;
  /** A whole number, both ends included. */
  integer(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  normal(mean?: number, standardDeviation?: number): number;
  exponential(mean?: number): number;
  /** Gamma with the given shape; its mean is shape × scale. */
  gamma(shape: number, scale?: number): number;
  poisson(mean: number): number;
  /** Variance = mean + mean² / dispersion; an infinite dispersion is Poisson. */
  negativeBinomial(mean: number, dispersion: number): number;
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy; the argument keeps its order. */
  shuffle<T>(items: readonly T[]): T[];
  /** A substream fixed by the seed and the chain of names, whatever has been drawn before. */
  fork(name: string): SeededRandom;
}

/** Opens the stream that belongs to the seed. */
export function seededRandom(seed: number | string): SeededRandom {
  const key = `${typeof seed}:${seed}`;
  const word = sfc32(key);
  const unit = (): number => {
    // Two words, because one 32-bit word leaves gaps that show in tail draws.
    const high = word() >>> 5;
    const low = word() >>> 6;
    return (high * TWO_POW_26 + low) / TWO_POW_53;
  };

  const integer = (low: number, high: number): number => {
    const span = high - low + 1;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || !(span >= 1)) {
      throw new RangeError(`integer needs whole bounds with low <= high, got ${low} and ${high}`);
    }
    if (span > TWO_POW_32) return low + Math.floor(unit() * span);
    // Words above the last full multiple of the span would favour the small results.
    const limit = TWO_POW_32 - (TWO_POW_32 % span);
    let drawn = word();
    while (drawn >= limit) drawn = word();
    return low + (drawn % span);
  };

  return {
    word,
    uniform: (low = 0, high = 1) => low + (high - low) * unit(),
    integer,
    chance: (probability) => unit() < probability,
    normal: (mean = 0, standardDeviation = 1) => mean + standardDeviation * drawNormal(unit),
    exponential: (mean = 1) => -mean * Math.log(1 - unit()),
    gamma: (shape, scale = 1) => drawGamma(unit, shape) * scale,
    poisson: (mean) => drawPoisson(unit, mean),
    negativeBinomial: (mean, dispersion) => drawNegativeBinomial(unit, mean, dispersion),
    pick: (items) => {
      if (items.length === 0) throw new RangeError('pick needs at least one item');
      return items[integer(0, items.length - 1)]!;
    },
    shuffle: <T>(items: readonly T[]): T[] => {
      const copy = items.slice();
      for (let i = copy.length - 1; i > 0; i -= 1) {
        const j = integer(0, i);
        const held = copy[i]!;
        copy[i] = copy[j]!;
        copy[j] = held;
      }
      return copy;
    },
    // The separator cannot end a parent key and start a name, so two chains never meet by accident.
    fork: (name) => seededRandom(`${key.length}:${key}/${name}`),
  };
}
