// The anomaly band of a ticker: its level at one step, and how a level is raised at once and lowered late.
import type { AnomalyBand } from '../facts/frame.js';
import { MEASURES } from './measure-parameters.js';

const { bands: BANDS } = MEASURES;

/** Bands that have an order; the others say that there is no measurement. */
export const LEVELS = [
  'quiet',
  'normal',
  'elevated',
  'high',
  'extreme',
] as const satisfies readonly AnomalyBand[];
export const [QUIET, NORMAL, ELEVATED, HIGH, EXTREME] = [0, 1, 2, 3, 4] as const;

/** What one step of one ticker shows. */
export interface StepReading {
  readonly count: number;
  readonly surprise: number;
  readonly trend: number;
  readonly quiet: boolean;
}

/** The level of one step, before it is held. `discovery` is the false discovery rate among the tickers of the step. */
export function levelOf({ surprise, trend, quiet }: Omit<StepReading, 'count'>, discovery: number): number {
  const rising = trend >= BANDS.trend;
  if (surprise >= BANDS.extreme && rising && discovery <= BANDS.discovery) return EXTREME;
  if (surprise >= BANDS.high && rising) return HIGH;
  if (surprise >= BANDS.elevated || rising) return ELEVATED;
  return quiet ? QUIET : NORMAL;
}

/** Steps on which a held level depends. */
export const HELD_STEPS = BANDS.dwellSteps + BANDS.stepsBelow;

/**
 * The level to show, from the levels of the last steps, oldest first. A level holds while one of the last three steps
 * reaches it, and for two hours after a rise to it from three steps below. This needs no memory beyond these steps:
 * a recorder that ran for a year and one that has just started show the same band.
 */
export function heldLevel(levels: ArrayLike<number>): number {
  const newest = levels.length - 1;
  let held = levels[newest]!;
  for (let i = newest - 1; i > newest - BANDS.dwellSteps && i >= 0; i--) {
    const level = levels[i]!;
    if (level <= held) continue;
    if (newest - i < BANDS.stepsBelow) {
      held = level;
      continue;
    }
    let risen = true;
    for (let j = Math.max(0, i - BANDS.stepsBelow); j < i; j++) if (levels[j]! >= level) risen = false;
    if (risen) held = level;
  }
  return held;
}

/** The band to publish. Eligibility and the length of observation decide first, at once and in both directions. */
export function bandOf(level: number, hoursObserved: number, eligible: boolean): AnomalyBand {
  if (!eligible || hoursObserved < BANDS.insufficientBelow) return 'insufficient';
  return hoursObserved < BANDS.warmingBelow ? 'warming' : LEVELS[level]!;
}
