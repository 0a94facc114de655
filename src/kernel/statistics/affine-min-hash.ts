// The classical affine MinHash modulo 2⁶¹ − 1, for signatures that other programs must be able to recompute.

const MERSENNE_61 = (1n << 61n) - 1n;
const MASK_64 = (1n << 64n) - 1n;
const MASK_32 = (1n << 32n) - 1n;

/** Multiplier and offset of one permutation. */
export type AffinePermutation = readonly [multiplier: bigint, offset: bigint];

/**
 * Per permutation the least of ((a·h + b) mod 2⁶⁴ mod (2⁶¹ − 1)) cut to 32 bits.
 * The wrap at 2⁶⁴ is part of the published scheme: without it the signatures do not match.
 */
export function affineMinHash(
  hashes: ArrayLike<number>,
  permutations: readonly AffinePermutation[],
): Uint32Array {
  const signature = new Uint32Array(permutations.length).fill(0xffffffff);
  permutations.forEach(([a, b], i) => {
    for (let j = 0; j < hashes.length; j += 1) {
      const value = Number((((a * BigInt(hashes[j]!) + b) & MASK_64) % MERSENNE_61) & MASK_32);
      if (value < signature[i]!) signature[i] = value;
    }
  });
  return signature;
}
