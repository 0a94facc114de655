// The business days of New York and the grid of decisions on them: one step a session, one fit a week.
import type { Instant } from '../../kernel/instant.js';
import { type Day, dayAt, dayOf, newYorkInstant } from '../../kernel/new-york-time.js';
import { isTradingDay, tradingDayFrom } from '../facts/trading-days.js';

const FIRST_YEAR = 1980;
const LAST_YEAR = 2079;
/** Every daily state moves at 17:00 in New York: closes, H.4.1 and H.15 are out by then. */
const STEP_MINUTES = 17 * 60;

const BASE: Day = dayOf(FIRST_YEAR, 1, 1);
const END: Day = dayOf(LAST_YEAR + 1, 1, 1);

/** Session days in order, and for every calendar day the session on it or before it. */
function layOut(): { days: Int32Array; before: Int32Array } {
  const before = new Int32Array(END - BASE);
  const days: Day[] = [];
  for (let day = BASE; day < END; day += 1) {
    if (isTradingDay(day)) days.push(day);
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
  if (day < BASE) return tradingDayFrom(day);
  return isSession(day) ? day : SESSION_DAYS[sessionUpTo(day) + 1]!;
}

/** The n-th business day after the day (or after the last session before it). */
export function businessDaysAfter(day: Day, n: number): Day {
  return day < BASE ? countedAfter(day, n) : SESSION_DAYS[sessionUpTo(day) + n]!;
}

/** The same before the table begins: some series go back a century. */
function countedAfter(day: Day, n: number): Day {
  let found = day;
  while (!isTradingDay(found)) found -= 1;
  for (let left = n; left > 0; left -= 1) found = tradingDayFrom(found + 1);
  return found;
}

/** How many business days have begun after the day of the first instant, up to that of the second. */
export function businessDaysBetween(from: Instant, to: Instant): number {
  return sessionUpTo(dayAt(to)) - sessionUpTo(dayAt(from));
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
  const guess = weekOf(dayAt(at));
  return weekStep(guess) <= at ? guess : guess - 1;
}
