// The shared regression against the textbook, with outliers, gaps and short histories.
import { expect, it } from 'vitest';
import { ordinaryLeastSquares } from '../../kernel/statistics/ordinary-least-squares.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { FAMILY_COUNT } from './catalogue/families.js';
import { DECAY, type FamilyFactors } from './family-factors.js';
import { EXPOSURE } from './parameters.js';
import { designOf, Regression } from './regression.js';
import { symmetricInverse } from './symmetric-inverse.js';

const random = seededRandom('regression');
const made = Array.from({ length: FAMILY_COUNT }, (_, f) =>
  f % 3 === 2 ? null : Float64Array.from({ length: EXPOSURE.weeks }, () => random.normal()),
);
const factors: FamilyFactors = {
  firstWeek: 0,
  weeks: EXPOSURE.weeks,
  decay: DECAY,
  factors: made,
  loadings: new Float64Array(62),
  meanLoading: new Float64Array(FAMILY_COUNT),
};
const truth = made.map((factor, f) => (factor === null ? 0 : (f % 4) - 1.5));

function returnsOf(noise: number): Float64Array {
  return Float64Array.from({ length: EXPOSURE.weeks }, (_, r) => {
    const explained = made.reduce(
      (sum, factor, f) => sum + (factor === null ? 0 : truth[f]! * factor[r]!),
      0.3,
    );
    return explained + noise * random.normal();
  });
}

it('inverts what can be inverted', () => {
  const matrix = Float64Array.of(4, 2, 2, 3);
  expect([...symmetricInverse(matrix, 2)!]).toEqual([
    expect.closeTo(0.375),
    expect.closeTo(-0.25),
    expect.closeTo(-0.25),
    expect.closeTo(0.5),
  ]);
  expect(symmetricInverse(Float64Array.of(1, 1, 1, 1), 2)).toBeNull();
});

it('is a weighted ridge: the same as least squares on scaled rows with ridge rows below', () => {
  const design = designOf(factors, EXPOSURE.weeks)!;
  const returns = returnsOf(0.7);
  const roots = DECAY.map(Math.sqrt);
  const total = DECAY.reduce((sum, weight) => sum + weight, 0);
  const ridge = Math.sqrt(EXPOSURE.ridge * total);
  const active = design.families;
  const columns = [
    [...roots, ...active.map(() => 0)],
    ...active.map((family, c) => [
      ...roots.map((root, r) => root * made[family]![r]!),
      ...active.map((_, other) => (other === c ? ridge : 0)),
    ]),
  ];
  const y = [...roots.map((root, r) => root * returns[r]!), ...active.map(() => 0)];
  const expected = ordinaryLeastSquares(y, columns, false).coefficients;
  const stride = design.solver.length / EXPOSURE.weeks;
  expected.forEach((coefficient, c) => {
    const solved = returns.reduce((sum, value, r) => sum + design.solver[r * stride + c]! * value, 0);
    expect(solved).toBeCloseTo(coefficient, 9);
  });
});

it('finds planted coefficients and standard errors of the right size', () => {
  const design = designOf(factors, EXPOSURE.weeks)!;
  const regression = new Regression();
  const errors: number[] = [];
  for (let run = 0; run < 60; run += 1) {
    const variance = regression.fit(design, returnsOf(1), 0);
    design.families.forEach((family, c) => {
      const shrunk = truth[family]! / (1 + EXPOSURE.ridge);
      const error = regression.coefficients[c + 1]! - shrunk;
      errors.push(error / Math.sqrt(variance * design.variances[c + 1]!));
    });
  }
  const spread = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
  expect(spread).toBeGreaterThan(0.8);
  expect(spread).toBeLessThan(1.3);
});

it('hardly notices wild weeks and missing ones', () => {
  const design = designOf(factors, EXPOSURE.weeks)!;
  const returns = returnsOf(0.5);
  const regression = new Regression();
  regression.fit(design, returns, 0);
  const calm = regression.coefficients.slice();
  const wild = returns.slice();
  for (let r = 5; r < EXPOSURE.weeks; r += 20) wild[r] = r % 40 === 5 ? 40 : -40;
  regression.fit(design, wild, 0);
  for (let c = 0; c < calm.length; c += 1)
    expect(Math.abs(regression.coefficients[c]! - calm[c]!)).toBeLessThan(0.5);
  const holes = returns.map((value, r) => (r % 15 === 3 ? Number.NaN : value));
  regression.fit(design, holes, 0);
  for (let c = 0; c < calm.length; c += 1)
    expect(Math.abs(regression.coefficients[c]! - calm[c]!)).toBeLessThan(0.3);
});

it('fits a short history from its own weeks only', () => {
  const design = designOf(factors, 65)!;
  const returns = returnsOf(0.3).map((value, r) => (r < EXPOSURE.weeks - 65 ? Number.NaN : value));
  const regression = new Regression();
  regression.fit(design, returns, EXPOSURE.weeks - 65);
  design.families.forEach((family, c) => {
    expect(Math.abs(regression.coefficients[c + 1]! - truth[family]!)).toBeLessThan(0.35);
  });
});
