// How unlikely an hour's count is for its ticker: negative-binomial tails over a winsorised week, and their calibration.
import { roundSignificant } from '../../kernel/fingerprint.js';
import { negativeBinomialUpperTail } from '../../kernel/statistics/count-tails.js';
import { benjaminiHochberg } from '../../kernel/statistics/multiple-testing.js';
import { quantileOfSorted } from '../../kernel/statistics/order-statistics.js';
import { MEASURES } from './measure-parameters.js';

const { baselineHours, winsorAt, meanFloor, overdispersionFloor, cap, calibration } = MEASURES.surprise;

/** A negative binomial: variance = mean + mean² / dispersion. */
export interface Baseline {
  readonly mean: number;
  readonly dispersion: number;
}

/** The baseline of the hours before the one that is judged. */
export function baselineOf(hours: Uint32Array): Baseline {
  return new SlidingBaseline(hours).baseline();
}

/** −log10 P(X ≥ x), at most 16. Rounded as it is served, so that every band can be checked from what is shown. */
export function surpriseOf(x: number, { mean, dispersion }: Baseline): number {
  if (x <= 0) return 0;
  return roundSignificant(Math.min(cap, negativeBinomialUpperTail(x, mean, dispersion).negLog10), 6);
}

/** P(X ≤ x): small when an hour is unusually silent. */
export function lowerTail(x: number, { mean, dispersion }: Baseline): number {
  return -Math.expm1(negativeBinomialUpperTail(x + 1, mean, dispersion).logP);
}

/** Whether P(X ≤ x) is below a small probability, without asking where it cannot be. */
export function isQuiet(x: number, baseline: Baseline, below: number): boolean {
  // Silence has at least the probability it would have for a Poisson count.
  if (x >= baseline.mean || Math.exp(-baseline.mean) >= below) return false;
  return lowerTail(x, baseline) < below;
}

/** The probability that a surprise stands for. */
export function tailProbability(surprise: number): number {
  return 10 ** -surprise;
}

/** The model's p is too small by the factor that the pooled past shows. */
export function calibrated(surprise: number, lambda: number): number {
  return Math.min(1, lambda * tailProbability(surprise));
}

/** Discovery rates of the family of a step; members that are not listed count as tests without a result. */
export function discoveryRates(surprises: ArrayLike<number>, lambda: number, familySize: number): number[] {
  const p = Float64Array.from(surprises, (s) => calibrated(s, lambda));
  return benjaminiHochberg(p, familySize);
}

/** The surprise of each hour of a series from index `from` on, each against the week before it: `from` is a week or more. */
export function hourlySurprises(series: Uint32Array, from: number): Float64Array {
  const surprises = new Float64Array(Math.max(0, series.length - from));
  eachHour(series, from, (index, x, sliding) => {
    surprises[index - from] = surpriseOf(x, sliding.baseline());
  });
  return surprises;
}

/** The indices of the hours whose surprise reaches the exceedance level. */
export function exceedances(series: Uint32Array, from: number): number[] {
  const found: number[] = [];
  eachHour(series, from, (index, x, sliding) => {
    const baseline = sliding.baseline();
    if (exceeds(x, baseline)) found.push(index);
  });
  return found;
}

/** A count up to one deviation above the mean is never far in the tail; asking for its tail would cost the most. */
export function ordinary(x: number, { mean, dispersion }: Baseline): boolean {
  return x <= mean + Math.sqrt(mean + (mean * mean) / dispersion);
}

export function exceeds(x: number, baseline: Baseline): boolean {
  return !ordinary(x, baseline) && surpriseOf(x, baseline) >= calibration.exceedance;
}

/** What one ticker contributes to the calibration: exceedances that open a burst, and hours outside open bursts. */
export interface Exposure {
  readonly openings: number;
  readonly hours: number;
}

/** `hours` are the exceedances inside the window from `from` up to and without `to`, upwards. */
export function exposureOf(hours: readonly number[], from: number, to: number): Exposure {
  let openings = 0;
  let inside = 0;
  let openUntil = from;
  for (const hour of hours) {
    if (hour < from || hour >= to) continue;
    if (hour >= openUntil) openings++;
    const until = Math.min(to, hour + 1 + calibration.closedAfter);
    inside += until - Math.max(hour + 1, openUntil);
    openUntil = until;
  }
  return { openings, hours: Math.max(0, to - from) - inside };
}

/** How much more often large surprises come than the model says, over all tickers; never below one. */
export function calibrationFactor({ openings, hours }: Exposure): number {
  return hours === 0 ? 1 : Math.max(1, openings / hours / calibration.nominalRate);
}

/** The share of the ticker's own past hours that were as surprising; one is added, because the past is finite. */
export function empiricalTail(surprise: number, past: ArrayLike<number>): number {
  let reached = 0;
  for (let i = 0; i < past.length; i++) if (past[i]! >= surprise) reached++;
  return (1 + reached) / (past.length + 1);
}

/** Visits the hours with a count; an empty hour is never a surprise. */
function eachHour(
  series: Uint32Array,
  from: number,
  visit: (index: number, x: number, sliding: SlidingBaseline) => void,
): void {
  if (series.length <= from) return;
  const sliding = new SlidingBaseline(series.subarray(from - baselineHours, from));
  for (let index = from; index < series.length; index++) {
    if (index > from) sliding.slide(series[index - 1 - baselineHours]!, series[index - 1]!);
    if (series[index]! > 0) visit(index, series[index]!, sliding);
  }
}

/** Keeps the hours of a baseline sorted while the window slides; sums are whole numbers and so do not drift. */
class SlidingBaseline {
  readonly #sorted: Uint32Array;
  #sum = 0;
  #squares = 0;

  constructor(hours: Uint32Array) {
    this.#sorted = hours.slice().sort();
    for (const x of hours) {
      this.#sum += x;
      this.#squares += x * x;
    }
  }

  slide(left: number, entered: number): void {
    if (left === entered) return;
    this.#sum += entered - left;
    this.#squares += entered * entered - left * left;
    const sorted = this.#sorted;
    let place = lowerBound(sorted, left);
    for (; place + 1 < sorted.length && sorted[place + 1]! < entered; place++)
      sorted[place] = sorted[place + 1]!;
    for (; place > 0 && sorted[place - 1]! > entered; place--) sorted[place] = sorted[place - 1]!;
    sorted[place] = entered;
  }

  baseline(): Baseline {
    const sorted = this.#sorted;
    const n = sorted.length;
    const bound = n === 0 ? 0 : quantileOfSorted(sorted, winsorAt);
    let sum = this.#sum;
    let squares = this.#squares;
    for (let i = n - 1; i >= 0 && sorted[i]! > bound; i--) {
      sum -= sorted[i]! - bound;
      squares -= sorted[i]! * sorted[i]! - bound * bound;
    }
    const mean = Math.max(meanFloor, n === 0 ? 0 : sum / n);
    const sample = n < 2 ? 0 : (squares - (sum * sum) / n) / (n - 1);
    const variance = Math.max(sample, overdispersionFloor * mean);
    return { mean, dispersion: (mean * mean) / (variance - mean) };
  }
}

/** The first place whose value is not below `value`. */
function lowerBound(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
