// Proofs over a log whose subtree hashes lie elsewhere: one question to the store for all that a proof needs.
import { createMerkleTree, HASH_BYTES, type MerkleTree } from './merkle.js';

/** A complete subtree: the hash over leaves [index · 2^level, (index + 1) · 2^level). */
export interface TreePlace {
  readonly level: number;
  readonly index: number;
}

/** The hashes at the places, in the order asked. */
export type FetchHashes = (places: readonly TreePlace[]) => Promise<readonly Uint8Array[]>;

const UNKNOWN = Buffer.alloc(HASH_BYTES);

/**
 * Whatever `ask` wants of the tree of the first `size` leaves, with one fetch. It is asked twice, first over nothing:
 * which subtrees a tree reads depends on the numbers alone, never on the hashes.
 */
export async function fromStore<T>(
  size: number,
  ask: (tree: MerkleTree) => T,
  fetch: FetchHashes,
): Promise<T> {
  const places = new Map<string, TreePlace>();
  const dryTree = createMerkleTree(size, (level, index) => {
    places.set(keyOf(level, index), { level, index });
    return UNKNOWN;
  });
  const dryAnswer = ask(dryTree);
  if (places.size === 0) return dryAnswer;
  const hashes = await fetch([...places.values()]);
  if (hashes.length !== places.size)
    throw new RangeError(`${places.size} hashes were asked for, ${hashes.length} came`);
  const known = new Map(Array.from(places.keys(), (key, i) => [key, hashes[i]!]));
  return ask(createMerkleTree(size, (level, index) => known.get(keyOf(level, index))!));
}

const keyOf = (level: number, index: number): string => `${level}/${index}`;

export function storedRoot(size: number, fetch: FetchHashes): Promise<Buffer> {
  return fromStore(size, (tree) => tree.root(), fetch);
}

export function storedInclusionProof(index: number, size: number, fetch: FetchHashes): Promise<Buffer[]> {
  return fromStore(size, (tree) => tree.inclusionProof(index), fetch);
}

export function storedConsistencyProof(
  oldSize: number,
  newSize: number,
  fetch: FetchHashes,
): Promise<Buffer[]> {
  return fromStore(newSize, (tree) => tree.consistencyProof(oldSize), fetch);
}

/** The complete subtrees that make up a tree, largest first: what a writer must know to go on from there. */
export function peakPlaces(size: number): TreePlace[] {
  const places: TreePlace[] = [];
  createMerkleTree(size, (level, index) => {
    places.push({ level, index });
    return UNKNOWN;
  }).root();
  return places;
}
