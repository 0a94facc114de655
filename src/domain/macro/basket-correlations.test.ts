// Correlations with all baskets at once, to the last bit those of one pair after the other.
import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { BasketCorrelations } from './basket-correlations.js';
import { NARRATIVE_COUNT } from './catalogue/narratives.js';
import { DECAY } from './family-factors.js';
import { EXPOSURE } from './parameters.js';

const random = seededRandom('baskets');
const drawn = (missing: number): Float64Array =>
  Float64Array.from({ length: EXPOSURE.weeks }, (_, r) => (r < missing ? Number.NaN : random.normal()));
const baskets = Array.from({ length: NARRATIVE_COUNT }, (_, n) =>
  n === 5 ? null : n === 9 ? new Float64Array(EXPOSURE.weeks) : drawn(n % 7 === 3 ? 20 : 0),
);

/** Weighted correlation without means, as a textbook writes it; NaN where too few weeks are known to both. */
function paired(x: Float64Array, y: Float64Array | null): number {
  if (y === null) return Number.NaN;
  const weeks = [...x.keys()].filter((r) => !Number.isNaN(x[r]! * y[r]!));
  const sum = (of: (r: number) => number): number => weeks.reduce((total, r) => total + of(r), 0);
  const xx = sum((r) => DECAY[r]! * x[r]! * x[r]!);
  const yy = sum((r) => DECAY[r]! * y[r]! * y[r]!);
  const whole = weeks.length === x.length;
  const xy = sum((r) => (whole ? x[r]! * (DECAY[r]! * y[r]!) : DECAY[r]! * (x[r]! * y[r]!)));
  return weeks.length < EXPOSURE.minimumWeeks || !(xx > 0 && yy > 0) ? Number.NaN : xy / Math.sqrt(xx * yy);
}

it.each([
  0,
  13,
  EXPOSURE.weeks - EXPOSURE.minimumWeeks,
  EXPOSURE.weeks - EXPOSURE.minimumWeeks + 1,
  EXPOSURE.weeks,
])('is right for an asset whose first %i weeks are missing', (missing) => {
  const measured = new BasketCorrelations(baskets);
  // What an earlier asset has left behind must not show.
  measured.measure(drawn(0));
  const returns = drawn(missing);
  measured.measure(returns);
  expect([...measured.correlations]).toEqual(baskets.map((basket) => paired(returns, basket)));
  for (const [n, r] of measured.correlations.entries()) {
    if (!Number.isNaN(r)) expect(measured.variances[n]).toBeGreaterThan(0);
  }
});

it('says nothing of an asset that does not move', () => {
  const measured = new BasketCorrelations(baskets);
  measured.measure(new Float64Array(EXPOSURE.weeks));
  expect([...measured.correlations].every(Number.isNaN)).toBe(true);
});
