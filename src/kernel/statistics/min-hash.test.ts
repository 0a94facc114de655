// MinHash, SimHash and shingles: published values, error laws, and agreement with exact similarity.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AffinePermutation, affineMinHash } from './affine-min-hash.js';
import golden from './golden/sketches.json' with { type: 'json' };
import { expectClose, goldenCase } from './golden-cases.suite.js';
import { createMinHasher, EMPTY_SLOT, signatureSimilarity } from './min-hash.js';
import { seededRandom } from './seeded-random.js';
import { jaccard, shingleHashes } from './shingles.js';
import { hammingDistance, simHash } from './sim-hash.js';
import {
  bandingProbability,
  bandingThreshold,
  hyperLogLogStandardError,
  minHashStandardError,
  simHashAgreement,
} from './sketch-laws.js';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ab', 'ba'), { maxLength: 30 });
const wordSet = fc
  .uniqueArray(fc.nat(0xffffffff), { maxLength: 60 })
  .map((list) => Uint32Array.from(list).sort());

const md5Tail = (feature: string): bigint => createHash('md5').update(feature).digest().readBigUInt64BE(8);

describe('createMinHasher', () => {
  it('estimates Jaccard without bias and with the spread the law allows', () => {
    const hasher = createMinHasher(128, 9);
    const random = seededRandom(5);
    const a = new Uint32Array(128);
    const b = new Uint32Array(128);
    for (const structured of [false, true]) {
      let sum = 0;
      let squares = 0;
      const runs = 400;
      for (let run = 0; run < runs; run += 1) {
        const pool = Array.from({ length: 30 }, (_, i) => (structured ? run * 1000 + i : random.word()));
        hasher.signature(pool.slice(0, 20), a);
        hasher.signature(pool.slice(10), b);
        const error = signatureSimilarity(a, b) - 1 / 3;
        sum += error;
        squares += error * error;
      }
      const law = minHashStandardError(1 / 3, 128);
      expect(Math.abs(sum / runs)).toBeLessThan((4 * law) / Math.sqrt(runs));
      expect(Math.sqrt(squares / runs)).toBeLessThan(1.15 * law);
    }
  });

  it('depends on the set, the seed and nothing else', () => {
    const one = createMinHasher(33, 1);
    const two = createMinHasher(33, 2);
    fc.assert(
      fc.property(wordSet, (set) => {
        const into = new Uint32Array(33);
        const again = new Uint32Array(33);
        one.signature(set, into);
        one.signature([...set].reverse(), again);
        expect(again).toEqual(into);
        createMinHasher(33, 1).signature(set, again);
        expect(again).toEqual(into);
        if (set.length === 0) return;
        two.signature(set, again);
        expect(again).not.toEqual(into);
      }),
    );
  });

  it('takes the slotwise minimum for a union', () => {
    const hasher = createMinHasher(64, 3);
    fc.assert(
      fc.property(wordSet, wordSet, (x, y) => {
        const [ofX, ofY, ofBoth] = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)];
        hasher.signature(x, ofX);
        hasher.signature(y, ofY);
        hasher.signature([...x, ...y], ofBoth);
        expect([...ofBoth]).toEqual([...ofX].map((value, i) => Math.min(value, ofY[i]!)));
      }),
    );
  });

  it('marks the empty set, grows for long texts and refuses short slots', () => {
    const hasher = createMinHasher(5, 3);
    const into = new Uint32Array(5);
    hasher.signature([], into);
    expect([...into]).toEqual(Array.from({ length: 5 }, () => EMPTY_SLOT));
    hasher.signature(
      Uint32Array.from({ length: 5000 }, (_, i) => i),
      into,
    );
    expect(into.every((slot) => slot < EMPTY_SLOT)).toBe(true);
    expect(() => hasher.signature([1], new Uint32Array(4))).toThrow(RangeError);
    expect(() => createMinHasher(0, 1)).toThrow(RangeError);
  });
});

describe('shingles', () => {
  it('gives sorted distinct hashes, at most one per window', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 5 }), (tokens, width) => {
        const hashes = shingleHashes(tokens, width);
        for (let i = 1; i < hashes.length; i += 1) expect(hashes[i]! > hashes[i - 1]!).toBe(true);
        const windows = new Set<string>();
        const run = Math.min(width, tokens.length);
        for (let i = 0; run > 0 && i + run <= tokens.length; i += 1)
          windows.add(JSON.stringify(tokens.slice(i, i + run)));
        expect(hashes.length).toBe(windows.size);
      }),
    );
  });

  it('minds the order and the borders of words', () => {
    expect(shingleHashes(['a', 'b'], 2)).not.toEqual(shingleHashes(['b', 'a'], 2));
    expect(shingleHashes(['ab', 'c'], 2)).not.toEqual(shingleHashes(['a', 'bc'], 2));
    expect(shingleHashes([], 3)).toHaveLength(0);
    expect(shingleHashes(['a', 'b'], 3)).toHaveLength(1);
    expect(() => shingleHashes(['a'], 0)).toThrow(RangeError);
  });

  it('has no surprising collisions', () => {
    const tokens = Array.from({ length: 30_000 }, (_, i) => `word${i}`);
    expect(shingleHashes(tokens, 3).length).toBeGreaterThan(29_998 - 3);
  });

  it('measures Jaccard exactly', () => {
    fc.assert(
      fc.property(wordSet, wordSet, (a, b) => {
        const left = new Set(a);
        const shared = [...b].filter((word) => left.has(word)).length;
        const union = new Set([...a, ...b]).size;
        expect(jaccard(a, b)).toBe(shared / union);
      }),
    );
    expect(jaccard(new Uint32Array(0), new Uint32Array(0))).toBeNaN();
  });
});

describe('published sketch values', () => {
  it('reproduces simhash fingerprints', () => {
    const two = goldenCase<{ features: string[]; expected_uint64: string }>(golden, 'simhash_two');
    expect(simHash(two.features.map(md5Tail)).toString()).toBe(two.expected_uint64);
  });

  it('keeps near texts near', () => {
    const { texts } = goldenCase<{ texts: string[] }>(golden, 'simhash_text_near');
    const prints = texts.map((text) => {
      const joined = (text.toLowerCase().match(/[\w]+/g) ?? []).join('');
      const counts = new Map<string, number>();
      for (let i = 0; i <= Math.max(0, joined.length - 4); i += 1) {
        const shingle = joined.slice(i, i + 4);
        counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
      }
      return simHash([...counts.keys()].map(md5Tail), [...counts.values()]);
    });
    expect(hammingDistance(prints[0]!, prints[2]!)).toBeLessThan(3);
    expect(hammingDistance(prints[1]!, prints[2]!)).toBeLessThan(3);
  });

  it('reproduces affine minhash slots', () => {
    const hello = goldenCase<{ permutations_ab: string[][]; token_utf8: string; expected: number[] }>(
      golden,
      'minhash_hello',
    );
    const token = createHash('sha1').update(hello.token_utf8).digest().readUInt32LE(0);
    const permutations = hello.permutations_ab.map(([a, b]): AffinePermutation => [BigInt(a!), BigInt(b!)]);
    expect([...affineMinHash([token], permutations)]).toEqual(hello.expected);
  });

  it('states the error laws', () => {
    const { expected, mmds_table_b20_r5: table } = goldenCase<{
      expected: Record<string, number>;
      mmds_table_b20_r5: Record<string, number>;
    }>(golden, 'error_laws');
    expectClose(minHashStandardError(0.5, 128), expected['minhash_k128_J0.5']!, { rel: 1e-14 });
    expectClose(minHashStandardError(0.8, 256), expected['minhash_k256_J0.8']!, { rel: 1e-14 });
    expectClose(bandingProbability(0.8, 20, 5), expected['lsh_b20_r5_s0.8']!, { rel: 1e-13 });
    expectClose(bandingProbability(0.2, 20, 5), expected['lsh_b20_r5_s0.2']!, { rel: 1e-13 });
    expectClose(bandingThreshold(20, 5), expected['lsh_threshold_b20_r5']!, { rel: 1e-14 });
    expectClose(hyperLogLogStandardError(1024), expected['hll_m_1024']!, { rel: 1e-14 });
    expect(simHashAgreement(Math.PI / 2)).toBe(0.5);
    for (const [s, p] of Object.entries(table))
      expectClose(bandingProbability(Number(s), 20, 5), p, { abs: 6e-4 });
  });

  it('counts differing bits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 64n) - 1n), fc.bigInt(0n, (1n << 64n) - 1n), (a, b) => {
        const ones = (a ^ b).toString(2).replaceAll('0', '').length;
        expect(hammingDistance(a, b)).toBe(ones);
      }),
    );
  });
});
