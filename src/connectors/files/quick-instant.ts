// Reads RFC 3339 as `parseInstant` does, at a tenth of the cost: a posts file has millions of instants and few days.
import { HOUR, type Instant, MINUTE, parseDay, parseInstant, SECOND } from '../../kernel/instant.js';

const midnights = new Map<number, Instant>();
/** A few decades of days; a file that names more only pays again. */
const REMEMBERED_DAYS = 20_000;

const [ZERO, DASH, COLON, POINT, BIG_T, BIG_Z] = [48, 45, 58, 46, 84, 90];
const SHORTEST = '2026-01-01T00:00:00Z'.length;
const MICROSECOND_DIGITS = 6;

/** The usual spelling, in UTC, is read digit by digit; every other one is left to the full reader. */
export function quickInstant(text: string): Instant | null {
  const zone = text.length - 1;
  if (text.length < SHORTEST || text.charCodeAt(zone) !== BIG_Z || !hasUsualMarks(text))
    return parseInstant(text);
  const fraction = zone === SHORTEST - 1 ? 0 : fractionOf(text, zone);
  const date = digits(text, 0, 4) * 10_000 + digits(text, 5, 2) * 100 + digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  // What is not a digit makes a NaN, which passes no comparison.
  if (!(hour <= 23 && minute <= 59 && second <= 59 && fraction >= 0)) return parseInstant(text);
  const midnight = midnights.get(date) ?? lookUp(date, text);
  return midnight === null
    ? parseInstant(text)
    : midnight + hour * HOUR + minute * MINUTE + second * SECOND + fraction;
}

function hasUsualMarks(text: string): boolean {
  return (
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === BIG_T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON
  );
}

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Microseconds; NaN where the spelling is not the usual one. */
function fractionOf(text: string, end: number): number {
  const count = end - SHORTEST;
  if (text.charCodeAt(SHORTEST - 1) !== POINT || count < 1 || count > MICROSECOND_DIGITS) return Number.NaN;
  let micros = digits(text, SHORTEST, count);
  for (let digit = count; digit < MICROSECOND_DIGITS; digit++) micros *= 10;
  return micros;
}

function lookUp(date: number, text: string): Instant | null {
  // Far from now instants outgrow the integers that a number holds exactly, and the full reader knows the limits.
  const midnight = text < '1700' || text >= '2200' ? null : parseDay(text.slice(0, 10));
  if (midnight === null) return null;
  if (midnights.size >= REMEMBERED_DAYS) midnights.clear();
  midnights.set(date, midnight);
  return midnight;
}
