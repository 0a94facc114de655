// Weeks of validation: an epoch ends on Saturday at 00:00 UTC, when the markets of the week have settled.
import { DAY, type Instant } from '../../kernel/instant.js';

export const WEEK = 7 * DAY;
/** 1970-01-03 was a Saturday. */
const FIRST_SATURDAY: Instant = 2 * DAY;

/** The newest end of an epoch at or before the instant. */
export function epochBefore(at: Instant): Instant {
  return FIRST_SATURDAY + Math.floor((at - FIRST_SATURDAY) / WEEK) * WEEK;
}

export function epochAfter(at: Instant): Instant {
  return epochBefore(at) + WEEK;
}
