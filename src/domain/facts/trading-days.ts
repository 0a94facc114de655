// The days on which the exchanges of New York trade, by rule, so that any year works without a table.
import type { Instant } from '../../kernel/instant.js';
import {
  civilOf,
  type Day,
  dayOf,
  FRIDAY,
  MONDAY,
  newYorkInstant,
  nthWeekday,
  SATURDAY,
  SUNDAY,
  THURSDAY,
  weekdayOf,
} from '../../kernel/new-york-time.js';

const OPEN_MINUTES = 9 * 60 + 30;
const CLOSE_MINUTES = 16 * 60;

/** Gregorian Easter Sunday, after Meeus, Jones and Butcher. */
function easter(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return dayOf(year, Math.floor(n / 31), (n % 31) + 1);
}

function observed(day: Day): Day {
  if (weekdayOf(day) === SATURDAY) return day - 1;
  return weekdayOf(day) === SUNDAY ? day + 1 : day;
}

function holidaysIn(year: number): ReadonlySet<Day> {
  const newYear = dayOf(year, 1, 1);
  const days = [
    // A New Year's Day on a Saturday is not moved into the old year.
    weekdayOf(newYear) === SATURDAY ? newYear : observed(newYear),
    nthWeekday(year, 2, MONDAY, 3),
    easter(year) - 2,
    nthWeekday(year, 5, MONDAY, -1),
    observed(dayOf(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 11, THURSDAY, 4),
    observed(dayOf(year, 12, 25)),
  ];
  if (year >= 1998) days.push(nthWeekday(year, 1, MONDAY, 3));
  if (year >= 2022) days.push(observed(dayOf(year, 6, 19)));
  return new Set(days);
}

const holidays = new Map<number, ReadonlySet<Day>>();

export function isTradingDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  if (weekday < MONDAY || weekday > FRIDAY) return false;
  const { year } = civilOf(day);
  let closed = holidays.get(year);
  if (!closed) {
    closed = holidaysIn(year);
    holidays.set(year, closed);
  }
  return !closed.has(day);
}

/** The day itself or the next one on which the exchanges trade. */
export function tradingDayFrom(day: Day): Day {
  let found = day;
  while (!isTradingDay(found)) found += 1;
  return found;
}

export function openOf(day: Day): Instant {
  return newYorkInstant(day, OPEN_MINUTES);
}

export function closeOf(day: Day): Instant {
  return newYorkInstant(day, CLOSE_MINUTES);
}
