// Proofs with one fetch are the proofs of the tree itself, at every small size and at sizes beyond 32 bits.
import { describe, expect, it } from 'vitest';
import {
  consistencyProof,
  EMPTY_ROOT,
  HASH_BYTES,
  inclusionProof,
  leafHash,
  MerkleFrontier,
  merkleRoot,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from './merkle.js';
import {
  type FetchHashes,
  fromStore,
  peakPlaces,
  storedConsistencyProof,
  storedInclusionProof,
  storedRoot,
} from './tree-proofs.js';

const LEAVES = Array.from({ length: 64 }, (_, i) => leafHash(`leaf ${i}`));

/** Compared as text: a matcher would walk the buffers byte by byte. */
const hex = (proof: readonly Buffer[]): string => proof.map((node) => node.toString('hex')).join();

/** A store that counts how often it is asked, and for how many hashes. */
function storeOf(leaves: readonly Buffer[]): {
  readonly fetch: FetchHashes;
  readonly asked: number[];
  readonly frontier: MerkleFrontier;
} {
  const nodes = new Map<string, Buffer>();
  const frontier = new MerkleFrontier();
  for (const leaf of leaves)
    frontier.append(leaf, (level, index, node) => nodes.set(`${level}/${index}`, node));
  const asked: number[] = [];
  const fetch: FetchHashes = async (places) => {
    asked.push(places.length);
    return places.map(({ level, index }) => {
      const node = nodes.get(`${level}/${index}`);
      if (node === undefined) throw new Error(`no subtree ${level}/${index}`);
      return node;
    });
  };
  return { fetch, asked, frontier };
}

describe('proofs from a store', () => {
  it('are those of the tree, for all sizes up to 64, with one fetch each', async () => {
    for (let size = 1; size <= LEAVES.length; size++) {
      const leaves = LEAVES.slice(0, size);
      const { fetch, asked } = storeOf(leaves);
      expect(await storedRoot(size, fetch)).toEqual(merkleRoot(leaves));
      for (let index = 0; index < size; index++)
        expect(hex(await storedInclusionProof(index, size, fetch))).toBe(hex(inclusionProof(leaves, index)));
      for (let old = 1; old <= size; old++)
        expect(hex(await storedConsistencyProof(old, size, fetch))).toBe(hex(consistencyProof(leaves, old)));
      // Nothing is asked for where nothing is needed: the only leaf of one, and a tree to itself.
      expect(asked.length).toBe(1 + (size === 1 ? 0 : size) + size - 1);
      expect(Math.min(...asked)).toBeGreaterThan(0);
    }
  });

  it('reads a smaller tree from the nodes of a larger one', async () => {
    const { fetch } = storeOf(LEAVES);
    for (let size = 1; size <= LEAVES.length; size++)
      expect(await storedRoot(size, fetch)).toEqual(merkleRoot(LEAVES.slice(0, size)));
  });

  it('asks once for several answers, and never twice for one hash', async () => {
    const { fetch, asked } = storeOf(LEAVES.slice(0, 45));
    const answer = await fromStore(
      45,
      (tree) => ({ root: tree.root(), proof: tree.inclusionProof(44), same: tree.inclusionProof(44) }),
      fetch,
    );
    const root = merkleRoot(LEAVES.slice(0, 45));
    expect(answer.same).toEqual(answer.proof);
    expect(verifyInclusion({ leaf: LEAVES[44]!, index: 44, size: 45, root, proof: answer.proof })).toBe(true);
    // 45 = 32 + 8 + 4 + 1: the proof of the last leaf reads three of these subtrees, the root the fourth.
    expect(asked).toEqual([4]);
  });

  it('needs no store for the empty tree, and refuses what no tree has before it asks', async () => {
    const { fetch, asked } = storeOf(LEAVES);
    expect(await storedRoot(0, fetch)).toEqual(EMPTY_ROOT);
    await expect(storedInclusionProof(5, 5, fetch)).rejects.toThrow(RangeError);
    await expect(storedConsistencyProof(0, 5, fetch)).rejects.toThrow(RangeError);
    await expect(storedConsistencyProof(6, 5, fetch)).rejects.toThrow(RangeError);
    expect(asked).toEqual([]);
    await expect(storedRoot(5, async () => [LEAVES[0]!])).rejects.toThrow('2 hashes were asked for, 1 came');
  });

  it('hold beyond 2^32 leaves', async () => {
    // All leaves alike, so that a subtree's hash follows from its level.
    const alike = [leafHash('common')];
    for (let level = 1; level < 53; level++) alike.push(nodeHash(alike[level - 1]!, alike[level - 1]!));
    const fetch: FetchHashes = async (places) =>
      places.map(({ level, index }) => {
        expect(Number.isSafeInteger(index) && index >= 0).toBe(true);
        return alike[level]!;
      });
    for (const size of [2 ** 32 + 12_345, 2 ** 33 - 1, 2 ** 46 + 2 ** 31 + 7]) {
      const root = await storedRoot(size, fetch);
      for (const index of [0, 2 ** 31 + 1, 2 ** 32 + 1, size - 1]) {
        const proof = await storedInclusionProof(index, size, fetch);
        expect(verifyInclusion({ leaf: alike[0]!, index, size, proof, root })).toBe(true);
      }
      for (const oldSize of [2 ** 31 + 3, 2 ** 32, size - 1]) {
        const oldRoot = await storedRoot(oldSize, fetch);
        const proof = await storedConsistencyProof(oldSize, size, fetch);
        expect(verifyConsistency({ oldSize, newSize: size, oldRoot, newRoot: root, proof })).toBe(true);
      }
    }
  });
});

describe('the peaks of a tree', () => {
  it('are what its frontier remembers', async () => {
    for (let size = 0; size <= LEAVES.length; size++) {
      const { fetch, frontier } = storeOf(LEAVES.slice(0, size));
      const hashes = await fetch(peakPlaces(size));
      const peaks = hashes.map((hash) => Buffer.from(hash).toString('hex'));
      expect({ size, peaks }).toEqual(frontier.serialise());
    }
  });

  it('lie at exact places whatever the size', () => {
    expect(peakPlaces(2 ** 40 + 2 ** 32 + 1)).toEqual([
      { level: 40, index: 0 },
      { level: 32, index: 2 ** 8 },
      { level: 0, index: 2 ** 40 + 2 ** 32 },
    ]);
    expect(HASH_BYTES * peakPlaces(2 ** 47 - 1).length).toBe(47 * 32);
  });
});
