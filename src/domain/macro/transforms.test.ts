// Each transform of the catalogue on numbers that can be checked by hand.
import { expect, it } from 'vitest';
import { dayOf } from '../../kernel/new-york-time.js';
import type { LevelView } from './level-view.js';
import { moveOf, shownMeasure, TRANSFORMS, type TransformCode } from './transforms.js';

const view = (days: number[], levels: number[]): LevelView => ({
  days,
  levels,
  length: days.length,
  rewrites: 0,
});
const last = (code: TransformCode, of: LevelView, part = 0): number =>
  TRANSFORMS[code]()[part]!.measure(of, of.length - 1);

const months = (levels: number[]): LevelView =>
  view(
    levels.map((_, i) => dayOf(2020, 1 + i, 1)),
    levels,
  );
const weeks = (levels: number[]): LevelView =>
  view(
    levels.map((_, i) => dayOf(2020, 1, 1) + 7 * i),
    levels,
  );
const daily = (levels: number[]): LevelView =>
  view(
    levels.map((_, i) => dayOf(2020, 1, 1) + i),
    levels,
  );
const ramp = (n: number, from = 100, step = 1): number[] =>
  Array.from({ length: n }, (_, i) => from + step * i);

it('changes and growth rates', () => {
  expect(last('chg13w', weeks(ramp(20)))).toBe(13);
  expect(last('chg4w', weeks(ramp(20)))).toBe(4);
  expect(last('chg26w', weeks(ramp(30)))).toBe(26);
  expect(last('pct13w', weeks([...ramp(13, 100, 0), 105]))).toBeCloseTo(5, 12);
  expect(last('pct13w_ann', weeks([...ramp(13, 100, 0), 105]))).toBeCloseTo((1.05 ** 4 - 1) * 100, 12);
  expect(last('pct30d', daily([...ramp(30, 200, 0), 210]))).toBeCloseTo(5, 12);
  expect(last('pct6m_ann', months([...ramp(6, 100, 0), 102]))).toBeCloseTo((1.02 ** 2 - 1) * 100, 12);
  expect(last('ann3m', months([...ramp(3, 100, 0), 101]))).toBeCloseTo((1.01 ** 4 - 1) * 100, 12);
  expect(last('gap2_ann3m', months([...ramp(3, 100, 0), 101]))).toBeCloseTo((1.01 ** 4 - 1) * 100 - 2, 12);
  expect(last('gap2_ann6m', months([...ramp(6, 100, 0), 101]))).toBeCloseTo((1.01 ** 2 - 1) * 100 - 2, 12);
  expect(last('chg3m', months(ramp(8)))).toBe(3);
  expect(last('lvl_chg6m', months(ramp(8)))).toBe(6);
  expect(last('chg_ma3', months(ramp(8, 1000, 150)))).toBe(150);
  expect(last('log_yoy', weeks([...ramp(52, 100, 0), 110]))).toBeCloseTo(Math.log(1.1), 12);
});

it('changes of a yearly rate', () => {
  const levels = ramp(16, 100, 0);
  levels[15] = 104;
  // The rate over twelve months is 4 % now and was 0 % three months ago.
  expect(last('yoy_chg3m', months(levels))).toBeCloseTo(4, 12);
  expect(last('yoy_chg6m', months([...ramp(18, 100, 0), 103]))).toBeCloseTo(3, 12);
});

it('levels, averages and logarithms', () => {
  expect(last('lvl', daily([1, 2, 3]))).toBe(3);
  expect(last('lvl_ma5', daily([9, 1, 2, 3, 4, 5]))).toBe(3);
  expect(last('ma3', months([9, 1, 2, 3]))).toBe(2);
  expect(last('log_lvl', daily([1, Math.E]))).toBeCloseTo(1, 12);
  expect(last('log_lvl', daily([0]))).toBeNaN();
  expect(last('ma30_log', daily(ramp(30, 100, 0)))).toBeCloseTo(Math.log(100), 12);
  expect(last('gap200d', daily([...ramp(199, 100, 0), 110]))).toBeCloseTo((110 / 100.05 - 1) * 100, 9);
  expect(last('lvl+chg4w', weeks(ramp(10)), 0)).toBe(109);
  expect(last('lvl+chg4w', weeks(ramp(10)), 1)).toBe(4);
});

it('distances from a low, a median and a rank', () => {
  const claims = [...ramp(60, 200, 0), 240, 240, 240, 240];
  expect(last('log_gap52w_min', weeks(claims))).toBeCloseTo(Math.log(240 / 200), 12);
  expect(last('pctile156w', weeks(ramp(156)))).toBeCloseTo(155.5 / 156 - 0.5, 12);
  const flat = ramp(600, 2, 0);
  expect(last('dev_from_med10y', daily([...flat, 2.5]))).toBeCloseTo(0.5, 12);
  expect(last('dev_from_med10y', daily(ramp(100, 2, 0)))).toBeNaN();
});

it('realised volatility in hundredths a day', () => {
  const levels = Array.from({ length: 22 }, (_, i) => (i % 2 === 0 ? 4 : 4.05));
  expect(last('log_rv21', daily(levels))).toBeCloseTo(Math.log(5), 9);
  expect(shownMeasure('rv21', 'log_rv21')(daily(levels), 21)).toBeCloseTo(5, 9);
});

it('is silent where the vintage does not reach back', () => {
  for (const code of Object.keys(TRANSFORMS) as TransformCode[]) {
    if (['lvl', 'log_lvl', 'lvl+chg4w', 'lvl+chg13w'].includes(code)) continue;
    expect(last(code, daily([1, 2])), code).toBeNaN();
  }
});

it('moves the median along exactly as a fresh start would', () => {
  const levels = Array.from({ length: 4200 }, (_, i) => Math.sin(i / 50) + i / 4000);
  const walking = TRANSFORMS.dev_from_med10y()[0]!.measure;
  const all = daily(levels);
  for (let p = 0; p < levels.length; p += 1) {
    const value = walking(all, p);
    if (p % 700 === 699 || p === levels.length - 1) {
      expect(value, `place ${p}`).toEqual(TRANSFORMS.dev_from_med10y()[0]!.measure(all, p));
    }
  }
});

it('knows how a week’s move is measured', () => {
  expect([moveOf('pct13w'), moveOf('chg13w'), moveOf('log_rv21')]).toEqual([
    'log',
    'difference',
    'transformed',
  ]);
});
