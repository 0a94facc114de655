// When a value of a series becomes known: publication lag and New York wall time, turned into an instant.
import { DAY, type Instant, MINUTE } from '../../kernel/instant.js';
import {
  civilOf,
  type Day,
  dayOf,
  daysInMonth,
  newYorkInstant,
  nthWeekday,
  readMinutes,
  weekdayOf,
} from '../../kernel/new-york-time.js';
import { businessDayFrom, businessDaysAfter } from './sessions.js';

/** D business days, D7 every day, W weekly, M monthly, Q quarterly; periods are dated as their provider dates them. */
export type Frequency = 'D' | 'D7' | 'W' | 'M' | 'Q';

/** Times are `HH:MM` in New York unless the zone says UTC. A release that falls on a holiday moves to the next business day. */
export type ReleaseRule =
  /** So many business days after the reference day. */
  | { readonly on: 'session'; readonly lag: number; readonly at: string }
  /** So many calendar days after the reference day, weekends too. */
  | { readonly on: 'day'; readonly lag: number; readonly at: string; readonly zone?: 'UTC' }
  /** The first such weekday that is at least so many days after the reference day. */
  | { readonly on: 'weekday'; readonly weekday: number; readonly after: number; readonly at: string }
  /** A date of the month that is so many months after the month of reference. */
  | { readonly on: 'date'; readonly months: number; readonly date: number; readonly at: string }
  /** The n-th weekday of that month, -1 for the last. */
  | {
      readonly on: 'nth';
      readonly months: number;
      readonly nth: number;
      readonly weekday: number;
      readonly at: string;
    }
  /** The n-th business day of that month. */
  | { readonly on: 'business_day'; readonly months: number; readonly nth: number; readonly at: string };

/** The instant at which the value of a reference day is due. */
export function releaseInstant(rule: ReleaseRule, reference: Day): Instant {
  const minutes = readMinutes(rule.at);
  if (rule.on === 'day') {
    const day = reference + rule.lag;
    return rule.zone === 'UTC' ? day * DAY + minutes * MINUTE : newYorkInstant(day, minutes);
  }
  return newYorkInstant(releaseDay(rule, reference), minutes);
}

function releaseDay(rule: Exclude<ReleaseRule, { on: 'day' }>, reference: Day): Day {
  if (rule.on === 'session') return businessDaysAfter(reference, rule.lag);
  if (rule.on === 'weekday') {
    const earliest = reference + rule.after;
    return businessDayFrom(earliest + ((rule.weekday - weekdayOf(earliest) + 7) % 7));
  }
  const { year, month } = civilOf(reference);
  if (rule.on === 'nth')
    return businessDayFrom(nthWeekday(year, month + rule.months, rule.weekday, rule.nth));
  if (rule.on === 'business_day') return businessDaysAfter(dayOf(year, month + rule.months, 1) - 1, rule.nth);
  const date = Math.min(rule.date, daysInMonth(year, month + rule.months));
  return businessDayFrom(dayOf(year, month + rule.months, date));
}

/** The reference day that follows. */
export function nextReference(frequency: Frequency, reference: Day): Day {
  if (frequency === 'D') return businessDaysAfter(reference, 1);
  if (frequency === 'D7') return reference + 1;
  if (frequency === 'W') return reference + 7;
  const { year, month, date } = civilOf(reference);
  return dayOf(year, month + (frequency === 'M' ? 1 : 3), date);
}

/** When the period after this one is due: until then the value is as new as it can be. */
export function nextRelease(rule: ReleaseRule, frequency: Frequency, reference: Day): Instant {
  return releaseInstant(rule, nextReference(frequency, reference));
}
