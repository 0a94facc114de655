// The few strongest are what sorting everything would have put first.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strongest } from './strongest.js';

it('is the beginning of the sorted order, with ties in their own order and nothing that is zero', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      (numbers, most) => {
        const sorted = numbers
          .map((_, place) => place)
          .filter((place) => numbers[place] !== 0)
          .sort((a, b) => Math.abs(numbers[b]!) - Math.abs(numbers[a]!) || a - b);
        expect(strongest(Int32Array.from(numbers), most)).toEqual(sorted.slice(0, most));
        expect(strongest(Float64Array.from(numbers), most)).toEqual(sorted.slice(0, most));
      },
    ),
  );
});
