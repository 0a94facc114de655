// How much is said in all, against the same slot of the week.
import { DAY, type Instant, MINUTE } from '../../kernel/instant.js';
import { mad, NORMAL_MAD_FACTOR } from '../../kernel/statistics/median-absolute-deviation.js';
import { median } from '../../kernel/statistics/order-statistics.js';

export const LEVEL = { slot: 5 * MINUTE, weeks: 8, leastWeeks: 3 } as const;

export type LevelReason = 'short_history' | 'flat_baseline';

export interface AttentionLevel {
  readonly activity: number;
  /** Distance from the median in robust standard deviations. */
  readonly z: number | null;
  readonly median: number | null;
  /** 1.4826 times the median absolute deviation. */
  readonly spread: number | null;
  readonly weeks: number;
  /** Why there is no z. */
  readonly reason: LevelReason | null;
}

/** The last instant of the slot in each of the weeks before, the nearest first. */
export function sameSlots(at: Instant): Instant[] {
  const end = (Math.floor(at / LEVEL.slot) + 1) * LEVEL.slot - 1;
  return Array.from({ length: LEVEL.weeks }, (_, i) => end - 7 * DAY * (i + 1));
}

export function levelOf(activity: number, past: readonly number[]): AttentionLevel {
  const weeks = past.length;
  if (weeks < LEVEL.leastWeeks)
    return { activity, z: null, median: null, spread: null, weeks, reason: 'short_history' };
  const centre = median(past);
  const spread = mad(past, NORMAL_MAD_FACTOR);
  // Weeks that agree to the last digit leave nothing to measure a distance with.
  return spread > 0
    ? { activity, z: (activity - centre) / spread, median: centre, spread, weeks, reason: null }
    : { activity, z: null, median: centre, spread, weeks, reason: 'flat_baseline' };
}
