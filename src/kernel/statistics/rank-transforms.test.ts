// Rank transforms, bins, turnover and cross-sectional rank correlations against published cases.

import { describe, expect, it } from 'vitest';
import { binnedMeans, equalCountBins, equalWidthBins } from './bins.js';
import cross from './golden/cross-section.json' with { type: 'json' };
import golden from './golden/rank-transforms.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase, numbers } from './golden-cases.suite.js';
import { mean, standardDeviation } from './moments.js';
import { normalQuantile } from './normal.js';
import { orthogonalise } from './orthogonalise.js';
import { normalScores, rankFractions, signedPower } from './ranks.js';
import { spearman } from './spearman.js';
import { binTurnover, rankAutocorrelation } from './turnover.js';

interface ListCase {
  input: number[];
  expected: (number | string | null)[];
}
const close = { abs: 1e-12 };

describe('rank transforms', () => {
  it('match the published values', () => {
    const kept = goldenCase<ListCase>(golden, 'tie_kept_rank');
    expectAllClose(rankFractions(kept.input), numbers(kept.expected), close);
    const gauss = goldenCase<ListCase>(golden, 'gaussianize');
    expectAllClose(
      gauss.input.map((p) => normalQuantile(p)),
      numbers(gauss.expected),
      close,
    );
    const stretched = goldenCase<ListCase>(golden, 'rank_gauss_pow15');
    expectAllClose(signedPower(normalScores(stretched.input), 1.5), numbers(stretched.expected), close);
    const power = goldenCase<ListCase>(golden, 'signed_power');
    expectAllClose(signedPower(power.input, 1.5), numbers(power.expected), close);
    const scaled = goldenCase<ListCase>(golden, 'variance_normalize_pop_std');
    const deviation = standardDeviation(scaled.input, 0);
    expectAllClose(
      scaled.input.map((x) => x / deviation),
      numbers(scaled.expected),
      close,
    );
    const flat = goldenCase<{ input: { v: number[]; u: number[] }; expected: number[] }>(
      golden,
      'orthogonalize',
    );
    expectAllClose(orthogonalise(flat.input.v, flat.input.u), flat.expected, close);
    expect(orthogonalise([1, 2], [0, 0])).toEqual([Number.NaN, Number.NaN]);
  });

  it('find no skill where breaking ties by row order would', () => {
    const honest = goldenCase<{ input: { x: number[]; y: number[] }; expected: number }>(
      golden,
      'tie_kept_corr',
    );
    expectClose(spearman(honest.input.x, honest.input.y), honest.expected, close);
    const broken = goldenCase<{ input: { target: number[]; prediction: number[] }; expected: number }>(
      golden,
      'tie_broken_corr',
    );
    const byRow = goldenCase<ListCase>(golden, 'tie_broken_rank');
    expectClose(spearman(broken.input.target, numbers(byRow.expected)), broken.expected, close);
    expectClose(spearman(broken.input.target, broken.input.prediction), 0, close);
  });
});

interface CoefficientCase {
  input: { factor: number[][]; group: number[][]; forward_returns_flat_row_major: number[] };
  params: { by_group: boolean; group_adjust: boolean; by_time?: string | null };
  expected_ic: number[];
}

/** One rank correlation per date, or per date and group. */
function coefficients({ input, params }: CoefficientCase): number[][] {
  const width = input.factor[0]!.length;
  return input.factor.map((factor, t) => {
    const returns = input.forward_returns_flat_row_major.slice(t * width, (t + 1) * width);
    if (!params.by_group) return [spearman(factor, returns)];
    return [1, 2].map((group) => {
      const members = factor.map((_, i) => i).filter((i) => input.group[t]![i] === group);
      return spearman(
        members.map((i) => factor[i]!),
        members.map((i) => returns[i]!),
      );
    });
  });
}

describe('cross-sections', () => {
  it.each(['ic_0', 'ic_1', 'ic_2', 'ic_3'])('rank correlation per date: %s', (id) => {
    const c = goldenCase<CoefficientCase>(cross, id);
    expectAllClose(coefficients(c).flat(), c.expected_ic, { abs: 1e-9 });
  });

  it.each(['mean_ic_0', 'mean_ic_1', 'mean_ic_2', 'mean_ic_3'])('mean rank correlation: %s', (id) => {
    const c = goldenCase<CoefficientCase>(cross, id);
    const perDate = coefficients(c);
    // Daily means stay apart; otherwise both dates, which share a week, are averaged per group.
    const means =
      c.params.by_time === 'D'
        ? perDate.flat()
        : perDate[0]!.map((_, g) => mean(perDate.map((row) => row[g]!)));
    expectAllClose(means, c.expected_ic, { abs: 1e-9 });
  });

  it.each(['mrq_0', 'mrq_1', 'mrq_2', 'mrq_3', 'mrq_4', 'mrq_5', 'mrq_6', 'mrq_7'])(
    'mean return by bin: %s',
    (id) => {
      const c = goldenCase<{
        input: {
          tickers: string[];
          group: Record<string, number>;
          growth: number[];
          factor_rows_3_days: number[][];
        };
        params: { bins: number; by_group: boolean };
        expected: number[];
      }>(cross, id);
      const { tickers, group, growth, factor_rows_3_days: factors } = c.input;
      const bins = factors.map((row) => equalWidthBins(row, c.params.bins));
      const returns = factors.map(() => growth.map((g) => g - 1));
      const groups = c.params.by_group ? [1, 2] : [0];
      const byGroup = groups.map((g) => {
        const members = tickers.map((_, i) => i).filter((i) => g === 0 || group[tickers[i]!] === g);
        const pick = (rows: number[][]): number[][] => rows.map((row) => members.map((i) => row[i]!));
        return binnedMeans(pick(bins), pick(returns), c.params.bins);
      });
      const flat = Array.from({ length: c.params.bins }, (_, bin) =>
        byGroup.map((list) => list[bin]!),
      ).flat();
      expectAllClose(flat, c.expected, { abs: 1e-9 });
    },
  );

  it.each(['turn_1', 'turn_3', 'turn_5', 'turn_7', 'turn_9', 'turn_11', 'turn_13', 'turn_15', 'turn_17'])(
    'bin turnover: %s',
    (id) => {
      const c = goldenCase<{
        input: { quantile_rows: number[][] };
        params: { quantile: number; period: number };
        expected: (number | null)[];
      }>(cross, id);
      expectAllClose(
        binTurnover(c.input.quantile_rows, c.params.quantile, c.params.period),
        numbers(c.expected),
        { abs: 1e-12 },
      );
    },
  );

  it.each(['rac_1', 'rac_3', 'rac_5'])('rank autocorrelation: %s', (id) => {
    const c = goldenCase<{
      input: { factor_rows: number[][] };
      params: { period: number };
      expected: (number | null)[];
    }>(cross, id);
    expectAllClose(rankAutocorrelation(c.input.factor_rows, c.params.period), numbers(c.expected), {
      abs: 1e-9,
    });
  });

  it('bins keep ties together and gaps out', () => {
    expect(equalCountBins([10, 20, 30, 40], 2)).toEqual([1, 1, 2, 2]);
    expect(equalCountBins([5, 5, 5, 5], 4)).toEqual([3, 3, 3, 3]);
    expect(equalCountBins([1, Number.NaN], 2)).toEqual([Number.NaN, Number.NaN]);
    expect(equalWidthBins([1, Number.NaN, 3], 2)).toEqual([1, Number.NaN, 2]);
    expect(equalWidthBins([4, 4], 2)).toEqual([Number.NaN, Number.NaN]);
    expect(binnedMeans([[1, 2, Number.NaN]], [[5, Number.NaN, 7]], 2)).toEqual([5, Number.NaN]);
    expect(() => binnedMeans([[1]], [], 1)).toThrow(RangeError);
    expect(
      rankAutocorrelation(
        [
          [1, 2, Number.NaN, 3],
          [1, 2, 3, Number.NaN],
        ],
        1,
      )[1],
    ).toBe(1);
  });
});
