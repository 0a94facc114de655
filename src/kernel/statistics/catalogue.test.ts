// The statistics as their document lists them: nothing is missing, ties are shared, and a NaN never passes for a number.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ljungBox } from './autocorrelation.js';
import { chiSquareCdf } from './chi-square.js';
import { brier, rocAuc } from './classification-scores.js';
import { entropy, gini, herfindahl } from './concentration.js';
import { deflatedSharpe } from './deflated-sharpe.js';
import { eigenTrust } from './eigen-trust.js';
import { emPca } from './em-pca.js';
import { equalWeightedCosine } from './equal-weighted-cosine.js';
import { fCdf } from './f-distribution.js';
import { kendallTau } from './kendall.js';
import { kleinbergBursts } from './kleinberg-bursts.js';
import { mad } from './median-absolute-deviation.js';
import { createMinHasher, minHash, signatureSimilarity } from './min-hash.js';
import { benjaminiHochberg, benjaminiYekutieli, holm } from './multiple-testing.js';
import { neweyWestMean } from './newey-west.js';
import { nonCentralTPower } from './non-central-t.js';
import { normalCdf, normalQuantile } from './normal.js';
import { pageRank } from './page-rank.js';
import { pearson } from './pearson.js';
import { wilsonInterval } from './proportion-intervals.js';
import { qn } from './qn-scale.js';
import { averageRanks } from './ranks.js';
import { removeOutliers } from './remove-outliers.js';
import { simHash } from './sim-hash.js';
import { spearman } from './spearman.js';
import { studentTCdf, studentTQuantile } from './student-t.js';
import { transformSeries } from './transform-series.js';

const FOLDER = new URL('.', import.meta.url);
const { NaN: NONE } = Number;

it('is listed whole in docs/statistics.md, and nothing else is', () => {
  const exported = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/^export (?:function|const) (\w+)/gm),
    ])
    .map(([, name]) => name!);
  const document = readFileSync(new URL('../../../docs/statistics.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  expect(listed.toSorted()).toEqual(exported.toSorted());
});

describe('plain arrays', () => {
  const x = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
  const y = [2, 7, 1, 8, 2, 8, 1, 8, 2, 8];
  const holed = [3, 1, NONE, 1, 5, 9, 2, 6, 5, 3];
  const graph = { nodes: 3, from: [0, 1, 2], to: [1, 2, 0] };

  it('give numbers', () => {
    const p = [0.01, 0.04, 0.03];
    for (const value of [
      pearson(x, y),
      spearman(x, y),
      kendallTau(x, y),
      neweyWestMean(x, 2).se,
      equalWeightedCosine(x, { terms: 3 }).p,
      mad(x),
      qn(x),
      gini(x),
      herfindahl(x),
      entropy(x),
      ljungBox(x, 2).statistics.at(-1)!,
      rocAuc([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.35]),
      brier([0, 1], [0.2, 0.7]),
      normalCdf(1),
      normalQuantile(0.9),
      studentTCdf(1, 5),
      studentTQuantile(0.9, 5),
      chiSquareCdf(3, 2),
      fCdf(2, 3, 7),
      nonCentralTPower(2, 12),
      wilsonInterval(3, 10).low,
      deflatedSharpe(
        { sharpe: 0.1, observations: 250, skewness: 0, kurtosis: 3 },
        { trials: 10, trialDeviation: 0.05 },
      ),
      ...benjaminiHochberg(p),
      ...benjaminiYekutieli(p),
      ...holm(p),
      ...pageRank(graph).scores,
      ...eigenTrust(graph, { preTrust: [1, 0, 0], alpha: 0.2 }).scores,
      ...transformSeries([1, 2, 4], 2).slice(1),
      ...removeOutliers(x),
    ])
      expect(value).not.toBeNaN();
    expect(kleinbergBursts([1, 2, 3, 10, 11]).length).toBe(5);
    expect(simHash([1n, 2n, 3n])).toEqual(expect.any(BigInt));
    const panel = Array.from({ length: 12 }, (_, t) => [Math.sin(t), Math.cos(t), t % 5, (t * t) % 7]);
    expect(emPca(panel, { factors: 1 }).factors).toHaveLength(12);
  });

  it('with a hole give no number instead of a wrong one', () => {
    for (const value of [
      pearson(holed, y),
      spearman(holed, y),
      kendallTau(holed, y),
      neweyWestMean(holed, 2).t,
      equalWeightedCosine(holed, { terms: 3 }).p,
      mad(holed),
      qn(holed),
      gini(holed),
      herfindahl(holed),
      entropy(holed),
      rocAuc([0, 1], [NONE, 0.5]),
      brier([0, 1], [NONE, 0.5]),
      normalCdf(NONE),
      studentTCdf(NONE, 4),
      chiSquareCdf(NONE, 4),
      fCdf(NONE, 4, 4),
    ])
      expect(value).toBeNaN();
    expect(averageRanks(holed)).toEqual(holed.map(() => NONE));
    expect(benjaminiHochberg([0.01, NONE])).toEqual([0.02, NONE]);
  });

  it('with ties share their ranks', () => {
    expect(averageRanks([2, 1, 2, 3])).toEqual([2.5, 1, 2.5, 4]);
    expect(spearman([1, 1, 2], [1, 1, 2])).toBe(1);
    expect(kendallTau([1, 1, 2, 3], [1, 1, 2, 3])).toBe(1);
    expect(rocAuc([0, 1], [0.5, 0.5])).toBe(0.5);
  });

  it('sketch alike, by the hasher or in one call', () => {
    const signature = new Uint32Array(64);
    createMinHasher(64, 5).signature([7, 8, 9], signature);
    expect(minHash([7, 8, 9], 64, 5)).toEqual(signature);
    expect(signatureSimilarity(minHash([1, 2, 3]), minHash([3, 2, 1]))).toBe(1);
  });
});
