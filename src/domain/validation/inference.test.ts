// The tests behind the verdicts: right size when windows overlap, right residuals, right ties, right ladder.
import { describe, expect, it } from 'vitest';
import { equalWeightedCosine } from '../../kernel/statistics/equal-weighted-cosine.js';
import { mean, standardDeviation } from '../../kernel/statistics/moments.js';
import { ordinaryLeastSquares } from '../../kernel/statistics/ordinary-least-squares.js';
import { pearson } from '../../kernel/statistics/pearson.js';
import { averageRanks } from '../../kernel/statistics/ranks.js';
import { type SeededRandom, seededRandom } from '../../kernel/statistics/seeded-random.js';
import { spearman } from '../../kernel/statistics/spearman.js';
import { CrossSection, ordered } from './cross-section.js';
import { inferMean, resample, stabilityOf } from './inference.js';
import { type Evidence, judge } from './verdict.js';

const OPTIONS = { horizon: 1, reference: 0.02, equivalence: 0.01 };

describe('a cross-section', () => {
  const random = seededRandom('cross-section');
  const width = 60;
  const draw = (): Float64Array =>
    Float64Array.from({ length: width }, () => Math.round(random.normal(0, 3)));
  const sector = Uint16Array.from({ length: width }, (_, i) => i % 4);

  it('has the rank correlation with ties averaged, over the names that both sides have', () => {
    const [signal, target, size] = [draw(), draw(), draw()];
    signal[3] = Number.NaN;
    target[7] = Number.NaN;
    const kept = [...signal.keys()].filter((i) => i !== 3 && i !== 7);
    const pick = (values: Float64Array): number[] => kept.map((i) => values[i]!);
    const [found] = new CrossSection(sector).correlate(ordered(signal), [ordered(target)], ordered(size));
    expect(found!.names).toBe(58);
    expect(found!.raw).toBeCloseTo(spearman(pick(signal), pick(target)), 12);
  });

  it('takes size and sector out exactly as least squares by QR does', () => {
    const [signal, target, size] = [draw(), draw(), draw()];
    const [found] = new CrossSection(sector).correlate(ordered(signal), [ordered(target)], ordered(size));
    const columns = [
      averageRanks(size),
      ...[1, 2, 3].map((own) => Array.from(sector, (one) => (one === own ? 1 : 0))),
    ];
    const residual = (values: Float64Array): number[] =>
      ordinaryLeastSquares(averageRanks(values), columns).residuals;
    expect(found!.neutral).toBeCloseTo(pearson(residual(signal), residual(target)), 10);
  });

  it('has no coefficient where a side is constant', () => {
    const flat = new Float64Array(width).fill(2);
    const [found] = new CrossSection(sector).correlate(ordered(flat), [ordered(draw())], ordered(draw()));
    expect(found).toMatchObject({ raw: Number.NaN, neutral: Number.NaN });
  });

  it('does not take size for skill', () => {
    const size = Float64Array.from({ length: width }, () => random.normal());
    const noisy = (sign: number): Float64Array => size.map((one) => sign * one + 0.02 * random.normal());
    const [found] = new CrossSection(sector).correlate(
      ordered(noisy(-1)),
      [ordered(noisy(1))],
      ordered(size),
    );
    expect(found!.raw).toBeLessThan(-0.95);
    expect(Math.abs(found!.neutral)).toBeLessThan(0.4);
  });
});

describe('the size of the test', () => {
  const [NAMES, DAYS, MARKETS, SHUFFLES, PERSISTENCE] = [36, 240, 60, 20, 0.95];

  /** A persistent signal and overlapping returns; the effect is there, and only shuffled names make it chance. */
  function market(horizon: number, random: SeededRandom): readonly [Float64Array, Float64Array][] {
    const shock = Math.sqrt(1 - PERSISTENCE ** 2);
    const draw = (): Float64Array => Float64Array.from({ length: NAMES }, () => random.normal());
    const level = draw();
    const steps = Array.from({ length: DAYS + horizon }, draw);
    return Array.from({ length: DAYS }, (_, t) => {
      const signal = centredRanksOf(level);
      const ahead = new Float64Array(NAMES);
      for (let k = 0; k < horizon; k++) for (let i = 0; i < NAMES; i++) ahead[i]! += steps[t + k]![i]!;
      for (let i = 0; i < NAMES; i++)
        level[i] = PERSISTENCE * level[i]! + shock * (0.98 * random.normal() + 0.2 * steps[t + 1]![i]!);
      return [signal, centredRanksOf(ahead)];
    });
  }

  /** One cycle through all names: a shuffle that leaves a name in its place would leave its effect there, too. */
  function elsewhere(random: SeededRandom): Uint32Array {
    const order = random.shuffle(Array.from({ length: NAMES }, (_, i) => i));
    const place = new Uint32Array(NAMES);
    order.forEach((name, i) => {
      place[name] = order[(i + 1) % NAMES]!;
    });
    return place;
  }

  function nullRates(horizon: number): { ewc: number; naive: number; gap: number; runs: number } {
    const random = seededRandom(`null ${horizon}`);
    const p: number[] = [];
    let naive = 0;
    for (let n = 0; n < MARKETS; n++) {
      const days = market(horizon, random.fork(String(n)));
      for (let run = 0; run < SHUFFLES; run++) {
        const place = elsewhere(random);
        const series = days.map(([signal, target]) => product(signal, target, place));
        p.push(equalWeightedCosine(series, { horizon }).p);
        const t = mean(series) / (standardDeviation(series) / Math.sqrt(DAYS));
        if (Math.abs(t) > 1.96) naive++;
      }
    }
    p.sort((a, b) => a - b);
    const runs = p.length;
    const gap = Math.max(...p.map((value, i) => Math.abs(value - (i + 0.5) / runs)));
    return { ewc: p.filter((value) => value < 0.05).length / runs, naive: naive / runs, gap, runs };
  }

  const centredRanksOf = (values: Float64Array): Float64Array => {
    const middle = (values.length + 1) / 2;
    return Float64Array.from(averageRanks(values), (rank) => rank - middle);
  };
  function product(x: Float64Array, y: Float64Array, place: Uint32Array): number {
    let [xy, xx] = [0, 0];
    for (let i = 0; i < x.length; i++) {
      xy += x[place[i]!]! * y[i]!;
      xx += x[i]! * x[i]!;
    }
    return xy / xx;
  }

  it.each([1, 5, 20])('is five in a hundred over shuffled markets at a horizon of %i', (horizon) => {
    const { ewc, naive, gap, runs } = nullRates(horizon);
    console.info(
      `horizon ${horizon}, ${runs} runs: cosines ${ewc}, independent days ${naive}, distance ${gap.toFixed(3)}`,
    );
    expect(runs).toBeGreaterThanOrEqual(400);
    expect(ewc).toBeGreaterThanOrEqual(0.03);
    expect(ewc).toBeLessThanOrEqual(0.07);
    // Kolmogorov's bound at one in a hundred for as many uniform values.
    expect(gap).toBeLessThan(1.63 / Math.sqrt(runs));
    // What everybody does by hand calls noise significant as soon as windows overlap.
    if (horizon > 1) expect(naive).toBeGreaterThan(0.2);
  });
});

describe('inference about a mean', () => {
  const random = seededRandom('inference');
  const series = (n: number, centre: number): number[] =>
    Array.from({ length: n }, () => random.normal(centre, 0.1));

  it('states its power for the registered effect and never for the one that was seen', () => {
    const [small, large] = [inferMean(series(250, 0), OPTIONS), inferMean(series(250, 0.2), OPTIONS)];
    expect(Math.abs(small.power - large.power)).toBeLessThan(0.25);
    expect(small.mde80).toBeGreaterThan(0.012);
    expect(small.mde80).toBeLessThan(0.028);
    expect(inferMean(series(4000, 0), OPTIONS).power).toBeGreaterThan(0.99);
  });

  it('shows equivalence only where the interval lies inside the bounds', () => {
    expect(inferMean(series(40, 0), OPTIONS).equivalenceP).toBeGreaterThan(0.05);
    expect(inferMean(series(5_000, 0), OPTIONS).equivalenceP).toBeLessThan(0.05);
    expect(inferMean(series(5_000, 0.02), OPTIONS).equivalenceP).toBeGreaterThan(0.95);
  });

  it('agrees with a bootstrap that assumes nothing, and repeats it exactly', () => {
    const values = series(300, 0.02);
    const { low, high } = inferMean(values, OPTIONS);
    const drawn = resample(values, 1, 'seed');
    expect(drawn.low).toBeCloseTo(low, 1.7);
    expect(drawn.high).toBeCloseTo(high, 1.7);
    expect(resample(values, 1, 'seed')).toEqual(drawn);
    expect(resample(values, 20, 'seed').block).toBeGreaterThanOrEqual(20);
  });

  it('counts months with the expected sign', () => {
    const dates = Array.from({ length: 40 }, (_, i) => `2026-0${1 + Math.floor(i / 10)}-01`);
    const values = dates.map((date) => (date.startsWith('2026-03') ? -1 : 1));
    expect(stabilityOf(values, dates, 1, 1)).toMatchObject({ months: 4, share: 0.75 });
    expect(stabilityOf(values, dates, 1, -1)).toMatchObject({ months: 4, share: 0.25 });
  });
});

describe('the ladder', () => {
  const sound: Evidence = {
    audited: true,
    days: 250,
    terms: 15,
    medianNames: 100,
    coverage: 1,
    mean: 0.05,
    expectedSign: 1,
    survivesBh: true,
    survivesBy: true,
    survivedBefore: false,
    stabilityLow: 0.7,
    exploratoryMean: Number.NaN,
    confirmatoryMean: 0.05,
    equivalenceP: 0.9,
    power: 0.9,
  };

  it.each<[string, string, Partial<Evidence>]>([
    ['supported', 'survives_by', {}],
    ['supported', 'survives_bh_in_two_epochs', { survivesBy: false, survivedBefore: true }],
    ['underpowered', 'significant_once', { survivesBy: false }],
    ['underpowered', 'significant_but_unstable', { stabilityLow: 0.4 }],
    ['underpowered', 'significant_but_not_confirmed', { exploratoryMean: 0.2, confirmatoryMean: 0.01 }],
    ['contradicted', 'significant_against_the_expected_sign', { mean: -0.05 }],
    ['supported', 'survives_by', { mean: -0.05, expectedSign: 0 }],
    [
      'no_material_effect',
      'equivalent_to_none',
      { survivesBh: false, survivesBy: false, equivalenceP: 0.01 },
    ],
    ['underpowered', 'power_below_wanted', { survivesBh: false, survivesBy: false, power: 0.3 }],
    ['underpowered', 'neither_found_nor_excluded', { survivesBh: false, survivesBy: false }],
    ['insufficient_data', 'too_few_days', { days: 59 }],
    ['insufficient_data', 'too_few_independent_days', { terms: 7 }],
    ['insufficient_data', 'too_few_names', { medianNames: 29 }],
    ['insufficient_data', 'too_many_gaps', { coverage: 0.49 }],
    ['insufficient_data', 'too_few_days', { days: 59, audited: false }],
    ['withheld', 'archive_audit_failed', { audited: false }],
  ])('says %s by %s', (verdict, reason, over) => {
    expect(judge({ ...sound, ...over })).toEqual({ verdict, reason });
  });
});
