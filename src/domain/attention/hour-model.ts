// What a ticker's past says about the present hour: its baseline, its trend, and how often it has surprised before.
import type { Instant } from '../../kernel/instant.js';
import type { StepReading } from './anomaly-bands.js';
import { type Trend, trendOf, trendScore } from './ewma.js';
import { firstFullHour, type HourlyHistory } from './hourly-history.js';
import { MEASURES } from './measure-parameters.js';
import {
  type Baseline,
  baselineOf,
  type Exposure,
  exceedances,
  exceeds,
  exposureOf,
  hourlySurprises,
  isQuiet,
  surpriseOf,
} from './surprise.js';

const { bands: BANDS, surprise: SURPRISE, ewma: EWMA } = MEASURES;

/** Holds for every step inside one clock hour; the hours that the sliding hour can touch stay out. */
export interface HourModel {
  readonly baseline: Baseline;
  readonly trend: Trend;
  /** Hours of the calibration window that exceeded, upwards. */
  readonly exceeded: readonly number[];
  /** Null when the ticker was too silent to tell anything about the model. */
  readonly exposure: Exposure | null;
  readonly mentionsBefore: number;
}

const SILENT: HourModel = {
  baseline: baselineOf(new Uint32Array(SURPRISE.baselineHours)),
  trend: { fast: 0, mean: 0, variance: 0 },
  exceeded: [],
  exposure: null,
  mentionsBefore: 0,
};

/** Models one clock hour after the other; knowing the model of the hour before saves most of the work. */
export class HourModels {
  readonly #history: HourlyHistory;
  readonly #first: number;
  readonly #series = new Uint32Array(SURPRISE.calibration.hours + SURPRISE.baselineHours);

  constructor(history: HourlyHistory, observedSince: Instant) {
    this.#history = history;
    this.#first = firstFullHour(observedSince);
  }

  /** Complete hours that a step inside this clock hour can be compared with. */
  hoursObserved(hour: number): number {
    return Math.max(0, hour - 1 - this.#first);
  }

  /** Null while there is no week to compare with. */
  at(slot: number, hour: number, previous: HourModel | null): HourModel | null {
    const series = this.#before(slot, hour);
    if (series.length < SURPRISE.baselineHours) return null;
    if (series.every((count) => count === 0)) return SILENT;
    const end = hour - 1;
    const from = end - series.length + SURPRISE.baselineHours;
    const exceeded = previous
      ? advanced(previous, end - 1, series.at(-1)!, from)
      : exceedances(series, SURPRISE.baselineHours).map((index) => end - series.length + index);
    let mentionsBefore = 0;
    for (const count of series.subarray(1 - SURPRISE.family.hours)) mentionsBefore += count;
    return {
      baseline: baselineOf(series.subarray(-SURPRISE.baselineHours)),
      trend: trendOf(series.subarray(-EWMA.hours))!,
      exceeded,
      exposure: mentionsBefore >= SURPRISE.family.mentions ? exposureOf(exceeded, from, end) : null,
      mentionsBefore,
    };
  }

  /** The surprises of the hours of the calibration window. */
  past(slot: number, hour: number): Float64Array {
    return hourlySurprises(this.#before(slot, hour), SURPRISE.baselineHours);
  }

  /** The calibration window and the week before it, as far as they were observed. */
  #before(slot: number, hour: number): Uint32Array {
    const length = Math.min(this.hoursObserved(hour), this.#series.length);
    return this.#history.hours(slot, hour - 1, this.#series.subarray(0, length));
  }
}

/** The newest hour of the window had the previous model as its own. */
function advanced(previous: HourModel, newest: number, count: number, from: number): readonly number[] {
  const { exceeded, baseline } = previous;
  const exceeding = exceeds(count, baseline);
  if (!exceeding && (exceeded.length === 0 || exceeded[0]! >= from)) return exceeded;
  const kept = exceeded.filter((hour) => hour >= from);
  return exceeding ? [...kept, newest] : kept;
}

export function readStep(count: number, model: HourModel | null): StepReading {
  if (model === null) return { count, surprise: Number.NaN, trend: Number.NaN, quiet: false };
  return {
    count,
    surprise: surpriseOf(count, model.baseline),
    trend: trendScore(model.trend, count),
    quiet: isQuiet(count, model.baseline, BANDS.quietBelow),
  };
}

/** Whether a ticker is spoken of enough to be compared with the others; it must be known for past steps as well. */
export function isMember(count: number, model: HourModel | null): boolean {
  return model !== null && model.mentionsBefore + count >= SURPRISE.family.mentions;
}
