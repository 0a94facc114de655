// The civil calendar and New York wall time, by rule: the same instants on every machine, whatever zone data it has.
import { DAY, HOUR, type Instant, MINUTE } from './instant.js';

/** A calendar day as whole days since 1970-01-01. */
export type Day = number;

export const SUNDAY = 0;
export const MONDAY = 1;
export const TUESDAY = 2;
export const WEDNESDAY = 3;
export const THURSDAY = 4;
export const FRIDAY = 5;
export const SATURDAY = 6;

export interface CivilDate {
  readonly year: number;
  /** Counted from 1. */
  readonly month: number;
  readonly date: number;
}

/** The calendar day in UTC at an instant. */
export function dayAt(at: Instant): Day {
  return Math.floor(at / DAY);
}

/** Days since 1970 of a Gregorian date; months beyond 1 to 12 carry into the year (after Hinnant). */
export function dayOf(year: number, month: number, date: number): Day {
  const carry = Math.floor((month - 1) / 12);
  const m = month - 12 * carry;
  const y = year + carry - (m <= 2 ? 1 : 0);
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (m > 2 ? m - 3 : m + 9) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function civilOf(day: Day): CivilDate {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  const date = dayOfYear - Math.floor((153 * mp + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date };
}

/** `YYYY-MM-DD` as a day, or null. */
export function readDay(text: string): Day | null {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return null;
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (!Number.isInteger(year) || !Number.isInteger(month) || !Number.isInteger(date)) return null;
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null;
  return dayOf(year, month, date);
}

export function writeDay(day: Day): string {
  const { year, month, date } = civilOf(day);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
}

export function weekdayOf(day: Day): number {
  return (((day + THURSDAY) % 7) + 7) % 7;
}

export function daysInMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1);
}

/** The n-th weekday of a month; n = -1 is the last one. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): Day {
  if (nth === -1) {
    const last = dayOf(year, month + 1, 1) - 1;
    return last - ((weekdayOf(last) - weekday + 7) % 7);
  }
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
}

/** First day of daylight time and the day of its end, by the laws since 1946. */
function daylightDays(year: number): readonly [Day, Day] {
  if (year >= 2007) return [nthWeekday(year, 3, SUNDAY, 2), nthWeekday(year, 11, SUNDAY, 1)];
  if (year >= 1987) return [nthWeekday(year, 4, SUNDAY, 1), nthWeekday(year, 10, SUNDAY, -1)];
  const end = nthWeekday(year, year >= 1955 ? 10 : 9, SUNDAY, -1);
  // To save oil.
  if (year === 1974) return [dayOf(1974, 1, 6), end];
  if (year === 1975) return [dayOf(1975, 2, 23), end];
  return [nthWeekday(year, 4, SUNDAY, -1), end];
}

const daylight = new Map<number, readonly [Day, Day]>();

function daylightIn(year: number): readonly [Day, Day] {
  let days = daylight.get(year);
  if (!days) {
    days = daylightDays(year);
    daylight.set(year, days);
  }
  return days;
}

/** From 3:00 on. */
function hoursBehindOn(day: Day): 4 | 5 {
  const [spring, autumn] = daylightIn(civilOf(day).year);
  return day >= spring && day < autumn ? 4 : 5;
}

/** Hours that New York is behind UTC; clocks change at 2:00. */
export function hoursBehind(at: Instant): 4 | 5 {
  const [spring, autumn] = daylightIn(civilOf(dayAt(at)).year);
  return at >= spring * DAY + 7 * HOUR && at < autumn * DAY + 6 * HOUR ? 4 : 5;
}

/** The instant of a New York wall time, given in minutes since midnight; clocks change at 2:00, so from 3:00 on. */
export function newYorkInstant(day: Day, minutes: number): Instant {
  return day * DAY + minutes * MINUTE + hoursBehindOn(day) * HOUR;
}

/** The calendar day in New York at an instant. */
export function newYorkDay(at: Instant): Day {
  return dayAt(at - hoursBehind(at) * HOUR);
}

/** `HH:MM` as minutes since midnight. */
export function readMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Wall time in New York as `HH:MM`. */
export function writeNewYorkClock(at: Instant): string {
  const local = at - hoursBehind(at) * HOUR;
  const minutes = Math.floor((local - dayAt(local) * DAY) / MINUTE);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
