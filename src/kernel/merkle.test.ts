// Merkle trees against the RFC 6962 roots, the transparency-dev probes and an independent recursive definition.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from './golden/merkle.json' with { type: 'json' };
import {
  consistencyProof,
  createMerkleTree,
  EMPTY_ROOT,
  inclusionProof,
  leafHash,
  MerkleFrontier,
  merkleRoot,
  type NodeReader,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from './merkle.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
const leaves = (n: number): Buffer[] => Array.from({ length: n }, (_, i) => leafHash(`leaf ${i}`));
const ALL = leaves(300);

/** RFC 6962, 2.1, word for word: slow, and sharing nothing with the code under test but SHA-256. */
function definedRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return createHash('sha256').digest();
  if (hashes.length === 1) return hashes[0]!;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return createHash('sha256')
    .update(Buffer.from([1]))
    .update(definedRoot(hashes.slice(0, k)))
    .update(definedRoot(hashes.slice(k)))
    .digest();
}
const ROOTS = Array.from({ length: 301 }, (_, n) => definedRoot(ALL.slice(0, n)));

/** Every proof that differs from the given one in a single bit. */
function* bitFlips(proof: readonly Buffer[]): Generator<Buffer[]> {
  for (let bit = 0; bit < proof.length * 256; bit++) {
    const copy = proof.map((node) => Buffer.from(node));
    const node = copy[Math.floor(bit / 256)]!;
    const byte = Math.floor((bit % 256) / 8);
    node[byte] = node[byte]! ^ (1 << (bit % 8));
    yield copy;
  }
}

describe('the published data', () => {
  it('hashes leaves, nodes and nothing as stated', () => {
    expect(hex(leafHash('L123456'))).toBe(golden.prefixes['leaf(L123456)']);
    expect(hex(leafHash(''))).toBe(golden.prefixes.empty_leaf);
    expect(hex(EMPTY_ROOT)).toBe(golden.prefixes.empty_tree);
    // The published node example joins two short strings; nodeHash itself takes whole hashes only.
    const joined = createHash('sha256').update('\u0001N123N456').digest('hex');
    expect(joined).toBe(golden.prefixes['node(N123,N456)']);
    expect(() => nodeHash(Buffer.from('N123'), Buffer.from('N456'))).toThrow(RangeError);
  });

  it('roots of zero to eight leaves', () => {
    const hashes = golden.roots.leaf_inputs_hex.map((data) => leafHash(Buffer.from(data, 'hex')));
    golden.roots.root_hex_by_size_0_to_8.forEach((root, size) => {
      expect(hex(merkleRoot(hashes.slice(0, size)))).toBe(root);
    });
  });

  it.each(golden.inclusion)('$id $desc', (probe) => {
    const holds = verifyInclusion({
      leaf: base64(probe.leafHash),
      index: probe.leafIdx,
      size: probe.treeSize,
      proof: (probe.proof ?? []).map(base64),
      root: base64(probe.root),
    });
    expect(holds).toBe(!probe.wantErr);
  });

  it.each(golden.consistency)('$id $desc', (probe) => {
    const holds = verifyConsistency({
      oldSize: probe.size1,
      newSize: probe.size2,
      oldRoot: base64(probe.root1),
      newRoot: base64(probe.root2),
      proof: (probe.proof ?? []).map(base64),
    });
    expect(holds).toBe(!probe.wantErr);
  });
});

describe('all trees up to 300 leaves', () => {
  // One store, as a log keeps it: every tree below is a prefix of the same stored hashes.
  const stored = new Map<string, Buffer>();
  const frontier = new MerkleFrontier();
  const read: NodeReader = (level, index) => {
    const node = stored.get(`${level}/${index}`);
    if (node === undefined) throw new Error(`never stored: ${level}/${index}`);
    return node;
  };
  const grownRoots = [frontier.root()];
  for (const leaf of ALL) {
    frontier.append(leaf, (level, index, node) => {
      expect(stored.has(`${level}/${index}`)).toBe(false);
      stored.set(`${level}/${index}`, node);
    });
    grownRoots.push(frontier.root());
  }

  it('have the defined root, grown, built and read', () => {
    for (let n = 0; n <= 300; n++) {
      expect(grownRoots[n]).toEqual(ROOTS[n]);
      expect(merkleRoot(ALL.slice(0, n))).toEqual(ROOTS[n]);
      expect(createMerkleTree(n, read).root()).toEqual(ROOTS[n]);
    }
  });

  it('prove every leaf, at its own index only', () => {
    for (let size = 1; size <= 300; size++) {
      const tree = createMerkleTree(size, read);
      for (let index = 0; index < size; index++) {
        const claim = {
          leaf: ALL[index]!,
          index,
          size,
          proof: tree.inclusionProof(index),
          root: ROOTS[size]!,
        };
        if (!verifyInclusion(claim)) expect.fail(`leaf ${index} of ${size}`);
        if (size > 1 && verifyInclusion({ ...claim, index: (index + 1) % size })) {
          expect.fail(`leaf ${index} of ${size} passed for its neighbour`);
        }
      }
    }
  });

  it('prove every earlier tree a prefix', () => {
    for (let newSize = 1; newSize <= 300; newSize++) {
      const tree = createMerkleTree(newSize, read);
      for (let oldSize = 1; oldSize <= newSize; oldSize++) {
        const proof = tree.consistencyProof(oldSize);
        const claim = { oldSize, newSize, oldRoot: ROOTS[oldSize]!, newRoot: ROOTS[newSize]!, proof };
        if (!verifyConsistency(claim)) expect.fail(`${oldSize} to ${newSize}`);
        if (verifyConsistency({ ...claim, oldRoot: ROOTS[oldSize - 1]! }))
          expect.fail(`${oldSize}: wrong old root`);
      }
    }
  });

  it('give the same proofs from memory as from the store', () => {
    const tree = createMerkleTree(77, read);
    for (let i = 0; i < 77; i++) expect(inclusionProof(ALL.slice(0, 77), i)).toEqual(tree.inclusionProof(i));
    for (let i = 1; i <= 77; i++)
      expect(consistencyProof(ALL.slice(0, 77), i)).toEqual(tree.consistencyProof(i));
  });

  it('refuse every single flipped bit, every missing and every extra hash of a proof', () => {
    const sizes = fc.tuple(fc.integer({ min: 2, max: 300 }), fc.nat()).map(([n, m]) => [n, m % n] as const);
    fc.assert(
      fc.property(sizes, ([size, index]) => {
        const tree = createMerkleTree(size, read);
        const inclusion = {
          leaf: ALL[index]!,
          index,
          size,
          proof: tree.inclusionProof(index),
          root: ROOTS[size]!,
        };
        const consistency = {
          oldSize: index + 1,
          newSize: size,
          oldRoot: ROOTS[index + 1]!,
          newRoot: ROOTS[size]!,
          proof: tree.consistencyProof(index + 1),
        };
        const altered = (proof: Buffer[]): Buffer[][] => [
          ...bitFlips(proof),
          ...proof.map((_, i) => proof.toSpliced(i, 1)),
          ...[0, proof.length].map((i) => proof.toSpliced(i, 0, ALL[0]!)),
          ...proof.map((node, i) => proof.toSpliced(i, 1, node.subarray(1))),
        ];
        for (const proof of altered(inclusion.proof)) {
          if (verifyInclusion({ ...inclusion, proof })) expect.fail('an altered inclusion proof passed');
        }
        for (const proof of altered(consistency.proof)) {
          if (verifyConsistency({ ...consistency, proof }))
            expect.fail('an altered consistency proof passed');
        }
        for (const [leaf] of bitFlips([inclusion.leaf])) {
          if (verifyInclusion({ ...inclusion, leaf: leaf! })) expect.fail('an altered leaf passed');
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('what is refused', () => {
  const claim = {
    leaf: ALL[1]!,
    index: 1,
    size: 5,
    proof: inclusionProof(ALL.slice(0, 5), 1),
    root: ROOTS[5]!,
  };
  const growth = { oldSize: 3, newSize: 5, oldRoot: ROOTS[3]!, newRoot: ROOTS[5]! };
  const grown = { ...growth, proof: consistencyProof(ALL.slice(0, 5), 3) };

  it.each([-1, 1.5, 5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('the index %d', (index) => {
    expect(verifyInclusion(claim)).toBe(true);
    expect(verifyInclusion({ ...claim, index })).toBe(false);
    expect(() => inclusionProof(ALL.slice(0, 5), index)).toThrow(RangeError);
  });

  it.each([-5, 0, 4.5, Number.NaN, 2 ** 53])('the size %d', (size) => {
    expect(verifyInclusion({ ...claim, size })).toBe(false);
    expect(verifyConsistency(grown)).toBe(true);
    expect(verifyConsistency({ ...grown, newSize: size })).toBe(false);
    expect(verifyConsistency({ ...grown, oldSize: size })).toBe(false);
  });

  it('any consistency from an empty tree', () => {
    for (const newSize of [0, 1, 5]) {
      const empty = { oldSize: 0, newSize, oldRoot: EMPTY_ROOT, newRoot: ROOTS[newSize]!, proof: [] };
      expect(verifyConsistency(empty)).toBe(false);
      expect(() => consistencyProof(ALL.slice(0, newSize), 0)).toThrow(RangeError);
    }
  });

  it('an inner node in the place of a leaf, and a leaf that spells out a node', () => {
    const four = ALL.slice(0, 4);
    const inner = nodeHash(four[0]!, four[1]!);
    const outer = [nodeHash(four[2]!, four[3]!)];
    expect(verifyInclusion({ leaf: inner, index: 0, size: 4, proof: outer, root: ROOTS[4]! })).toBe(false);
    expect(leafHash(Buffer.concat([four[0]!, four[1]!]))).not.toEqual(inner);
  });

  it('proofs that go on above the root of the claimed size', () => {
    const above = ALL[0]!;
    const root = nodeHash(above, ALL[1]!);
    expect(verifyInclusion({ leaf: ALL[1]!, index: 0, size: 1, proof: [above], root })).toBe(false);
    const raised = { oldRoot: nodeHash(above, ROOTS[3]!), newRoot: nodeHash(above, ROOTS[5]!) };
    expect(verifyConsistency({ ...grown, ...raised, proof: [...grown.proof, above] })).toBe(false);
  });

  it('two different trees of one size, and a shrunken tree', () => {
    const same = { oldSize: 5, newSize: 5, oldRoot: ROOTS[5]!, newRoot: ROOTS[5]!, proof: [] };
    expect(verifyConsistency(same)).toBe(true);
    expect(verifyConsistency({ ...same, newRoot: ROOTS[4]! })).toBe(false);
    expect(verifyConsistency({ ...same, proof: [ROOTS[5]!] })).toBe(false);
    expect(verifyConsistency({ ...grown, oldSize: 5, newSize: 3 })).toBe(false);
  });

  it('leaf hashes of another length', () => {
    expect(() => merkleRoot([Buffer.alloc(31)])).toThrow(RangeError);
    expect(() => merkleRoot([ALL[0]!, Buffer.alloc(0)])).toThrow(RangeError);
  });
});

describe('a stored frontier', () => {
  it('goes on exactly where it was left', () => {
    fc.assert(
      fc.property(fc.nat(150), fc.nat(150), (first, more) => {
        const frontier = new MerkleFrontier();
        for (const leaf of ALL.slice(0, first)) frontier.append(leaf);
        const restored = MerkleFrontier.restore(JSON.parse(JSON.stringify(frontier.serialise())));
        for (const leaf of ALL.slice(first, first + more)) restored.append(leaf);
        expect(restored.size).toBe(first + more);
        expect(restored.root()).toEqual(ROOTS[first + more]);
      }),
    );
  });

  it('is refused when its peaks do not fit its size', () => {
    const peak = hex(ALL[0]!);
    for (const state of [
      { size: 3, peaks: [peak] },
      { size: 2, peaks: [peak, peak] },
      { size: 0, peaks: [peak] },
      { size: 1, peaks: [peak.slice(2)] },
      { size: 1, peaks: [`${peak.slice(2)}zz`] },
      { size: -1, peaks: [] },
      { size: 0.5, peaks: [] },
    ]) {
      expect(() => MerkleFrontier.restore(state)).toThrow(RangeError);
    }
  });
});
