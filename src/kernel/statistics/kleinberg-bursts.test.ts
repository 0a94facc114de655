// Burst levels against the R package's example, and on streams with a planted burst.

import { describe, expect, it } from 'vitest';
import golden from './golden/kleinberg-bursts.json' with { type: 'json' };
import { goldenCase } from './golden-cases.suite.js';
import { kleinbergBatchBursts, kleinbergBursts } from './kleinberg-bursts.js';
import { seededRandom } from './seeded-random.js';

describe('kleinbergBursts', () => {
  it('matches the published levels', () => {
    const c = goldenCase<{
      offsets: number[];
      params: { s: number; gamma: number };
      expected_level_at_each_event: number[];
    }>(golden, 'R_bursts_s2_g1');
    expect(kleinbergBursts(c.offsets, { ratio: c.params.s, gamma: c.params.gamma })).toEqual(
      c.expected_level_at_each_event,
    );
    expect(kleinbergBursts(c.offsets)).toEqual(c.expected_level_at_each_event);
    expect(Math.max(...kleinbergBursts(c.offsets, { maxLevel: 1 }))).toBe(1);
  });

  it('sees no burst in an even stream and does not depend on units', () => {
    const even = Array.from({ length: 50 }, (_, i) => i * 10);
    expect(kleinbergBursts(even).every((level) => level === 0)).toBe(true);
    const { offsets } = goldenCase<{ offsets: number[] }>(golden, 'R_bursts_s2_g1');
    expect(kleinbergBursts(offsets.map((t) => t * 1024))).toEqual(kleinbergBursts(offsets));
    expect(kleinbergBursts(offsets.map((t) => t + 4096))).toEqual(kleinbergBursts(offsets));
  });

  it('handles few, equal and unsorted times', () => {
    expect(kleinbergBursts([])).toEqual([]);
    expect(kleinbergBursts([5])).toEqual([0]);
    expect(kleinbergBursts([5, 5, 5])).toEqual([0, 0, 0]);
    expect(kleinbergBursts([0, 1, 1, 2])).toHaveLength(4);
    expect(() => kleinbergBursts([2, 1])).toThrow(RangeError);
    expect(() => kleinbergBursts([1, Number.NaN])).toThrow(RangeError);
    expect(() => kleinbergBursts([1, 2], { ratio: 1 })).toThrow(RangeError);
  });
});

describe('kleinbergBatchBursts', () => {
  it('marks the hours of a planted burst and little else', () => {
    const random = seededRandom(3);
    const counts = Array.from({ length: 200 }, (_, t) => random.poisson(t >= 100 && t < 112 ? 30 : 10));
    const levels = kleinbergBatchBursts(counts, 10);
    expect(levels.slice(101, 111).every((level) => level === 1)).toBe(true);
    expect(levels.filter((level) => level === 1).length).toBeLessThan(18);
  });

  it('follows a seasonal baseline', () => {
    const baseline = Array.from({ length: 96 }, (_, t) => (t % 24 < 12 ? 5 : 50));
    expect(kleinbergBatchBursts(baseline, baseline).every((level) => level === 0)).toBe(true);
  });

  it('refuses gaps and empty baselines', () => {
    expect(kleinbergBatchBursts([], 1)).toEqual([]);
    expect(() => kleinbergBatchBursts([1, Number.NaN], 1)).toThrow(RangeError);
    expect(() => kleinbergBatchBursts([1, 2], 0)).toThrow(RangeError);
  });
});
