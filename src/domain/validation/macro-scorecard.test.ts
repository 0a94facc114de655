// The scorecard of the structure score finds what is in the returns, and nothing where nothing is.
import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { HORIZONS, macroScorecard, type ScoredWeek } from './macro-scorecard.js';

const ASSETS = 40;

/** Scores that go with the returns of each horizon by the given share of one, the rest being chance. */
function weeksOf(count: number, share: (horizon: (typeof HORIZONS)[number]) => number): ScoredWeek[] {
  const random = seededRandom('macro-scorecard');
  return Array.from({ length: count }, () => {
    const scores = Array.from({ length: ASSETS }, () => random.normal());
    const returns = HORIZONS.map((horizon) => {
      const with_ = share(horizon);
      return scores.map((score) => with_ * score + Math.sqrt(1 - with_ ** 2) * random.normal());
    });
    return { scores, returns };
  });
}

it('measures a rank correlation with the past and tells it from none with the future', () => {
  const weeks = weeksOf(200, ({ direction }) => (direction === 'trailing' ? 0.4 : 0));
  const { horizons, sentence } = macroScorecard(weeks);
  for (const { direction, meanIc, interval, sections, meanAssets, neweyWest } of horizons) {
    expect([sections, meanAssets]).toEqual([200, ASSETS]);
    expect(interval![0]).toBeLessThan(meanIc!);
    expect(interval![1]).toBeGreaterThan(meanIc!);
    // Spearman's rho of normal pairs with r = 0.4 is 6/π · asin(0.2) ≈ 0.385.
    if (direction === 'trailing') expect(meanIc).toBeCloseTo(0.385, 1);
    else expect(interval![0] < 0 && interval![1] > 0).toBe(true);
    expect(Math.abs(neweyWest!.t) > 2).toBe(direction === 'trailing');
  }
  expect(sentence).toBe(
    'The score describes structure, it does not forecast. Its rank correlation with the returns that followed cannot be told from zero.',
  );
});

it('says so when the returns that followed do go with it', () => {
  const { sentence } = macroScorecard(weeksOf(200, ({ weeks }) => (weeks === 1 ? -0.3 : 0)));
  expect(sentence).toContain('leaves out zero');
  expect(sentence).toContain('1 w (−)');
  expect(sentence).toContain('does not forecast');
});

it('uses only pairs that are known, and gives no interval for a few weeks', () => {
  const [week] = weeksOf(1, () => 0.5);
  const holes = week!.returns[0]!;
  const few = {
    scores: week!.scores,
    returns: week!.returns.map((_, i) => (i === 0 ? Array.from(holes).fill(Number.NaN, 5) : holes)),
  };
  const { horizons, sentence } = macroScorecard([few, few]);
  expect(horizons[0]).toMatchObject({ sections: 0, meanIc: null, interval: null });
  expect(horizons[1]).toMatchObject({ sections: 2, interval: null, p: null });
  expect(horizons[1]!.meanIc).toBeGreaterThan(0);
  expect(sentence).toContain('too few weeks');
  expect(macroScorecard([]).horizons.every(({ meanIc }) => meanIc === null)).toBe(true);
});
