// Takes instants and days from a record, in the spellings that files use.
import { type Instant, MILLISECOND, parseDay, SECOND } from '../../kernel/instant.js';
import { given, type RawRecord, refuse, required, requiredText } from './fields.js';
import { quickInstant } from './quick-instant.js';

/** An RFC 3339 instant with its offset, or a bare date, which means its first instant in UTC. */
export function optionalInstantOrDay(record: RawRecord, name: string): Instant | null {
  const value = given(record, name);
  if (value === undefined) return null;
  if (typeof value !== 'string') return refuse(`${name} is not text`);
  const text = value.trim();
  const instant = text.length === 10 ? parseDay(text) : quickInstant(text);
  return inReach(instant ?? refuse(`${name} is neither an instant with an offset nor a date`), name);
}

export function requiredInstantOrDay(record: RawRecord, name: string): Instant {
  return required(optionalInstantOrDay(record, name), name);
}

/** An RFC 3339 instant with its offset, or seconds or milliseconds since 1970. */
export function optionalInstantOrEpoch(record: RawRecord, name: string): Instant | null {
  const value = given(record, name);
  if (value === undefined) return null;
  if (typeof value === 'number') return fromEpoch(value, name);
  if (typeof value !== 'string') return refuse(`${name} is not an instant`);
  const instant = quickInstant(value);
  if (instant !== null) return inReach(instant, name);
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text), name);
  return inReach(quickInstant(text) ?? refuse(`${name} is not an instant with an offset`), name);
}

export function requiredInstantOrEpoch(record: RawRecord, name: string): Instant {
  return required(optionalInstantOrEpoch(record, name), name);
}

/** Both ranges begin in 1973, so no number is both; smaller ones are more likely a mistake than a date. */
const [FIRST_SECONDS, FIRST_MILLIS, BEYOND_MILLIS] = [1e8, 1e11, 1e14];

function fromEpoch(value: number, name: string): Instant {
  if (value >= FIRST_SECONDS && value < FIRST_MILLIS) return inReach(Math.round(value * SECOND), name);
  if (value >= FIRST_MILLIS && value < BEYOND_MILLIS) return inReach(Math.round(value * MILLISECOND), name);
  return refuse(`${name} is neither seconds nor milliseconds since 1970`);
}

export interface Day {
  readonly text: string;
  /** First instant of the day in UTC. */
  readonly start: Instant;
}

export function dayOf(record: RawRecord, name: string): Day {
  const text = requiredText(record, name, 32);
  return { text, start: inReach(parseDay(text) ?? refuse(`${name} is not a date`), name) };
}

/** Beyond the exact integers, before 1685 and after 2255, no store takes an instant. */
function inReach(instant: Instant, name: string): Instant {
  return Number.isSafeInteger(instant) ? instant : refuse(`${name} is too many years away`);
}

/** A file cannot know what had not happened when it was read; the reason says what lies ahead. */
export function notAhead(releasedAt: Instant, now: Instant, what: string): Instant {
  return releasedAt <= now ? releasedAt : refuse(`${what} lies in the future`);
}
