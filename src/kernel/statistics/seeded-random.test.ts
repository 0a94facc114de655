// The seeded random source: repeatable, forkable, and with the moments its distributions promise.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, variance } from './moments.js';
import { type SeededRandom, seededRandom } from './seeded-random.js';

const words = (random: SeededRandom): number[] => Array.from({ length: 20 }, () => random.word());
const draw = (n: number, one: () => number): number[] => Array.from({ length: n }, one);

/** Mean and variance within five standard errors of what theory says. */
function expectMoments(values: number[], trueMean: number, trueVariance: number, fourth = 12): void {
  const n = values.length;
  expect(Math.abs(mean(values) - trueMean)).toBeLessThan(5 * Math.sqrt(trueVariance / n));
  expect(Math.abs(variance(values) - trueVariance)).toBeLessThan(5 * trueVariance * Math.sqrt(fourth / n));
}

describe('seededRandom', () => {
  it('repeats itself for a seed and differs between seeds', () => {
    const a = seededRandom(42);
    const b = seededRandom(42);
    const c = seededRandom(43);
    const words = draw(50, () => a.word());
    expect(draw(50, () => b.word())).toEqual(words);
    expect(draw(50, () => c.word())).not.toEqual(words);
    expect(seededRandom('42').word()).not.toBe(seededRandom(42).word());
  });

  it('keeps the very numbers it gave when it was written', () => {
    const r = seededRandom('barograph');
    expect(draw(4, () => r.word())).toMatchInlineSnapshot(`
      [
        2329643320,
        1578790185,
        354297554,
        2402472726,
      ]
    `);
    expect(r.uniform()).toMatchInlineSnapshot(`0.7731269924456468`);
  });

  it('forks streams that depend on the names alone, not on what was drawn before', () => {
    const fresh = seededRandom(1);
    const used = seededRandom(1);
    for (let i = 0; i < 100; i += 1) used.normal();
    const first = words(fresh.fork('posts'));
    expect(words(used.fork('posts'))).toEqual(first);
    expect(words(fresh.fork('authors'))).not.toEqual(first);
    expect(words(fresh.fork('posts').fork('x'))).not.toEqual(first);
    expect(seededRandom(1).fork('a').fork('b').word()).not.toBe(seededRandom(1).fork('a/b').word());
  });

  it('draws uniforms, whole numbers and chances evenly', () => {
    const r = seededRandom(7);
    expectMoments(
      draw(40_000, () => r.uniform()),
      0.5,
      1 / 12,
    );
    expectMoments(
      draw(40_000, () => r.uniform(-3, 5)),
      1,
      64 / 12,
    );
    const faces = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 60_000; i += 1) faces[r.integer(1, 6) - 1]! += 1;
    for (const count of faces) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(mean(draw(20_000, () => (r.chance(0.3) ? 1 : 0)))).toBeCloseTo(0.3, 1);
    expect(() => r.integer(2, 1)).toThrow(RangeError);
    expect(() => r.pick([])).toThrow(RangeError);
  });

  it('draws each distribution with its own mean and variance', () => {
    const r = seededRandom(11);
    const n = 40_000;
    expectMoments(
      draw(n, () => r.normal(2, 3)),
      2,
      9,
    );
    expectMoments(
      draw(n, () => r.exponential(2)),
      2,
      4,
    );
    expectMoments(
      draw(n, () => r.gamma(0.3, 2)),
      0.6,
      1.2,
      40,
    );
    expectMoments(
      draw(n, () => r.gamma(5, 2)),
      10,
      20,
    );
    expect(r.poisson(0)).toBe(0);
    for (const rate of [0.4, 3, 9.9, 10, 50, 4000])
      expectMoments(
        draw(n, () => r.poisson(rate)),
        rate,
        rate,
      );
    expectMoments(
      draw(n, () => r.negativeBinomial(10, 2)),
      10,
      60,
      20,
    );
    expectMoments(
      draw(n, () => r.negativeBinomial(10, Number.POSITIVE_INFINITY)),
      10,
      10,
    );
  });

  it('answers NaN to impossible parameters', () => {
    const r = seededRandom(3);
    expect(r.poisson(-1)).toBeNaN();
    expect(r.poisson(Number.NaN)).toBeNaN();
    expect(r.gamma(0)).toBeNaN();
    expect(r.negativeBinomial(5, 0)).toBeNaN();
  });

  it('shuffles without losing anything and without touching the argument', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const before = items.slice();
        const shuffled = seededRandom(seed).shuffle(items);
        expect(items).toEqual(before);
        expect(shuffled.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
      }),
    );
  });
});
