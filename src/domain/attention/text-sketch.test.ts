// The words of a text, read in place, against a plain reading of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shingleHashes } from '../../kernel/statistics/shingles.js';
import { ATTENTION } from './parameters.js';
import { sketchText } from './text-sketch.js';

const { shortTextWords, shingleWords, sketchSize } = ATTENTION.nearDuplicate;

function plainShingles(text: string): Uint32Array {
  const words = text.toLowerCase().match(/[a-z][a-z'’-]*/g) ?? [];
  const width = words.length < shortTextWords ? Math.max(1, words.length) : shingleWords;
  return shingleHashes(words, width).slice(0, sketchSize);
}

describe('sketchText', () => {
  it('finds the words that a plain reading finds', () => {
    const piece = fc.constantFrom(
      'a',
      "don't",
      'well-known',
      '’tis',
      'İstanbul',
      'K',
      '-',
      '7',
      ' ',
      'Æ',
      '$T',
      '😀',
      'zZ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 60 }), (pieces) => {
        const text = pieces.join(' ').replace(/[@/]|www\.|^rt\b/gi, ' ');
        expect([...sketchText(text).shingles]).toEqual([...plainShingles(text)]);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it.each([
    ['the dip looks fine', true],
    ['the dipper looks fine', false],
    ['look at this cat', false],
    ['after Q3', true],
    ['their 10-K is out', true],
    ['SHORTS are back in the shop', true],
    ['', false],
  ])('%j speaks of finance: %s', (text, speaks) => {
    expect(sketchText(text).financeContext).toBe(speaks);
  });

  it('reads past links, handles, digits, case and a repost prefix', () => {
    const plain = sketchText('big news from the plant in the north tonight').shingles;
    for (const text of [
      'RT @someone: Big NEWS from the plant in the north tonight',
      'big news from the plant https://x.example/a?b=c in the north tonight 42',
      'big news from the plant in the north tonight www.example.com/why',
    ])
      expect([...sketchText(text).shingles]).toEqual([...plain]);
  });
});
