// Columns of every kind against plain arrays: pushed, inserted, dropped and copied.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastUpTo, NumberColumn } from './number-column.js';
import { NumberRows } from './number-rows.js';
import { SparseColumn } from './sparse-column.js';

const held = (column: NumberColumn): number[] => [...column.values.subarray(0, column.length)];

it('holds what an array would hold, whatever was done to it', () => {
  const change = fc.record({
    act: fc.constantFrom('push', 'insert', 'set', 'drop'),
    place: fc.nat(),
    value: fc.integer({ min: -100, max: 100 }),
  });
  for (const kind of [Float64Array, Int32Array, Int16Array, Int8Array]) {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const column: NumberColumn = new NumberColumn(kind as typeof Float64Array, 2);
        const array: number[] = [];
        for (const { act, place, value } of changes) {
          const at = place % (array.length + 1);
          if (act === 'insert') {
            column.insert(at, value);
            array.splice(at, 0, value);
          } else if (act === 'drop') {
            column.drop(Math.min(at, 2));
            array.splice(0, Math.min(at, 2));
          } else if (act === 'set' && at < array.length) {
            column.set(at, value);
            array[at] = value;
          } else {
            column.push(value);
            array.push(value);
          }
        }
        expect(held(column)).toEqual(array);
        const copy = column.copy();
        column.push(1);
        copy.push(2);
        expect(held(copy)).toEqual([...array, 2]);
      }),
    );
  }
});

it('finds the last place up to a limit', () => {
  const column = new NumberColumn(Int32Array);
  for (const value of [2, 4, 4, 9]) column.push(value);
  expect([1, 2, 4, 8, 9, 99].map((limit) => lastUpTo(column, limit))).toEqual([-1, 0, 2, 2, 3, 3]);
});

it('knows the numbers of some places and none of the others', () => {
  const column = new SparseColumn();
  expect(column.at(0)).toBeUndefined();
  for (const place of [3, 4, 90]) column.push(place, place / 8);
  column.push(91, Number.NaN);
  expect([2, 3, 4, 5, 90, 91, 92].map((place) => column.at(place))).toEqual([
    undefined,
    3 / 8,
    4 / 8,
    undefined,
    90 / 8,
    Number.NaN,
    undefined,
  ]);
  column.clear();
  expect(column.at(3)).toBeUndefined();
});

it('keeps its rows when it makes room for more', () => {
  const rows = new NumberRows(Int16Array, 3, 1);
  for (let row = 0; row < 50; row += 1) {
    rows.reach(row);
    for (let column = 0; column < 3; column += 1) rows.set(row, column, 10 * row + column);
  }
  for (let row = 0; row < 50; row += 1) {
    expect([0, 1, 2].map((column) => rows.at(row, column))).toEqual([10 * row, 10 * row + 1, 10 * row + 2]);
  }
});
