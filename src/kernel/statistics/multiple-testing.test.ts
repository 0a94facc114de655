// Adjusted p-values against R's multtest and the 1995 paper, and the identities that define them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adaptiveRejections } from './adaptive-fdr.js';
import golden from './golden/multiple-testing.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';
import {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  holm,
  holmSidak,
  sidak,
} from './multiple-testing.js';

const methods = {
  Bonferroni: bonferroni,
  Holm: holm,
  Hochberg: hochberg,
  SidakSS: sidak,
  SidakSD: holmSidak,
  BH: benjaminiHochberg,
  BY: benjaminiYekutieli,
};

interface AdjustCase {
  input: { p_sorted: number[]; p_unsorted_original?: number[] };
  expected: Record<string, number[]>;
}

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });

describe('published adjustments', () => {
  it.each(['multtest_10', 'multtest_6_all_equal_BH'])('%s', (id) => {
    const { input, expected } = goldenCase<AdjustCase>(golden, id);
    for (const [name, adjust] of Object.entries(methods)) {
      expectAllClose(adjust(input.p_sorted), expected[name]!, { abs: 1e-14 });
    }
  });

  it('keeps the order it was given', () => {
    const { input, expected } = goldenCase<AdjustCase>(golden, 'multtest_10');
    const adjusted = benjaminiHochberg(input.p_unsorted_original!);
    input.p_unsorted_original!.forEach((p, i) => {
      expectClose(adjusted[i], expected['BH']![input.p_sorted.indexOf(p)]!, { abs: 1e-14 });
    });
  });

  it('counts the rejections of the 1995 paper', () => {
    const { input, expected, alpha } = goldenCase<{
      input: { p: number[] };
      alpha: number;
      expected: Record<string, number> & { BH_adjusted: number[] };
    }>(golden, 'BH1995_15');
    const below = (list: number[]): number => list.filter((p) => p <= alpha).length;
    expect(below(benjaminiHochberg(input.p))).toBe(expected['BH_rejections']);
    expect(below(bonferroni(input.p))).toBe(expected['Bonferroni_rejections']);
    expectAllClose(benjaminiHochberg(input.p), expected.BH_adjusted, { abs: 1e-8 });
    expect(adaptiveRejections(input.p, alpha)).toBe(expected['BKY_two_stage_rejections']);
    expect(adaptiveRejections(input.p, alpha, { iterate: true })).toBe(expected['BKY_iterated_rejections']);
  });
});

describe('identities', () => {
  it('BH leaves equal p-values alone', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 50 }), (p, m) => {
        expectAllClose(
          benjaminiHochberg(Array.from({ length: m }, () => p)),
          Array.from({ length: m }, () => p),
          { rel: 1e-15 },
        );
      }),
    );
  });

  it('BY is BH times the harmonic sum, capped', () => {
    fc.assert(
      fc.property(pValues, (p) => {
        let harmonic = 0;
        for (let i = 1; i <= p.length; i += 1) harmonic += 1 / i;
        const scaled = p.map((_, i) => Math.min(1, benjaminiHochberg(p)[i]! * harmonic));
        // The cap inside BH can only bite where the cap outside does.
        expectAllClose(benjaminiYekutieli(p), scaled, { rel: 1e-12, abs: 1e-300 });
      }),
    );
  });

  it('orders the methods by severity and never falls below p', () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const [bh, by, ho, hg, bo] = [
          benjaminiHochberg(p),
          benjaminiYekutieli(p),
          holm(p),
          hochberg(p),
          bonferroni(p),
        ];
        p.forEach((value, i) => {
          const slack = 1e-14;
          expect(bh[i]!).toBeGreaterThanOrEqual(value - slack);
          expect(by[i]!).toBeGreaterThanOrEqual(bh[i]! - slack);
          expect(hg[i]!).toBeLessThanOrEqual(ho[i]! + slack);
          expect(ho[i]!).toBeLessThanOrEqual(bo[i]! + slack);
          expect(bh[i]!).toBeLessThanOrEqual(hg[i]! + slack);
        });
      }),
    );
  });

  it('counts missing and unreported tests as p = 1', () => {
    fc.assert(
      fc.property(pValues, fc.integer({ min: 0, max: 10 }), (p, extra) => {
        const ones = Array.from({ length: extra }, () => 1);
        const gaps = Array.from({ length: extra }, () => Number.NaN);
        for (const adjust of Object.values(methods)) {
          const full = adjust([...p, ...ones]).slice(0, p.length);
          expectAllClose(adjust(p, p.length + extra), full, { rel: 1e-13, abs: 1e-300 });
          const withGaps = adjust([...p, ...gaps]);
          expectAllClose(withGaps.slice(0, p.length), full, { rel: 1e-13, abs: 1e-300 });
          expect(withGaps.slice(p.length).every((value) => Number.isNaN(value))).toBe(true);
        }
      }),
    );
  });

  it('refuses what cannot be a p-value or a family', () => {
    expect(() => benjaminiHochberg([0.1, 1.2])).toThrow(RangeError);
    expect(() => holm([0.1, 0.2], 1)).toThrow(RangeError);
    expect(() => adaptiveRejections([0.1], 0)).toThrow(RangeError);
    expect(benjaminiHochberg([])).toEqual([]);
  });
});
