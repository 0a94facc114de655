// What a series of daily coefficients says about its mean: honest when windows overlap, and about its own power.

import { blockBootstrapInterval } from '../../kernel/statistics/block-bootstrap.js';
import { politisWhiteBlockLength } from '../../kernel/statistics/block-length.js';
import { equalWeightedCosine } from '../../kernel/statistics/equal-weighted-cosine.js';
import { mean, standardDeviation } from '../../kernel/statistics/moments.js';
import { fixedBCriticalValue, neweyWestMean } from '../../kernel/statistics/newey-west.js';
import { minimumDetectableEffect, nonCentralTPower } from '../../kernel/statistics/non-central-t.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { wilsonInterval } from '../../kernel/statistics/proportion-intervals.js';
import { studentTQuantile, studentTSurvival } from '../../kernel/statistics/student-t.js';
import { VALIDATION } from './parameters.js';

export interface MeanInference {
  readonly days: number;
  readonly mean: number;
  readonly median: number;
  readonly deviation: number;
  /** Mean over deviation, per day. */
  readonly ratio: number;
  readonly se: number;
  /** Cosines, which are the degrees of freedom of t. */
  readonly terms: number;
  readonly t: number;
  /** Two-sided. */
  readonly p: number;
  readonly low: number;
  readonly high: number;
  readonly effectiveDays: number;
  readonly neweyWest: { readonly t: number; readonly lag: number; readonly criticalValue: number };
  /** Chance to find an effect of the registered size; never of the size that was seen. */
  readonly power: number;
  /** The smallest effect that would be found four times in five. */
  readonly mde80: number;
  /** Small when the effect is shown to lie within the bounds of what does not matter. */
  readonly equivalenceP: number;
}

export interface InferenceOptions {
  /** Days over which neighbouring observations overlap. */
  readonly horizon: number;
  readonly reference: number;
  /** Half-width of the range that does not matter. */
  readonly equivalence: number;
}

/** All NaN where the series is too short or constant. */
export function inferMean(values: readonly number[], options: InferenceOptions): MeanInference {
  const { horizon, reference, equivalence } = options;
  const days = values.length;
  const { mean: centre, se, t, p, terms, effectiveN } = equalWeightedCosine(values, { horizon });
  const lag = Math.max(2 * horizon, Math.floor(1.3 * Math.sqrt(days)));
  const { t: neweyWestT } = neweyWestMean(values, lag);
  const deviation = standardDeviation(values);
  const half = studentTQuantile(1 - VALIDATION.significance / 2, terms) * se;
  return {
    days,
    mean: centre,
    median: median(values),
    deviation,
    ratio: centre / deviation,
    se,
    terms,
    t,
    p,
    low: centre - half,
    high: centre + half,
    effectiveDays: effectiveN,
    neweyWest: { t: neweyWestT, lag, criticalValue: fixedBCriticalValue((lag + 1) / days) },
    power: se > 0 ? nonCentralTPower(reference / se, terms, VALIDATION.significance) : Number.NaN,
    mde80: minimumDetectableEffect(se, terms, VALIDATION.significance, VALIDATION.wantedPower),
    // Two one-sided tests; the weaker of them decides.
    equivalenceP: Math.max(
      studentTSurvival((centre + equivalence) / se, terms),
      studentTSurvival((equivalence - centre) / se, terms),
    ),
  };
}

export interface Resampled {
  readonly low: number;
  readonly high: number;
  readonly p: number;
  readonly block: number;
}

/** A second opinion that assumes no distribution; blocks are at least as long as the overlap. */
export function resample(values: readonly number[], horizon: number, seed: string): Resampled {
  const { stationary } = politisWhiteBlockLength(values);
  const block = Math.max(horizon, Number.isNaN(stationary) ? 1 : stationary);
  const { low, high, p } = blockBootstrapInterval(values, {
    block,
    seed,
    draws: VALIDATION.bootstrapDraws,
  });
  return { low, high, p, block };
}

export interface Stability {
  readonly months: number;
  /** Share of the calendar months whose mean has the sign of the whole. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** Difference of the two halves of the history over its standard error. */
  readonly splitHalfT: number;
}

/** `sign` is the expected one; where none is expected, that of the whole history. */
export function stabilityOf(
  values: readonly number[],
  dates: readonly string[],
  horizon: number,
  sign: number,
): Stability {
  const months = new Map<string, number[]>();
  values.forEach((value, i) => {
    const month = dates[i]!.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), value]);
  });
  const agreeing = [...months.values()].filter((list) => Math.sign(mean(list)) === sign).length;
  const { low, high } = wilsonInterval(agreeing, months.size);
  const middle = values.length >> 1;
  const [early, late] = [values.slice(0, middle), values.slice(middle)].map((list) =>
    equalWeightedCosine(list, { horizon }),
  );
  return {
    months: months.size,
    share: agreeing / months.size,
    low,
    high,
    splitHalfT: (late!.mean - early!.mean) / Math.hypot(late!.se, early!.se),
  };
}
