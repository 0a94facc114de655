// Word shingles as sorted sets of 32-bit hashes, and the exact Jaccard similarity of two such sets.

/** The hash of the characters from `begin` up to `end`. */
export function hashToken(text: string, begin = 0, end = text.length): number {
  let h = 0x811c9dc5;
  for (let i = begin; i < end; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h ^ (end - begin);
}

function finish(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Insertion sort wins on the few dozen shingles of a post; longer texts go to the built-in sort. */
function sortWords(words: Uint32Array): void {
  if (words.length > 48) {
    words.sort();
    return;
  }
  for (let i = 1; i < words.length; i += 1) {
    const held = words[i]!;
    let j = i - 1;
    while (j >= 0 && words[j]! > held) {
      words[j + 1] = words[j]!;
      j -= 1;
    }
    words[j + 1] = held;
  }
}

function distinctSorted(words: Uint32Array): Uint32Array {
  sortWords(words);
  let kept = 0;
  for (let i = 0; i < words.length; i += 1) {
    if (i === 0 || words[i] !== words[i - 1]) {
      words[kept] = words[i]!;
      kept += 1;
    }
  }
  return kept === words.length ? words : words.subarray(0, kept);
}

/** Token hashes of the call under way. */
let scratch = new Int32Array(256);

const SLAB = 16_384;
let slab = new Uint32Array(SLAB);
let slabUsed = 0;

/** Small arrays with a buffer each are dear to make and to collect, so many of them share one. */
function cutFromSlab(length: number): Uint32Array {
  if (length > SLAB / 16) return new Uint32Array(length);
  if (slabUsed + length > SLAB) {
    slab = new Uint32Array(SLAB);
    slabUsed = 0;
  }
  slabUsed += length;
  return slab.subarray(slabUsed - length, slabUsed);
}

/**
 * The distinct hashes, sorted upwards, of every run of `width` tokens.
 * A text shorter than the width is one shingle of all its tokens; an empty text has none.
 */
export function shingleHashes(tokens: readonly string[], width: number): Uint32Array {
  if (scratch.length < tokens.length) scratch = new Int32Array(2 * tokens.length);
  for (let i = 0; i < tokens.length; i += 1) scratch[i] = hashToken(tokens[i]!);
  return shinglesOf(scratch, tokens.length, width);
}

/** The same from the hashes of the tokens, the first `count` of `words`: for whoever reads a text without cutting it. */
export function shinglesOf(words: Int32Array, count: number, width: number): Uint32Array {
  if (!Number.isInteger(width) || width < 1) throw new RangeError(`width must be a positive whole number`);
  if (count === 0) return new Uint32Array(0);
  const run = Math.min(width, count);
  const shingles = cutFromSlab(count - run + 1);
  for (let start = 0; start < shingles.length; start += 1) {
    let h = 0x9747b28c;
    // Rotating before each word makes the order of the words count.
    for (let i = start; i < start + run; i += 1)
      h = Math.imul(((h << 13) | (h >>> 19)) ^ words[i]!, 0x5bd1e995);
    shingles[start] = finish(h);
  }
  return distinctSorted(shingles);
}

/** |A ∩ B| / |A ∪ B| of two sorted sets of distinct words; NaN when both are empty. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  let i = 0;
  let j = 0;
  let shared = 0;
  while (i < a.length && j < b.length) {
    const left = a[i]!;
    const right = b[j]!;
    if (left === right) shared += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return shared / (a.length + b.length - shared);
}
