// Rows as leaves: canonical text, one leaf per slot, and nothing hashed twice that did not change.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { leafHash, merkleRoot } from '../../kernel/merkle.js';
import { ANOMALY_BANDS, DENOMINATOR_STATES, ROW_STATES, type Row } from './frame.js';
import { EMPTY_SLOT, RowLeaves, rowText } from './row-leaves.js';
import { pagedTree, pagesText } from './row-pages.js';

const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null });
const count = fc.nat();
const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: null });
const row = (slot: number): fc.Arbitrary<Row> =>
  fc.record({
    slot: fc.constant(slot),
    ticker: fc.string({ unit: 'grapheme', minLength: 1 }),
    rank: fc.option(count, { nil: null }),
    state: fc.constantFrom(...ROW_STATES),
    band: fc.constantFrom(...ANOMALY_BANDS),
    activity: number,
    density: number,
    share: number,
    velocity: number,
    surprise: number,
    independence: number,
    entityPrecision: number,
    ambiguous: fc.boolean(),
    posts: count,
    authors: count,
    narratives: count,
    denominator: fc.record({
      state: fc.constantFrom(...DENOMINATOR_STATES),
      usdBillions: number,
      shares: number,
      sharesKnownAt: fc.option(count, { nil: null }),
      sharesSource: text,
      close: number,
      closeDate: text,
    }),
  });

const snake = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof inner === 'object' && inner !== null ? snake(inner) : inner,
    ]),
  );

const rowsOf = (slots: readonly number[]): fc.Arbitrary<Row[]> => fc.tuple(...slots.map(row));
const expectedRoot = (texts: readonly string[]): Buffer => merkleRoot(texts.map((one) => leafHash(one)));

describe('rows as leaves', () => {
  it('are canonical JSON, whatever the values', () => {
    fc.assert(
      fc.property(row(3), (one) => {
        expect(rowText(one)).toBe(canonicalJson(snake(one)));
      }),
    );
  });

  it('stand at their slot, with a leaf for every slot that is empty', () => {
    fc.assert(
      fc.property(rowsOf([1, 2, 5]), (rows) => {
        const tree = new RowLeaves().tree(rows);
        const [one, two, five] = rows.map(rowText) as [string, string, string];
        expect(tree.size).toBe(6);
        expect(tree.root()).toEqual(expectedRoot([EMPTY_SLOT, one, two, EMPTY_SLOT, EMPTY_SLOT, five]));
      }),
      { numRuns: 20 },
    );
  });

  it('give the same tree from memory as from nothing, as rows change, leave and come back', () => {
    const remembered = new RowLeaves();
    const slots = [[0, 1, 2, 3], [0, 3], [0, 1, 2], [2], [0, 1, 2, 3, 7]];
    fc.assert(
      fc.property(fc.constantFrom(...slots).chain(rowsOf), (rows) => {
        expect(remembered.tree(rows).root()).toEqual(new RowLeaves().tree(rows).root());
      }),
      { numRuns: 60 },
    );
  });
});

describe('pages of rows', () => {
  it.each([3, 255, 256, 257, 600, 1_024])('prove every one of %i slots like the whole tree', (slots) => {
    const [template] = fc.sample(row(0), { numRuns: 1, seed: 4 });
    const rows = Array.from({ length: slots }, (_, slot) => ({ ...template!, slot, posts: slot })).filter(
      ({ slot }) => slot % 5 !== 2 || slot === slots - 1,
    );
    const whole = new RowLeaves().tree(rows);
    const text = pagesText(whole);
    for (const slot of [0, 2, 254, 255, 256, 511, 599, slots - 1].filter((one) => one < slots)) {
      const paged = pagedTree(rows, slots, text ?? null);
      expect(paged.inclusionProof(slot)).toEqual(whole.inclusionProof(slot));
      expect(paged.root()).toEqual(whole.root());
    }
  });
});
