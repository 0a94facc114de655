import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANOMALY_BANDS, ROW_STATES } from './frame.js';
import { type CodedRow, decodePage, encodePage, PAGE_SLOTS, sameRow, sixDigits } from './row-codec.js';

const served = fc.option(
  fc
    .double({ min: -1e30, max: 1e30, noNaN: true })
    .filter((x) => x === 0 || Math.abs(x) > 1e-30)
    .map(sixDigits),
);
const count = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const codedRow = (slot: number): fc.Arbitrary<CodedRow> =>
  fc.record({
    slot: fc.constant(slot),
    rank: fc.option(fc.integer({ min: 1, max: 2 ** 32 - 1 })),
    state: fc.constantFrom(...ROW_STATES),
    band: fc.constantFrom(...ANOMALY_BANDS),
    ambiguous: fc.boolean(),
    posts: count,
    authors: count,
    narratives: count,
    denominatorRef: count,
    activity: served,
    density: served,
    share: served,
    velocity: served,
    surprise: served,
    independence: served,
    entityPrecision: served,
  });

const page = fc
  .tuple(
    fc.integer({ min: 0, max: 1000 }),
    fc.uniqueArray(fc.integer({ min: 0, max: PAGE_SLOTS - 1 }), { maxLength: 40 }),
  )
  .chain(([number, lows]) =>
    fc.record({
      number: fc.constant(number),
      rows: fc.tuple(...lows.map((low) => codedRow(number * PAGE_SLOTS + low))),
    }),
  );

it('gives back every row of a page exactly as it was packed', () => {
  fc.assert(
    fc.property(page, ({ number, rows }) => {
      const decoded = decodePage(encodePage(rows), number);
      expect(decoded.count).toBe(rows.length);
      for (const row of rows) {
        const back = decoded.row(decoded.position(row.slot));
        expect(back).toEqual(row);
        expect(sameRow(back, row)).toBe(true);
      }
    }),
  );
});

it('does not find a slot of another page', () => {
  const decoded = decodePage(encodePage([]), 3);
  expect(decoded.position(5)).toBe(-1);
});

it('refuses a page that was cut', () => {
  const bytes = encodePage([]);
  bytes[2] = 1;
  expect(() => decodePage(bytes, 0)).toThrow('cut short');
});
