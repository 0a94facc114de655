import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { trendOf, trendScore } from './ewma.js';

function steady(seed: string, hours: number): Uint32Array {
  const random = seededRandom(seed);
  return Uint32Array.from({ length: hours }, () => random.negativeBinomial(10, 3));
}

it('needs a day to start', () => {
  expect(trendOf(new Uint32Array(23))).toBeNull();
  expect(trendOf(new Uint32Array(24))).toEqual({ fast: 0, mean: 0, variance: 0 });
});

it('is zero where nothing moves, and rises with the first busy hour', () => {
  const trend = trendOf(new Uint32Array(672).fill(6))!;
  expect(trendScore(trend, 6)).toBeCloseTo(0, 9);
  expect(trendScore(trend, 30)).toBeGreaterThan(3);
  expect(trendScore(trend, 0)).toBeLessThan(-3);
});

it('follows the recursion of the definition', () => {
  const hours = steady('definition', 400);
  const x = Array.from(hours, Math.log1p);
  const start = x.slice(0, 24);
  let m = start.reduce((a, b) => a + b) / 24;
  let v = start.reduce((sum, y) => sum + (y - m) ** 2, 0) / 23;
  let f = m;
  for (const y of x.slice(24)) {
    f = 0.3 * y + 0.7 * f;
    const sd = Math.sqrt(Math.max(v, 0.02));
    const d = Math.min(3 * sd, Math.max(-3 * sd, y - m));
    m += 0.01 * d;
    v = 0.99 * v + 0.01 * d * d;
  }
  const trend = trendOf(hours)!;
  expect(trend.fast).toBeCloseTo(f, 10);
  expect(trend.mean).toBeCloseTo(m, 10);
  expect(trend.variance).toBeCloseTo(v, 10);
  const next = 0.3 * Math.log1p(44) + 0.7 * f;
  expect(trendScore(trend, 44)).toBeCloseTo((next - m) / Math.sqrt((v * 0.3) / 1.7), 4);
});

it('lets no single hour drag the slow mean along', () => {
  const calm = steady('calm', 672);
  const burst = calm.slice();
  burst[671] = 1_000_000;
  const [before, after] = [trendOf(calm)!, trendOf(burst)!];
  expect(after.mean - before.mean).toBeLessThan(0.06);
  expect(trendScore(after, 10)).toBeGreaterThan(3);
});

it('stays inside three deviations most of the time when nothing happens', () => {
  const series = steady('nothing', 672 + 2000);
  let high = 0;
  for (let hour = 672; hour < series.length; hour++) {
    if (trendScore(trendOf(series.subarray(hour - 672, hour))!, series[hour]!) >= 3) high++;
  }
  expect(high / 2000).toBeLessThan(0.01);
});
