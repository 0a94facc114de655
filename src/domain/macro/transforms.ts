// The transforms of the catalogue: from levels of one vintage to the number that is compared with its own history.
import { type LevelView, placeDaysBack, placeMonthsBack } from './level-view.js';
import { SortedWindow } from './sorted-window.js';

/** The transformed value at a place, NaN where the vintage does not reach back far enough. */
export type Measure = (view: LevelView, p: number) => number;

/** Measures whose z-scores are mixed with these weights. A factory, because some measures carry a window along. */
export type Transform = () => readonly { readonly weight: number; readonly measure: Measure }[];

const WEEK = 7;
const SLACK = 10;

const level: Measure = (view, p) => view.levels[p]!;

const daysBack =
  (span: number, compare: (now: number, then: number) => number): Measure =>
  (view, p) => {
    const back = placeDaysBack(view, p, span, SLACK);
    return back < 0 ? Number.NaN : compare(view.levels[p]!, view.levels[back]!);
  };

const monthsBack =
  (months: number, compare: (now: number, then: number) => number): Measure =>
  (view, p) => {
    const back = placeMonthsBack(view, p, months);
    return back < 0 ? Number.NaN : compare(view.levels[p]!, view.levels[back]!);
  };

const difference = (now: number, then: number): number => now - then;
const percent = (now: number, then: number): number => (then > 0 ? (now / then - 1) * 100 : Number.NaN);
const annualised = (periods: number) => (now: number, then: number) =>
  then > 0 && now > 0 ? ((now / then) ** periods - 1) * 100 : Number.NaN;
const logRatio = (now: number, then: number): number =>
  now > 0 && then > 0 ? Math.log(now / then) : Number.NaN;

/** Mean of the last n observations. */
function averageOf(view: LevelView, p: number, n: number): number {
  if (p + 1 < n) return Number.NaN;
  let sum = 0;
  for (let i = p - n + 1; i <= p; i += 1) sum += view.levels[i]!;
  return sum / n;
}

const average =
  (n: number): Measure =>
  (view, p) =>
    averageOf(view, p, n);

const logarithm =
  (of: Measure): Measure =>
  (view, p) => {
    const value = of(view, p);
    return value > 0 ? Math.log(value) : Number.NaN;
  };

/** Change over some months of the rate over twelve months, both inside the one vintage. */
const yearOnYearChange = (months: number): Measure => {
  const rate = monthsBack(12, percent);
  return (view, p) => {
    const back = placeMonthsBack(view, p, months);
    return back < 0 ? Number.NaN : rate(view, p) - rate(view, back);
  };
};

const above =
  (of: Measure, target: number): Measure =>
  (view, p) =>
    of(view, p) - target;

/** Log distance of the n-observation average above its low of the last year. */
const gapToYearLow =
  (n: number): Measure =>
  (view, p) => {
    const now = averageOf(view, p, n);
    const from = placeDaysBack(view, p, 52 * WEEK, SLACK);
    if (from < n - 1) return Number.NaN;
    let low = now;
    for (let i = from; i < p; i += 1) low = Math.min(low, averageOf(view, i, n));
    return low > 0 ? Math.log(now / low) : Number.NaN;
  };

/** Rank among the last n observations, from -½ to +½. */
const rankAmong =
  (n: number): Measure =>
  (view, p) => {
    if (p + 1 < n) return Number.NaN;
    const now = view.levels[p]!;
    let below = 0;
    let equal = 0;
    for (let i = p - n + 1; i <= p; i += 1) {
      if (view.levels[i]! < now) below += 1;
      else if (view.levels[i] === now) equal += 1;
    }
    return (below + equal / 2) / n - 0.5;
  };

/** Log of the root mean square of the last n daily changes, in hundredths of the level's unit. */
const logRealised =
  (n: number): Measure =>
  (view, p) => {
    if (p < n) return Number.NaN;
    let squares = 0;
    for (let i = p - n + 1; i <= p; i += 1) squares += (view.levels[i]! - view.levels[i - 1]!) ** 2;
    return squares > 0 ? Math.log(100 * Math.sqrt(squares / n)) : Number.NaN;
  };

const gapToAverage =
  (n: number): Measure =>
  (view, p) =>
    percent(view.levels[p]!, averageOf(view, p, n));

/** Distance from the median of the last ten years; the window moves along as long as the past stays as it was. */
function gapToMedian(years: number, atLeast: number): Measure {
  const window = new SortedWindow();
  const span = Math.round(years * 365.25);
  let first = 0;
  let last = -1;
  let rewrites = -1;
  return (view, p) => {
    if (view.rewrites !== rewrites || p < last) {
      window.clear();
      first = 0;
      last = -1;
      rewrites = view.rewrites;
    }
    while (last < p) {
      last += 1;
      window.insert(view.levels[last]!);
    }
    while (view.days[first]! <= view.days[p]! - span) {
      window.remove(view.levels[first]!);
      first += 1;
    }
    return window.size < atLeast ? Number.NaN : view.levels[p]! - window.median();
  };
}

const one =
  (measure: Measure): Transform =>
  () => [{ weight: 1, measure }];

/** Level and change together: a wide spread that is narrowing is not the same as one that is widening. */
const levelAndChange =
  (change: Measure): Transform =>
  () => [
    { weight: 0.6, measure: level },
    { weight: 0.4, measure: change },
  ];

export const TRANSFORMS = {
  lvl: one(level),
  lvl_ma5: one(average(5)),
  ma3: one(average(3)),
  log_lvl: one(logarithm(level)),
  ma30_log: one(logarithm(average(30))),
  chg4w: one(daysBack(4 * WEEK, difference)),
  chg13w: one(daysBack(13 * WEEK, difference)),
  chg26w: one(daysBack(26 * WEEK, difference)),
  chg3m: one(monthsBack(3, difference)),
  lvl_chg6m: one(monthsBack(6, difference)),
  chg_ma3: one(monthsBack(3, (now, then) => (now - then) / 3)),
  'lvl+chg4w': levelAndChange(daysBack(4 * WEEK, difference)),
  'lvl+chg13w': levelAndChange(daysBack(13 * WEEK, difference)),
  pct4w: one(daysBack(4 * WEEK, percent)),
  pct13w: one(daysBack(13 * WEEK, percent)),
  pct30d: one(daysBack(30, percent)),
  pct13w_ann: one(daysBack(13 * WEEK, annualised(4))),
  pct6m_ann: one(monthsBack(6, annualised(2))),
  ann3m: one(monthsBack(3, annualised(4))),
  gap2_ann3m: one(above(monthsBack(3, annualised(4)), 2)),
  gap2_ann6m: one(above(monthsBack(6, annualised(2)), 2)),
  yoy_chg3m: one(yearOnYearChange(3)),
  yoy_chg6m: one(yearOnYearChange(6)),
  log_yoy: one(daysBack(52 * WEEK, logRatio)),
  log_gap52w_min: one(gapToYearLow(4)),
  log_rv21: one(logRealised(21)),
  pctile156w: one(rankAmong(156)),
  gap200d: one(gapToAverage(200)),
  dev_from_med10y: () => [{ weight: 1, measure: gapToMedian(10, 504) }],
} as const satisfies Record<string, Transform>;

export type TransformCode = keyof typeof TRANSFORMS;

/** Measures that a reader knows an index by, where that is neither its level nor its transformed value. */
const SHOWN = {
  level,
  /** Rate over twelve months, in percent. */
  yoy: monthsBack(12, percent),
  /** Mean of the last four observations. */
  ma4: average(4),
  /** Realised volatility, in hundredths of the level's unit a day. */
  rv21: (view: LevelView, p: number) => Math.exp(logRealised(21)(view, p)),
} as const satisfies Record<string, Measure>;

export type Shown = keyof typeof SHOWN | 'transformed';

/** The measure that gives the current value of an index. */
export function shownMeasure(shown: Shown, code: TransformCode): Measure {
  return shown === 'transformed' ? TRANSFORMS[code]()[0]!.measure : SHOWN[shown];
}

/** How a week's move of the level is measured where the move itself matters: rates move in points, prices in percent. */
export type Move = 'difference' | 'log' | 'transformed';

const LOG_MOVES: ReadonlySet<TransformCode> = new Set([
  'log_lvl',
  'ma30_log',
  'pct4w',
  'pct13w',
  'pct30d',
  'pct13w_ann',
  'gap200d',
  'log_yoy',
]);

export function moveOf(code: TransformCode): Move {
  if (code === 'log_rv21') return 'transformed';
  return LOG_MOVES.has(code) ? 'log' : 'difference';
}
