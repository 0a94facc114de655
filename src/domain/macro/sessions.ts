// The business days of New York and the grid of decisions on them: one step a session, one fit a week.
import type { Instant } from '../../kernel/instant.js';
import {
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
} from './new-york-time.js';

const FIRST_YEAR = 1980;
const LAST_YEAR = 2079;
/** Every daily state moves at 17:00 in New York: closes, H.4.1 and H.15 are out by then. */
const STEP_MINUTES = 17 * 60;

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

function holidays(year: number): Day[] {
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
  return days;
}

const BASE: Day = dayOf(FIRST_YEAR, 1, 1);
const END: Day = dayOf(LAST_YEAR + 1, 1, 1);

/** Session days in order, and for every calendar day the session on it or before it. */
function layOut(): { days: Int32Array; before: Int32Array } {
  const closed = new Set<Day>();
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) for (const day of holidays(year)) closed.add(day);
  const before = new Int32Array(END - BASE);
  const days: Day[] = [];
  for (let day = BASE; day < END; day += 1) {
    const weekday = weekdayOf(day);
    if (weekday >= MONDAY && weekday <= FRIDAY && !closed.has(day)) days.push(day);
    before[day - BASE] = days.length - 1;
  }
  return { days: Int32Array.from(days), before };
}

const { days: SESSION_DAYS, before: SESSION_BEFORE } = layOut();
const STEPS = Float64Array.from(SESSION_DAYS, (day) => newYorkInstant(day, STEP_MINUTES));

export function dayOfSession(session: number): Day {
  return SESSION_DAYS[session]!;
}

/** The session on the day or the last one before it. */
export function sessionUpTo(day: Day): number {
  if (day < BASE) return -1;
  return SESSION_BEFORE[Math.min(day, END - 1) - BASE]!;
}

export function isSession(day: Day): boolean {
  const session = sessionUpTo(day);
  return session >= 0 && SESSION_DAYS[session] === day;
}

/** The day itself or the next business day. */
export function businessDayFrom(day: Day): Day {
  return isSession(day) ? day : SESSION_DAYS[sessionUpTo(day) + 1]!;
}

/** The n-th business day after the day (or after the last session before it). */
export function businessDaysAfter(day: Day, n: number): Day {
  return SESSION_DAYS[sessionUpTo(day) + n]!;
}

export function stepOf(session: number): Instant {
  return STEPS[session]!;
}

/** The last session whose step is not after the instant; -1 before the first. */
export function lastStepBy(at: Instant): number {
  let low = 0;
  let high = STEPS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (STEPS[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Weeks run from Saturday to Friday; week 0 ends on 1970-01-02. */
export function weekOf(day: Day): number {
  return Math.floor((day + 5) / 7);
}

export function weekEndDay(week: number): Day {
  return 7 * week + 1;
}

/** The step of a week: Friday 17:00 in New York, holiday or not. */
export function weekStep(week: number): Instant {
  return newYorkInstant(weekEndDay(week), STEP_MINUTES);
}

/** The last week whose step is not after the instant. */
export function lastWeekBy(at: Instant): number {
  const guess = weekOf(Math.floor(at / 86_400_000_000));
  return weekStep(guess) <= at ? guess : guess - 1;
}
