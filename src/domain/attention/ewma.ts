// The trend of a ticker's attention: a fast average of its hours against a slow one that bursts cannot drag along.
import { roundSignificant } from '../../kernel/fingerprint.js';
import { MEASURES } from './measure-parameters.js';

const { fast, slow, clip, varianceFloor, startHours } = MEASURES.ewma;

/** All on the scale of log(1 + count). */
export interface Trend {
  readonly fast: number;
  readonly mean: number;
  readonly variance: number;
}

/** Most hours hold few mentions; their logarithms are looked up. */
const LOGS = Float64Array.from({ length: 1024 }, (_, count) => Math.log1p(count));

function logCount(count: number): number {
  return count < LOGS.length ? LOGS[count]! : Math.log1p(count);
}

/** The averages after the last hour of a series: a function of the series alone. Null while it is too short to start. */
export function trendOf(hours: Uint32Array): Trend | null {
  if (hours.length < startHours) return null;
  let mean = 0;
  for (let i = 0; i < startHours; i++) mean += logCount(hours[i]!);
  mean /= startHours;
  let variance = 0;
  for (let i = 0; i < startHours; i++) variance += (logCount(hours[i]!) - mean) ** 2;
  variance /= startHours - 1;
  let quick = mean;
  for (let i = startHours; i < hours.length; i++) {
    const x = logCount(hours[i]!);
    quick += fast * (x - quick);
    const most = clip * Math.sqrt(Math.max(variance, varianceFloor));
    const pull = Math.max(-most, Math.min(most, x - mean));
    mean += slow * pull;
    variance += slow * (pull * pull - variance);
  }
  return { fast: quick, mean, variance };
}

/** Deviations of the fast average from the slow one, with the newest hour taken into the fast one only. */
export function trendScore(trend: Trend, x: number): number {
  const quick = trend.fast + fast * (logCount(x) - trend.fast);
  const spread = Math.sqrt((Math.max(trend.variance, varianceFloor) * fast) / (2 - fast));
  return roundSignificant((quick - trend.mean) / spread, 6);
}
