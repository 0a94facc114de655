import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, variance } from '../../kernel/statistics/moments.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { winsorise } from '../../kernel/statistics/winsorise.js';
import {
  baselineOf,
  calibrated,
  calibrationFactor,
  discoveryRates,
  empiricalTail,
  exceedances,
  exposureOf,
  hourlySurprises,
  isQuiet,
  lowerTail,
  ordinary,
  surpriseOf,
} from './surprise.js';

const WEEK = 168;

function counts(seed: string, hours: number, average: number, dispersion: number): Uint32Array {
  const random = seededRandom(seed);
  return Uint32Array.from({ length: hours }, () => random.negativeBinomial(average, dispersion));
}

describe('the baseline', () => {
  it('has the moments of the winsorised week', () => {
    const week = counts('week', WEEK, 12, 1.5);
    const cut = winsorise(week, 0, 0.98);
    const baseline = baselineOf(week);
    expect(baseline.mean).toBeCloseTo(mean(cut), 10);
    expect(baseline.mean + baseline.mean ** 2 / baseline.dispersion).toBeCloseTo(variance(cut), 8);
  });

  it('never falls below half a mention, nor to a Poisson', () => {
    expect(baselineOf(new Uint32Array(WEEK)).mean).toBe(0.5);
    const { mean: even, dispersion } = baselineOf(new Uint32Array(WEEK).fill(7));
    expect(even + even ** 2 / dispersion).toBeCloseTo(1.05 * 7, 10);
  });

  it('does not let one old burst hide a new one', () => {
    const week = counts('burst', WEEK, 10, 3);
    const quiet = surpriseOf(60, baselineOf(week));
    week.fill(900, 20, 22);
    expect(surpriseOf(60, baselineOf(week))).toBeGreaterThan(0.8 * quiet);
  });
});

describe('the surprise of past hours', () => {
  it('is to the bit what each hour gives by itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(3), fc.nat(40), fc.nat(90_000)), { minLength: WEEK, maxLength: WEEK + 60 }),
        (hours) => {
          const series = Uint32Array.from(hours);
          const alone = hours
            .slice(WEEK)
            .map((x, i) => surpriseOf(x, baselineOf(series.subarray(i, i + WEEK))));
          expect([...hourlySurprises(series, WEEK)]).toEqual(alone);
          expect(exceedances(series, WEEK)).toEqual(alone.flatMap((s, i) => (s >= 3 ? [i + WEEK] : [])));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fires somewhat more often than its nominal rate on overdispersed counts', () => {
    let [hours, two, three] = [0, 0, 0];
    for (const [average, dispersion] of [
      [2, 1],
      [8, 2],
      [40, 3],
      [200, 5],
    ] as const) {
      for (let run = 0; run < 10; run++) {
        for (const s of hourlySurprises(
          counts(`rate ${average} ${run}`, WEEK + 672, average, dispersion),
          WEEK,
        )) {
          hours++;
          if (s >= 2) two++;
          if (s >= 3) three++;
        }
      }
    }
    expect(two / hours).toBeGreaterThan(0.005);
    expect(two / hours).toBeLessThan(0.03);
    expect(three / hours).toBeGreaterThan(0.0005);
    expect(three / hours).toBeLessThan(0.01);
  });
});

describe('shortcuts', () => {
  const grid = [0.5, 1, 3, 10, 100, 5_000].flatMap((average) =>
    [0.02, 0.1, 0.5, 2, 20, 1e4].map((dispersion) => ({ mean: average, dispersion })),
  );

  it('skip only counts that are no surprise', () => {
    for (const baseline of grid) {
      const edge = Math.floor(
        baseline.mean + Math.sqrt(baseline.mean + baseline.mean ** 2 / baseline.dispersion),
      );
      expect(ordinary(edge, baseline)).toBe(true);
      expect(surpriseOf(edge, baseline)).toBeLessThan(2.5);
    }
  });

  it('find the same quiet hours as the tail itself', () => {
    for (const baseline of grid) {
      for (const x of [0, 1, 2, 5, 20, 60, 100, 4_000, 5_000]) {
        expect(isQuiet(x, baseline, 0.05)).toBe(lowerTail(x, baseline) < 0.05);
      }
    }
  });
});

describe('calibration', () => {
  it('counts hours that open a burst, and leaves out the hours inside it', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (flags) => {
        const list = flags.flatMap((flag, hour) => (flag ? [hour] : []));
        const open = flags.map((_, hour) => list.some((other) => other < hour && hour - other <= 3));
        expect(exposureOf(list, 0, flags.length)).toEqual({
          openings: list.filter((hour) => !open[hour]).length,
          hours: open.filter((inside) => !inside).length,
        });
      }),
    );
  });

  it('never makes a surprise larger', () => {
    expect(calibrationFactor({ openings: 0, hours: 1000 })).toBe(1);
    expect(calibrationFactor({ openings: 0, hours: 0 })).toBe(1);
    expect(calibrationFactor({ openings: 9, hours: 1000 })).toBeCloseTo(9, 12);
    expect(calibrated(3, 9)).toBeCloseTo(0.009, 12);
    expect(calibrated(0, 9)).toBe(1);
  });

  it('keeps the own past finite', () => {
    expect(empiricalTail(16, new Float64Array(672))).toBeCloseTo(0.0015, 4);
    expect(empiricalTail(0, new Float64Array(672))).toBe(1);
  });

  it('finds the same discoveries from the candidates alone as from the whole family', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 16, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 1, max: 20, noNaN: true }),
        (surprises, lambda) => {
          const candidates = surprises.filter((s) => s >= 2);
          const whole = discoveryRates(surprises, lambda, surprises.length);
          const some = discoveryRates(candidates, lambda, surprises.length);
          const found = surprises.filter((_, i) => whole[i]! <= 0.01);
          expect(candidates.filter((_, i) => some[i]! <= 0.01)).toEqual(found);
        },
      ),
    );
  });
});
