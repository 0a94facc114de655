// SimHash: a 64-bit fingerprint whose distance in bits grows with the angle between two feature vectors.

const MASK_32 = 0xffffffffn;

/** Adds ±weight per bit of the word to 32 tallies. */
function tally(counts: Float64Array, offset: number, word: number, weight: number): void {
  for (let bit = 0; bit < 32; bit += 1) {
    const place = offset + bit;
    counts[place] = counts[place]! + ((word >>> bit) & 1 ? weight : -weight);
  }
}

function majority(counts: Float64Array, offset: number): number {
  let word = 0;
  for (let bit = 0; bit < 32; bit += 1) if (counts[offset + bit]! > 0) word |= 1 << bit;
  return word >>> 0;
}

/** Fingerprint of features given by their 64-bit hashes, each counted once or with its weight. */
export function simHash(hashes: readonly bigint[], weights?: ArrayLike<number>): bigint {
  if (weights !== undefined && weights.length !== hashes.length)
    throw new RangeError('one weight per hash is needed');
  // Two 32-bit halves, because big integers are slow bit by bit.
  const counts = new Float64Array(64);
  hashes.forEach((hash, i) => {
    const weight = weights === undefined ? 1 : weights[i]!;
    tally(counts, 0, Number(hash & MASK_32), weight);
    tally(counts, 32, Number((hash >> 32n) & MASK_32), weight);
  });
  return (BigInt(majority(counts, 32)) << 32n) | BigInt(majority(counts, 0));
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits two fingerprints disagree in. */
export function hammingDistance(a: bigint, b: bigint): number {
  const difference = a ^ b;
  return bitCount(Number(difference & MASK_32)) + bitCount(Number((difference >> 32n) & MASK_32));
}
