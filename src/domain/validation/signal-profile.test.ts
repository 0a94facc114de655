// What is told beside the tests: fifths, persistence and decay against slower ways to the same numbers.
import { describe, expect, it } from 'vitest';
import { mean } from '../../kernel/statistics/moments.js';
import { ordinaryLeastSquares } from '../../kernel/statistics/ordinary-least-squares.js';
import { averageRanks } from '../../kernel/statistics/ranks.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { binTurnover, rankAutocorrelation } from '../../kernel/statistics/turnover.js';
import { REGIME, regimeOf } from '../attention/tape-health.js';
import { moodOf } from './attention-mood.js';
import { CrossSection, ordered } from './cross-section.js';
import { type BucketSeries, decayOf } from './decay.js';
import { VALIDATION } from './parameters.js';
import { SignalPersistence } from './signal-persistence.js';
import { TAPE_SIGNALS } from './tape-signals.js';

const random = seededRandom('signal profile');
const WIDTH = 63;
const draw = (): Float64Array => Float64Array.from({ length: WIDTH }, () => random.normal());
const sector = Uint16Array.from({ length: WIDTH }, (_, i) => i % 3);

/** By place in the order, without the function under test. */
const fifths = (values: ArrayLike<number>): number[] => {
  const present = Array.from(values).filter((value) => !Number.isNaN(value));
  return Array.from(values, (value) => {
    if (Number.isNaN(value)) return Number.NaN;
    const below = present.filter((other) => other < value).length;
    return Math.floor(((below + 0.5) / present.length) * 5);
  });
};

describe('fifths', () => {
  it('have the mean of what size and sector leave of the target', () => {
    const [signal, target, size] = [draw(), draw(), draw()];
    const [found] = new CrossSection(sector).correlate(ordered(signal), [ordered(target)], ordered(size), {
      withFifths: true,
    });
    const columns = [
      averageRanks(size),
      ...[1, 2].map((own) => Array.from(sector, (one) => (one === own ? 1 : 0))),
    ];
    const { residuals } = ordinaryLeastSquares(target, columns);
    const own = fifths(signal);
    for (let k = 0; k < 5; k++)
      expect(found!.fifths[k]).toBeCloseTo(mean(residuals.filter((_, i) => own[i] === k)), 10);
  });

  it('are never told where ties leave one empty, nor where nobody asks', () => {
    const flat = draw().map((value) => (value > 0 ? 1 : 0));
    const cross = new CrossSection(sector);
    const [tied] = cross.correlate(ordered(flat), [ordered(draw())], ordered(draw()), { withFifths: true });
    expect(tied!.fifths.filter(Number.isNaN)).toHaveLength(3);
    const [unasked] = cross.correlate(ordered(draw()), [ordered(draw())], ordered(draw()));
    expect(unasked!.fifths).toEqual([]);
  });
});

describe('persistence', () => {
  it('is the rank correlation and the turnover of the highest fifth from session to session', () => {
    const sections = [draw()];
    for (let day = 1; day < 12; day++)
      sections.push(sections[day - 1]!.map((value) => 0.8 * value + 0.6 * random.normal()));
    // Names come and go.
    for (const [day, values] of sections.entries()) values[(5 * day) % WIDTH] = Number.NaN;
    const persistence = new SignalPersistence(WIDTH);
    for (const [day, values] of sections.entries()) persistence.take(day, ordered(values));
    const { days, rankAutocorrelation: found, turnover } = persistence.result;
    expect(days).toBe(11);
    expect(found).toBeCloseTo(mean(rankAutocorrelation(sections, 1).slice(1)), 12);
    expect(turnover).toBeCloseTo(mean(binTurnover(sections.map(fifths), 4, 1).slice(1)), 12);
  });

  it('compares neighbours only, and nothing that has no order', () => {
    const persistence = new SignalPersistence(WIDTH);
    const [one, other] = [draw(), draw()];
    for (const day of [0, 2, 4]) persistence.take(day, ordered(one));
    expect(persistence.result.days).toBe(0);
    persistence.take(5, ordered(new Float64Array(WIDTH)));
    persistence.take(6, ordered(other));
    expect(persistence.result).toMatchObject({ days: 0, turnover: Number.NaN });
    persistence.take(7, ordered(other));
    expect(persistence.result).toMatchObject({ days: 1, turnover: 0 });
    expect(persistence.result.rankAutocorrelation).toBeCloseTo(1, 12);
  });
});

describe('decay', () => {
  const around = (from: number, to: number, centre: number, noise = 0.002): BucketSeries => ({
    from,
    to,
    values: Array.from({ length: 400 }, () => centre + noise * random.normal()),
  });
  const fading = (halfLife: number, sign = 1): BucketSeries[] =>
    [
      [0, 1],
      [1, 5],
      [5, 20],
    ].map(([from, to]) => around(from!, to!, sign * 0.1 * 0.5 ** ((from! + to!) / 2 / halfLife)));

  it('has the half-life of what was planted, also of a negative effect', () => {
    for (const sign of [1, -1]) {
      const { halfLife, reason, buckets } = decayOf(fading(6, sign));
      expect(reason).toBeNull();
      expect(halfLife).toBeGreaterThan(5.8);
      expect(halfLife).toBeLessThan(6.2);
      expect(buckets.map(({ from, to, days }) => [from, to, days])).toEqual([
        [0, 1, 400],
        [1, 5, 400],
        [5, 20, 400],
      ]);
    }
  });

  it('says why it has none', () => {
    const [first, second, third] = fading(6);
    const noise = around(5, 20, 0, 0.1);
    expect(decayOf([first!, second!, noise])).toMatchObject({ halfLife: null, reason: 'too_few_buckets' });
    const short = { ...third!, values: third!.values.slice(0, VALIDATION.minDays - 1) };
    expect(decayOf([first!, second!, short]).reason).toBe('too_few_buckets');
    expect(decayOf([first!, second!, around(5, 20, -0.05)]).reason).toBe('sign_changes');
    expect(decayOf([around(0, 1, 0.02), around(1, 5, 0.04), around(5, 20, 0.08)]).reason).toBe(
      'not_decreasing',
    );
    expect(decayOf([1, 2, 3].map((to) => ({ from: to - 1, to, values: [] }))).reason).toBe('too_few_buckets');
  });
});

it('names the regime of a day as the diagnostics do', () => {
  expect([VALIDATION.activeFrom, VALIDATION.stressedFrom]).toEqual([REGIME.activeFrom, REGIME.stressedFrom]);
  const section = (elevated: number, banded = 100) => ({
    signals: TAPE_SIGNALS.map(({ id }) =>
      Float64Array.from({ length: 120 }, (_, i) =>
        id === 'anomaly_level' && i < banded ? (i < elevated ? 2 + (i % 3) : i % 2) : Number.NaN,
      ),
    ),
  });
  for (const elevated of [0, 4, 5, 14, 15, 100])
    expect(moodOf(section(elevated))).toBe(regimeOf(elevated / 100));
  expect(moodOf(section(0, 0))).toBeNull();
});
