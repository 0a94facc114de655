// The flat tree and the growing one are the same tree.
import { describe, expect, it } from 'vitest';
import { FlatLeaves } from './flat-tree.js';
import { consistencyProof, EMPTY_ROOT, inclusionProof, leafHash, merkleRoot } from './merkle.js';

describe('a flat tree', () => {
  it('has the roots and proofs of RFC 6962 at every size', () => {
    const flat = new FlatLeaves();
    const hashes: Buffer[] = [];
    expect(flat.tree().root()).toEqual(EMPTY_ROOT);
    for (let size = 1; size <= 70; size++) {
      flat.set(size - 1, `row ${size}`);
      hashes.push(leafHash(`row ${size}`));
      const tree = flat.tree();
      expect(tree.root()).toEqual(merkleRoot(hashes));
      const index = (size * 7) % size;
      expect(tree.inclusionProof(index)).toEqual(inclusionProof(hashes, index));
      expect(tree.consistencyProof(1 + index)).toEqual(consistencyProof(hashes, 1 + index));
    }
  });

  it('takes new texts, grows beyond its first buffer, and cuts', () => {
    const flat = new FlatLeaves();
    const texts = Array.from({ length: 1_000 }, (_, i) => `first ${i} ü`);
    for (const [i, text] of texts.entries()) flat.set(i, text);
    const before = flat.tree();
    texts[255] = 'second';
    texts[999] = 'second';
    flat.set(255, 'second');
    flat.set(999, 'second');
    expect(flat.tree().root()).toEqual(merkleRoot(texts.map((text) => leafHash(text))));
    expect(flat.tree(300).root()).toEqual(merkleRoot(texts.slice(0, 300).map((text) => leafHash(text))));
    // A tree that was handed out does not move when the leaves do.
    expect(before.root()).not.toEqual(flat.tree().root());
    expect(() => flat.set(1_001, 'gap')).toThrow(RangeError);
    expect(() => flat.tree(1_001)).toThrow(RangeError);
  });
});
