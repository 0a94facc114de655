// MinHash signatures of shingle sets, written for a hot path: integer multiplies only and no allocation.

import { sfc32 } from './sfc32.js';

/** What every slot holds for an empty set; two empty sets therefore look identical, so test for emptiness first. */
export const EMPTY_SLOT = 0x7fffffff;

/** Odd, so that multiplying by it permutes the 32-bit words. */
const FOLD_MULTIPLIER = 0x2c1b3c6d;

/** Turns a set of 32-bit shingle hashes into a signature. */
export interface MinHasher {
  readonly permutations: number;
  /** Fills the first `permutations` slots of `into` with 31-bit minima. */
  signature(shingleHashes: ArrayLike<number>, into: Uint32Array): void;
}

/** Fixes the hash family; signatures can be compared only if they share both arguments. */
export function createMinHasher(permutations: number, seed: number): MinHasher {
  if (!Number.isInteger(permutations) || permutations < 1) {
    throw new RangeError(`permutations must be a positive whole number, got ${permutations}`);
  }
  // Permutations run in pairs, so an odd number gets one spare whose result is not stored.
  const padded = permutations + (permutations & 1);
  const offsets = new Int32Array(padded);
  const multipliers = new Int32Array(padded);
  const word = sfc32(`min-hash:${seed}`);
  for (let i = 0; i < padded; i += 1) {
    offsets[i] = word();
    multipliers[i] = word() | 1;
  }
  let scratch = new Int32Array(256);

  return {
    permutations,
    signature(shingleHashes, into) {
      if (into.length < permutations) throw new RangeError('signature needs one slot per permutation');
      const count = shingleHashes.length;
      if (scratch.length < count) scratch = new Int32Array(2 * count);
      // One copy into signed words spares a conversion from unsigned in every step below.
      const words = scratch;
      for (let j = 0; j < count; j += 1) words[j] = shingleHashes[j]!;

      for (let i = 0; i < permutations; i += 2) {
        const offsetA = offsets[i]!;
        const offsetB = offsets[i + 1]!;
        const multiplierA = multipliers[i]!;
        const multiplierB = multipliers[i + 1]!;
        let leastA = EMPTY_SLOT;
        let leastB = EMPTY_SLOT;
        for (let j = 0; j < count; j += 1) {
          const shingle = words[j]!;
          // Without the fold by 15 the family is affine and its minima lean for structured inputs.
          let h = Math.imul(shingle ^ offsetA, multiplierA);
          // 31 bits, so the difference below cannot overflow; min by masks, since the branch is unpredictable.
          h = Math.imul(h ^ (h >>> 15), FOLD_MULTIPLIER) >>> 1;
          const gapA = (h - leastA) | 0;
          leastA = (leastA + (gapA & (gapA >> 31))) | 0;
          h = Math.imul(shingle ^ offsetB, multiplierB);
          h = Math.imul(h ^ (h >>> 15), FOLD_MULTIPLIER) >>> 1;
          const gapB = (h - leastB) | 0;
          leastB = (leastB + (gapB & (gapB >> 31))) | 0;
        }
        into[i] = leastA;
        if (i + 1 < permutations) into[i + 1] = leastB;
      }
    },
  };
}

/** The signature of one set, where no hasher is at hand; comparable with those of the same number and seed. */
export function minHash(shingleHashes: ArrayLike<number>, permutations = 128, seed = 1): Uint32Array {
  const signature = new Uint32Array(permutations);
  createMinHasher(permutations, seed).signature(shingleHashes, signature);
  return signature;
}

/** The share of equal slots: an unbiased estimate of the Jaccard similarity of the two sets. */
export function signatureSimilarity(a: Uint32Array, b: Uint32Array): number {
  if (a.length !== b.length || a.length === 0) return Number.NaN;
  let equal = 0;
  for (let i = 0; i < a.length; i += 1) if (a[i] === b[i]) equal += 1;
  return equal / a.length;
}
