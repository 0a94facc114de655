// How fast an effect fades: coefficients of returns that follow one another without overlap, and their half-life.
import { equalWeightedCosine } from '../../kernel/statistics/equal-weighted-cosine.js';
import { studentTQuantile } from '../../kernel/statistics/student-t.js';
import { VALIDATION } from './parameters.js';

/** Daily coefficients of the return between two sessions after the entry. */
export interface BucketSeries {
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
}

export interface DecayBucket {
  readonly from: number;
  readonly to: number;
  readonly days: number;
  readonly mean: number;
  readonly se: number;
  readonly low: number;
  readonly high: number;
}

export type DecayReason = 'too_few_buckets' | 'sign_changes' | 'not_decreasing';

export interface Decay {
  readonly buckets: readonly DecayBucket[];
  /** In sessions. */
  readonly halfLife: number | null;
  readonly reason: DecayReason | null;
}

/** Fewer points make a line out of anything. */
const LEAST_BUCKETS = 3;

function bucketOf({ from, to, values }: BucketSeries): DecayBucket {
  const { mean, se, terms } = equalWeightedCosine(values, { horizon: to - from });
  const half = studentTQuantile(1 - VALIDATION.significance / 2, terms) * se;
  return { from, to, days: values.length, mean, se, low: mean - half, high: mean + half };
}

export function decayOf(series: readonly BucketSeries[]): Decay {
  const buckets = series.map(bucketOf);
  const seen = buckets.filter(({ low, high, days }) => days >= VALIDATION.minDays && (low > 0 || high < 0));
  const none = (reason: DecayReason): Decay => ({ buckets, halfLife: null, reason });
  if (seen.length < LEAST_BUCKETS) return none('too_few_buckets');
  if (seen.some(({ mean }) => Math.sign(mean) !== Math.sign(seen[0]!.mean))) return none('sign_changes');
  const rate = -slopeOf(seen);
  return rate > 0 ? { buckets, halfLife: Math.LN2 / rate, reason: null } : none('not_decreasing');
}

/** Of the logarithm over the middle of the bucket; the error of a logarithm is the relative error. */
function slopeOf(buckets: readonly DecayBucket[]): number {
  const points = buckets.map(({ from, to, mean, se }) => ({
    x: (from + to) / 2,
    y: Math.log(Math.abs(mean)),
    weight: (mean / se) ** 2,
  }));
  const whole = points.reduce((sum, { weight }) => sum + weight, 0);
  const x0 = points.reduce((sum, { x, weight }) => sum + weight * x, 0) / whole;
  const y0 = points.reduce((sum, { y, weight }) => sum + weight * y, 0) / whole;
  const along = points.reduce((sum, { x, y, weight }) => sum + weight * (x - x0) * (y - y0), 0);
  const square = points.reduce((sum, { x, weight }) => sum + weight * (x - x0) ** 2, 0);
  return along / square;
}
