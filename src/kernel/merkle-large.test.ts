// Merkle trees too large to hold: index arithmetic beyond 32 bits, and how many stored hashes a proof reads.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMerkleTree,
  leafHash,
  MerkleFrontier,
  type NodeReader,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from './merkle.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * A tree of any size in no memory: all leaves alike but one, so a subtree's hash follows from its level and from
 * whether it holds the odd one out.
 */
function hugeTree(special: number): { read: NodeReader; common: Buffer; rare: Buffer; reads: () => number } {
  const common = leafHash('common');
  const rare = leafHash('rare');
  const alike: Buffer[] = [common];
  for (let level = 1; level <= 53; level++) alike.push(nodeHash(alike[level - 1]!, alike[level - 1]!));
  const lone: Buffer[] = [rare];
  for (let level = 1, at = special; level <= 53; level++, at = Math.floor(at / 2)) {
    const [own, twin] = [lone[level - 1]!, alike[level - 1]!];
    lone.push(at % 2 === 1 ? nodeHash(twin, own) : nodeHash(own, twin));
  }
  let count = 0;
  const read: NodeReader = (level, index) => {
    count++;
    if (!Number.isSafeInteger(index)) throw new Error(`asked for the subtree ${level}/${index}`);
    return index === Math.floor(special / 2 ** level) ? lone[level]! : alike[level]!;
  };
  return { read, common, rare, reads: () => count };
}

describe('trees beyond 32 bits', () => {
  const sizes = [2 ** 31 - 1, 2 ** 31 + 1, 2 ** 32 + 12_345, 2 ** 33 - 1, 2 ** 40 + 2 ** 31 + 7, 2 ** 52 + 1];
  it.each(sizes)('%d leaves: proofs hold where they should and nowhere else', (size) => {
    for (const index of [0, 5, 2 ** 31 - 2, size - 2, size - 1, Math.floor(size / 3)]) {
      const { read, rare } = hugeTree(index);
      const tree = createMerkleTree(size, read);
      const claim = { leaf: rare, index, size, proof: tree.inclusionProof(index), root: tree.root() };
      expect(verifyInclusion(claim)).toBe(true);
      // Where 32-bit arithmetic would wrap to the same place.
      for (const other of [index % 2 ** 32, index + 2 ** 32, index + 2 ** 31, index + 1]) {
        if (other !== index) expect(verifyInclusion({ ...claim, index: other })).toBe(false);
      }
      // Not 2^32 off, as at the left of the tree a proof has the same form for either size.
      expect(verifyInclusion({ ...claim, size: 2 ** Math.ceil(Math.log2(size)) * 2 })).toBe(false);
    }
  });

  it.each(sizes)('%d leaves: earlier trees are proven prefixes', (newSize) => {
    const { read } = hugeTree(2 ** 31 - 5);
    const tree = createMerkleTree(newSize, read);
    for (const oldSize of [1, 2, 2 ** 31 - 3, newSize - 1, newSize, Math.floor(newSize / 5) * 4]) {
      const oldRoot = createMerkleTree(oldSize, read).root();
      const claim = {
        oldSize,
        newSize,
        oldRoot,
        newRoot: tree.root(),
        proof: tree.consistencyProof(oldSize),
      };
      expect(verifyConsistency(claim)).toBe(true);
      expect(verifyConsistency({ ...claim, oldSize: oldSize + 2 ** 32 })).toBe(false);
    }
  });

  it('a frontier grows on past 2^32', () => {
    const size = 2 ** 33 - 2;
    const { read, common } = hugeTree(2 ** 60);
    const peaks: string[] = [];
    for (let level = 32; level >= 1; level--) peaks.push(hex(read(level, 0)));
    const frontier = MerkleFrontier.restore({ size, peaks });
    expect(frontier.root()).toEqual(createMerkleTree(size, read).root());
    const closed: [number, number][] = [];
    for (let i = 0; i < 2; i++) frontier.append(common, (level, index) => closed.push([level, index]));
    expect(frontier.size).toBe(2 ** 33);
    expect(closed.at(-1)).toEqual([33, 0]);
    expect(closed.slice(0, 3)).toEqual([
      [0, 2 ** 33 - 2],
      [0, 2 ** 33 - 1],
      [1, 2 ** 32 - 1],
    ]);
    expect(frontier.root()).toEqual(createMerkleTree(2 ** 33, read).root());
  });
});

describe('what a proof costs', () => {
  it('at five million leaves at most 40 reads, and at most 23 once the right edge is known', () => {
    const size = 5_000_000;
    const { read, reads } = hugeTree(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: size - 1 }), (index) => {
        const tree = createMerkleTree(size, read);
        const measure = (act: () => unknown): number => {
          const before = reads();
          act();
          return reads() - before;
        };
        expect(measure(() => tree.inclusionProof(index))).toBeLessThanOrEqual(40);
        tree.root();
        expect(measure(() => tree.inclusionProof(index))).toBeLessThanOrEqual(23);
        expect(measure(() => createMerkleTree(size, read).consistencyProof(index))).toBeLessThanOrEqual(40);
      }),
    );
  });
});
