// The rule of admission that every counter store follows: both windows have room, or nothing is charged.
import { DAY, floorTo, type Instant, MINUTE } from '../kernel/instant.js';
import type { Charge, Standing } from '../ports/counters.js';

export type Used = Pick<Standing, 'minuteUsed' | 'dayUsed'>;

/** The ends of the windows that an instant lies in. */
export function windowsAt(at: Instant): Pick<Standing, 'at' | 'minuteResetAt' | 'dayResetAt'> {
  return { at, minuteResetAt: floorTo(at, MINUTE) + MINUTE, dayResetAt: floorTo(at, DAY) + DAY };
}

export function decide(charge: Charge, { minuteUsed, dayUsed }: Used): Standing['refused'] {
  if (dayUsed + charge.cost > charge.dayLimit) return 'quota_exceeded';
  if (minuteUsed + charge.cost > charge.minuteLimit) return 'rate_limited';
  return null;
}
