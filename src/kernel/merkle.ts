// RFC 6962/9162 Merkle trees: hashing, growing, proving from stored subtree hashes, and verifying offline.
import { hash } from 'node:crypto';

export const HASH_BYTES = 32;

/** The root of no leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = sha256('');

// The prefixes keep a leaf from passing for an inner node and the other way round.
const LEAF_PREFIX = Buffer.from([0x00]);
const NODE_PREFIX = 0x01;
const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES);
nodeInput[0] = NODE_PREFIX;

/** By way of text, because a buffer of its own for every digest takes longer than the hashing. */
function sha256(input: string | Uint8Array): Buffer {
  return Buffer.from(hash('sha256', input, 'binary'), 'binary');
}

export function leafHash(data: string | Uint8Array): Buffer {
  // A string takes its prefix as a character, which spares two copies.
  const input = typeof data === 'string' ? `\0${data}` : Buffer.concat([LEAF_PREFIX, data]);
  return sha256(input);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES)
    throw new RangeError('a node joins two hashes');
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + HASH_BYTES);
  return sha256(nodeInput);
}

// Sizes may pass 2^32, where JavaScript's bit operators have long wrapped around; division does not up to 2^53.
const isOdd = (n: number): boolean => n % 2 === 1;
const half = (n: number): number => Math.floor(n / 2);
const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

function requireSize(size: number): void {
  if (!isCount(size)) throw new RangeError(`a tree cannot have ${size} leaves`);
}

/** Told of each complete subtree as it closes: the hash over leaves [index · 2^level, (index + 1) · 2^level). */
export type NodeSink = (level: number, index: number, hash: Buffer) => void;

/** Gives back what a NodeSink was told. Only complete subtrees are ever asked for, so tiles hold all of them. */
export type NodeReader = (level: number, index: number) => Uint8Array;

export interface FrontierState {
  readonly size: number;
  /** Hex hashes of the complete subtrees that make up the tree, largest first. */
  readonly peaks: readonly string[];
}

/** A tree that grows by one leaf at a time and remembers only its complete subtrees: at most one per level. */
export class MerkleFrontier {
  #size = 0;
  #peaks: Buffer[] = [];

  static restore(state: FrontierState): MerkleFrontier {
    requireSize(state.size);
    let expected = 0;
    for (let rest = state.size; rest > 0; rest = half(rest)) if (isOdd(rest)) expected++;
    const peaks = state.peaks.map((text) => Buffer.from(text, 'hex'));
    if (peaks.length !== expected || state.peaks.some((text) => !/^[0-9a-f]{64}$/.test(text))) {
      throw new RangeError(`a tree of ${state.size} leaves has ${expected} peaks of ${HASH_BYTES} bytes`);
    }
    const frontier = new MerkleFrontier();
    frontier.#size = state.size;
    frontier.#peaks = peaks;
    return frontier;
  }

  get size(): number {
    return this.#size;
  }

  append(leaf: Uint8Array, sink?: NodeSink): void {
    if (leaf.length !== HASH_BYTES)
      throw new RangeError(`a leaf hash has ${HASH_BYTES} bytes, not ${leaf.length}`);
    let node: Buffer = Buffer.from(leaf);
    let index = this.#size;
    sink?.(0, index, node);
    // As in counting: every trailing one of the old size is a subtree that the new leaf completes a twin for.
    for (let level = 1; isOdd(index); level++) {
      node = nodeHash(this.#peaks.pop()!, node);
      index = half(index);
      sink?.(level, index, node);
    }
    this.#peaks.push(node);
    this.#size++;
  }

  root(): Buffer {
    return foldPeaks(this.#peaks);
  }

  serialise(): FrontierState {
    return { size: this.#size, peaks: this.#peaks.map((peak) => peak.toString('hex')) };
  }
}

function foldPeaks(peaks: readonly Uint8Array[]): Buffer {
  const last = peaks.at(-1);
  if (last === undefined) return EMPTY_ROOT;
  return peaks.slice(0, -1).reduceRight<Buffer>((right, left) => nodeHash(left, right), Buffer.from(last));
}

export interface MerkleTree {
  readonly size: number;
  root(): Buffer;
  inclusionProof(index: number): Buffer[];
  /** From the tree of the first `oldSize` leaves to this one. */
  consistencyProof(oldSize: number): Buffer[];
}

/** The tree of the first `size` leaves of a log whose complete subtrees can be read. */
export function createMerkleTree(size: number, read: NodeReader): MerkleTree {
  requireSize(size);
  // A range that ends with the tree is the only one that is not a stored subtree; each is folded once and kept.
  const edges = new Map<number, Buffer>();

  /** The root over leaves [begin, begin + count); `begin` is a multiple of the largest power of two in `count`. */
  function rangeRoot(begin: number, count: number): Buffer {
    const isEdge = begin + count === size;
    const known = isEdge ? edges.get(begin) : undefined;
    if (known !== undefined) return known;
    const peaks: Uint8Array[] = [];
    for (let at = begin, rest = count; rest > 0; ) {
      const { level, width } = largestPower(rest);
      peaks.push(read(level, at / width));
      at += width;
      rest -= width;
    }
    const root = foldPeaks(peaks);
    if (isEdge) edges.set(begin, root);
    return root;
  }

  /** Halves the tree towards `leaf` until `stop`, collecting the halves not taken, the outermost first. */
  function descend(leaf: number, stop: (begin: number, count: number) => boolean) {
    const siblings: Buffer[] = [];
    let begin = 0;
    let count = size;
    while (!stop(begin, count)) {
      const left = splitPoint(count);
      if (leaf < begin + left) {
        siblings.push(rangeRoot(begin + left, count - left));
        count = left;
      } else {
        siblings.push(rangeRoot(begin, left));
        begin += left;
        count -= left;
      }
    }
    return { siblings, begin, count };
  }

  function inclusionProof(index: number): Buffer[] {
    if (!isCount(index) || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
    return descend(index, (_, count) => count === 1).siblings.reverse();
  }

  function consistencyProof(oldSize: number): Buffer[] {
    if (!isCount(oldSize) || oldSize < 1 || oldSize > size) {
      throw new RangeError(`no proof from ${oldSize} to ${size} leaves`);
    }
    const { siblings, begin, count } = descend(oldSize - 1, (first, width) => first + width === oldSize);
    // Begun at zero, the range left over is the old tree itself, whose root the verifier already holds.
    if (begin > 0) siblings.push(rangeRoot(begin, count));
    return siblings.reverse();
  }

  return { size, root: () => rangeRoot(0, size), inclusionProof, consistencyProof };
}

function largestPower(count: number): { level: number; width: number } {
  let level = 0;
  let width = 1;
  for (; width * 2 <= count; width *= 2) level++;
  return { level, width };
}

/** The largest power of two below `count`: where RFC 6962 divides a tree. */
function splitPoint(count: number): number {
  const { width } = largestPower(count);
  return width === count ? width / 2 : width;
}

/** The tree over leaf hashes held in memory. */
function treeOf(leafHashes: readonly Uint8Array[]): MerkleTree {
  const levels: Buffer[][] = [];
  const frontier = new MerkleFrontier();
  const keep: NodeSink = (level, _, node) => {
    if (levels[level] === undefined) levels.push([node]);
    else levels[level].push(node);
  };
  for (const leaf of leafHashes) frontier.append(leaf, keep);
  return createMerkleTree(leafHashes.length, (level, index) => levels[level]![index]!);
}

export function merkleRoot(leafHashes: readonly Uint8Array[]): Buffer {
  const frontier = new MerkleFrontier();
  for (const leaf of leafHashes) frontier.append(leaf);
  return frontier.root();
}

export function inclusionProof(leafHashes: readonly Uint8Array[], index: number): Buffer[] {
  return treeOf(leafHashes).inclusionProof(index);
}

export function consistencyProof(leafHashes: readonly Uint8Array[], oldSize: number): Buffer[] {
  return treeOf(leafHashes).consistencyProof(oldSize);
}

export interface InclusionClaim {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** Whether the proof shows that the leaf hash stands at `index` in the tree (RFC 9162, 2.1.3.2). */
export function verifyInclusion({ leaf, index, size, proof, root }: InclusionClaim): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (![leaf, root, ...proof].every(isHash)) return false;
  let node = leaf;
  let position = index;
  let last = size - 1;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      node = nodeHash(sibling, node);
      // At the right edge there are levels without a sibling; the proof passes over them.
      while (!isOdd(position) && position !== 0) [position, last] = [half(position), half(last)];
    } else node = nodeHash(node, sibling);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && equalBytes(node, root);
}

export interface ConsistencyClaim {
  readonly oldSize: number;
  readonly newSize: number;
  readonly oldRoot: Uint8Array;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Whether the proof shows that the new tree begins with the whole old one (RFC 9162, 2.1.4.2). */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { oldSize, newSize, oldRoot, newRoot, proof } = claim;
  // An empty old tree is a prefix of every tree, so a proof from it would prove nothing.
  if (!isCount(oldSize) || !isCount(newSize) || oldSize < 1 || oldSize > newSize) return false;
  if (![oldRoot, newRoot, ...proof].every(isHash)) return false;
  if (oldSize === newSize) return proof.length === 0 && equalBytes(oldRoot, newRoot);
  // A complete old tree is itself the first node of the proof and is left out of it.
  const [first, ...rest] = largestPower(oldSize).width === oldSize ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let position = oldSize - 1;
  let last = newSize - 1;
  while (isOdd(position)) [position, last] = [half(position), half(last)];
  let oldNode = first;
  let newNode = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      oldNode = nodeHash(sibling, oldNode);
      newNode = nodeHash(sibling, newNode);
      while (!isOdd(position) && position !== 0) [position, last] = [half(position), half(last)];
    } else newNode = nodeHash(newNode, sibling);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && equalBytes(oldNode, oldRoot) && equalBytes(newNode, newRoot);
}

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;
// Roots are public; nothing is learnt from how long a comparison takes.
const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
