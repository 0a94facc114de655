// The regime machine: dwells, holds, stress, transitions, and planted regimes under noise.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { type Axes, quadrantOf, quadrantProbabilities, stressProbability } from './axes.js';
import { cheapestQuadrant, JUMP_START, stepJump } from './jump-check.js';
import { REGIME } from './parameters.js';
import { REGIME_START, type RegimeLabel, stepRegime } from './regime.js';

const axes = (growth: number | null, inflation: number | null, liquidity = 0, stress = 0): Axes => ({
  growth,
  inflation,
  liquidity,
  stress,
});

function walk(days: readonly Axes[]): RegimeLabel[] {
  let machine = REGIME_START;
  return days.map((day) => {
    machine = stepRegime(machine, day);
    return machine.label;
  });
}

const days = (n: number, day: Axes): Axes[] => Array.from({ length: n }, () => day);

it('never leaves a label before its dwell, unless stress or missing data interrupt', () => {
  const axis = fc.double({ min: -2.5, max: 2.5, noNaN: true });
  const day = fc.record({
    growth: fc.option(axis, { freq: 20 }),
    inflation: fc.option(axis, { freq: 20 }),
    liquidity: fc.option(axis, { freq: 20 }),
    stress: fc.option(fc.double({ min: -1, max: 2.5, noNaN: true }), { freq: 20 }),
  });
  const exempt = new Set<RegimeLabel>(['Stress', 'Warming']);
  fc.assert(
    fc.property(fc.array(day, { minLength: 40, maxLength: 200 }), (list) => {
      const labels = walk(list);
      let began = 0;
      for (let i = 1; i < labels.length; i += 1) {
        if (labels[i] === labels[i - 1]) continue;
        if (!exempt.has(labels[i]!) && !exempt.has(labels[i - 1]!))
          expect(i - began).toBeGreaterThanOrEqual(REGIME.dwellSteps);
        began = i;
      }
    }),
  );
});

it('takes the quadrant of the first day, then asks a change to hold', () => {
  expect(walk([axes(0.1, -0.1)])).toEqual(['Goldilocks Neutral']);
  const slow = walk([...days(20, axes(1, -1)), ...days(5, axes(-0.3, -1))]);
  expect(slow.slice(-2)).toEqual(['Goldilocks Neutral', 'Contraction Neutral']);
  expect(walk([...days(20, axes(1, -1)), ...days(30, axes(-0.2, -1))]).at(-1)).toBe('Goldilocks Neutral');
  expect(walk([...days(20, axes(1, -1)), axes(-0.8, -1)]).at(-1)).toBe('Contraction Neutral');
  expect(walk([...days(5, axes(1, -1)), ...days(4, axes(-2, -1))]).at(-1)).toBe('Goldilocks Neutral');
  expect(walk([...days(5, axes(1, -1)), ...days(6, axes(-2, -1))]).at(-1)).toBe('Contraction Neutral');
});

it('says how easy money is, with memory', () => {
  expect(walk([axes(1, 1, 0.4)])).toEqual(['Reflation Easy']);
  const easy = days(15, axes(1, 1, 0.5));
  expect(walk([...easy, ...days(9, axes(1, 1, 0.2))]).at(-1)).toBe('Reflation Easy');
  expect(walk([...easy, ...days(9, axes(1, 1, 0))]).at(-1)).toBe('Reflation Neutral');
  expect(walk([...easy, axes(1, 1, -0.5)]).at(-1)).toBe('Reflation Tight');
});

it('lets stress in at once and out below its own line', () => {
  const calm = days(3, axes(1, -1));
  const labels = walk([...calm, axes(1, -1, 0, 1.8), axes(1, -1, 0, 1.2), axes(1, -1, 0, 0.9)]);
  expect(labels.slice(-3)).toEqual(['Stress', 'Stress', 'Goldilocks Neutral']);
});

it('names a transition only when nothing has been decided for long', () => {
  const labels = walk([...days(20, axes(1, -1)), ...days(9, axes(0.01, -1)), axes(0.01, -1)]);
  expect(labels.slice(-2)).toEqual(['Goldilocks Neutral', 'Transition']);
});

it('warms up without growth or inflation, and bears a short gap', () => {
  expect(walk([axes(null, 1)])).toEqual(['Warming']);
  const gap = walk([...days(20, axes(1, -1)), ...days(4, axes(null, -1)), axes(1, -1)]);
  expect(gap.at(-1)).toBe('Goldilocks Neutral');
  expect(walk([...days(20, axes(1, -1)), ...days(5, axes(null, -1))]).at(-1)).toBe('Warming');
});

it('gives probabilities that sum to one', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.double({ min: -4, max: 4, noNaN: true }),
      (g, i) => {
        const total = Object.values(quadrantProbabilities(g, i)).reduce((sum, share) => sum + share, 0);
        expect(total).toBeCloseTo(1, 12);
        expect(stressProbability(g)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
  expect(quadrantProbabilities(0, 0).Reflation).toBe(0.25);
});

it('labels planted regimes right in 85 % of the weeks, with few switches, under noise that lasts', () => {
  const random = seededRandom('regimes');
  let machine = REGIME_START;
  let jump = JUMP_START;
  let [noiseG, noiseI] = [0, 0];
  let [right, checked, weeks, switches, trueSwitches] = [0, 0, 0, 0, 0];
  let last = '';
  for (let episode = 0; episode < 24; episode += 1) {
    // The order of a business cycle: one axis turns at a time.
    const growthUp = episode % 4 < 2;
    const inflationUp = episode % 4 === 1 || episode % 4 === 2;
    if (episode > 0) trueSwitches += 1;
    const length = random.integer(180, 420);
    for (let day = 0; day < length; day += 1) {
      noiseG = 0.95 * noiseG + 0.12 * random.normal();
      noiseI = 0.95 * noiseI + 0.12 * random.normal();
      const today = axes((growthUp ? 0.8 : -0.8) + noiseG, (inflationUp ? 0.8 : -0.8) + noiseI);
      machine = stepRegime(machine, today);
      jump = stepJump(jump, today);
      if (day % 5 !== 0) continue;
      const truth = quadrantOf(growthUp, inflationUp);
      const quadrant = machine.label.split(' ')[0]!;
      weeks += 1;
      if (quadrant === truth) right += 1;
      if (cheapestQuadrant(jump) === truth) checked += 1;
      if (last !== '' && quadrant !== last) switches += 1;
      last = quadrant;
    }
  }
  expect(right / weeks).toBeGreaterThan(0.95);
  expect(checked / weeks).toBeGreaterThan(0.9);
  expect(switches).toBeLessThanOrEqual(1.5 * trueSwitches);
});
