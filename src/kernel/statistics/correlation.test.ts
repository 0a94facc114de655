// Rank and product-moment correlations: published values, ties, constants and invariances.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from './golden/rank-correlation.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';
import { kendallExactP, kendallTau, kendallTauC } from './kendall.js';
import { completePairs, correlationPValue, pearson } from './pearson.js';
import { averageRanks } from './ranks.js';
import { spearman } from './spearman.js';

interface PairCase {
  x: number[];
  y: number[];
  expected: Record<string, number | null>;
  tol_rel: number;
  tol_abs?: number;
}

const pairs = fc
  .array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })), {
    minLength: 3,
    maxLength: 40,
  })
  .map((list) => ({ x: list.map(([a]) => a), y: list.map(([, b]) => b) }));

/** Equal, or both NaN, up to rounding. */
const same = (a: number, b: number): void => expectClose(a, b, { abs: 1e-12 });

describe('spearman', () => {
  it('matches R with its p-values', () => {
    for (const id of ['sp_R', 'sp_3col']) {
      const { x, y, expected, tol_rel: rel } = goldenCase<PairCase>(golden, id);
      expectClose(spearman(x, y), expected['rho']!, { rel });
      expectClose(correlationPValue(spearman(x, y), x.length), expected['p_two_sided_t_n_minus_2']!, { rel });
    }
  });

  it('averages ties', () => {
    const same1 = goldenCase<PairCase>(golden, 'sp_tie_same');
    expectClose(spearman(same1.x, same1.y), 1, { rel: 1e-12 });
    const tied = goldenCase<PairCase & { ranks_x: number[]; ranks_y: number[] }>(golden, 'sp_tie1');
    expect(averageRanks(tied.x)).toEqual(tied.ranks_x);
    expect(averageRanks(tied.y)).toEqual(tied.ranks_y);
    expectClose(spearman(tied.x, tied.y), pearson(tied.ranks_x, tied.ranks_y), { rel: 1e-12 });
  });

  it('is undefined, not zero, for a constant', () => {
    const { x, y } = goldenCase<PairCase>(golden, 'sp_const');
    expect(spearman(x, y)).toBeNaN();
    expect(pearson([0.1, 0.1, 0.1], [1, 2, 3])).toBeNaN();
    expect(kendallTau(x, y)).toBeNaN();
  });

  it('does not change under monotone maps, and flips with the sign', () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const rho = spearman(x, y);
        same(
          spearman(
            x.map((v) => Math.exp(v / 5)),
            y,
          ),
          rho,
        );
        same(
          spearman(
            x,
            y.map((v) => v ** 3 + 2 * v),
          ),
          rho,
        );
        same(
          spearman(
            x.map((v) => -v),
            y,
          ),
          -rho,
        );
        same(spearman(y, x), rho);
        const reversed = spearman(x.toReversed(), y.toReversed());
        same(reversed, rho);
      }),
    );
  });
});

describe('pearson', () => {
  it('ignores shifts and scales, and survives extreme ones', () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const r = pearson(x, y);
        same(
          pearson(
            x.map((v) => v * 3 + 7),
            y,
          ),
          r,
        );
        same(
          pearson(
            x.map((v) => v * 1e200),
            y,
          ),
          r,
        );
        same(
          pearson(
            x.map((v) => v * 1e-200),
            y,
          ),
          r,
        );
      }),
    );
    expect(pearson([1, 2, 3], [2, 4, 6])).toBe(1);
  });

  it('answers NaN to gaps, and over complete pairs when asked', () => {
    const x = [1, 2, Number.NaN, 4, 5];
    const y = [2, Number.NaN, 3, 4, 9];
    for (const f of [pearson, spearman, kendallTau, kendallTauC, kendallExactP]) expect(f(x, y)).toBeNaN();
    const kept = completePairs(x, y);
    expect(kept).toEqual({ x: [1, 4, 5], y: [2, 4, 9] });
    expectClose(spearman(kept.x, kept.y), 1, { rel: 1e-15 });
    expect(pearson([1, 2, Number.POSITIVE_INFINITY], [1, 2, 3])).toBeNaN();
    expect(pearson([1], [1])).toBeNaN();
    expect(() => pearson([1, 2], [1])).toThrow(RangeError);
    expectAllClose(averageRanks([3, Number.NaN]), [Number.NaN, Number.NaN], {});
  });

  it('ranks infinities as the ends they are', () => {
    expect(
      averageRanks([Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]),
    ).toEqual([3.5, 2, 1, 3.5]);
  });

  it('gives certain correlations a p-value of zero and short ones none', () => {
    expect(correlationPValue(1, 10)).toBe(0);
    expect(correlationPValue(0.5, 2)).toBeNaN();
    expect(correlationPValue(Number.NaN, 10)).toBeNaN();
  });
});

describe('kendall', () => {
  it.each(['kt_0', 'kt_1', 'kt_2', 'kt_3', 'kt_4'])('matches the exact case %s', (id) => {
    const { x, y, expected, tol_rel: rel, tol_abs: abs } = goldenCase<PairCase>(golden, id);
    expectClose(kendallTau(x, y), expected['tau']!, { rel, abs: abs! });
    expectClose(kendallExactP(x, y), expected['p_exact']!, { rel, abs: abs! });
  });

  it('corrects for ties', () => {
    const { x, y, expected, tol_rel: rel } = goldenCase<PairCase>(golden, 'kt_ties_1970');
    expectClose(kendallTau(x, y), expected['tau_b']!, { rel });
    expectClose(kendallTauC(x, y), expected['tau_c']!, { rel });
    expect(kendallExactP(x, y)).toBeNaN();
  });

  it('equals the count over all pairs', () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        let score = 0;
        let untiedX = 0;
        let untiedY = 0;
        for (let i = 0; i < x.length; i += 1) {
          for (let j = 0; j < i; j += 1) {
            const dx = Math.sign(x[i]! - x[j]!);
            const dy = Math.sign(y[i]! - y[j]!);
            score += dx * dy;
            untiedX += dx * dx;
            untiedY += dy * dy;
          }
        }
        same(kendallTau(x, y), score / Math.sqrt(untiedX * untiedY));
      }),
    );
  });
});
