import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mad } from '../../kernel/statistics/median-absolute-deviation.js';
import { standardDeviation } from '../../kernel/statistics/moments.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { SortedWindow } from './sorted-window.js';

const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -1e3, max: 1e3, noNaN: true }));

it('agrees with the plain definitions whatever is inserted and removed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.nat()), { minLength: 1, maxLength: 120 }), (moves) => {
      const window = new SortedWindow();
      const held: number[] = [];
      for (const [x, choice] of moves) {
        if (choice % 4 === 0 && held.length > 1) window.remove(held.splice(choice % held.length, 1)[0]!);
        window.insert(x);
        held.push(x);
        const centre = median(held);
        expect(window.size).toBe(held.length);
        expect(window.median()).toBeCloseTo(centre, 9);
        expect(window.deviation(window.median())).toBeCloseTo(mad(held), 9);
        expect(window.countUpTo(x)).toBe(held.filter((y) => y <= x).length);
        // Sums of squares that have held a thousand keep an error of its size times the root of a double's precision.
        if (held.length > 1) expect(window.spread()).toBeCloseTo(standardDeviation(held), 4);
      }
    }),
  );
});

it('refuses to remove what it does not hold', () => {
  const window = new SortedWindow();
  window.insert(1);
  expect(() => window.remove(2)).toThrow('not held');
});
