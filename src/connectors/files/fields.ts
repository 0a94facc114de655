// Takes the members of one record by name and refuses, with the reason, what is not acceptable.
import { normaliseTicker } from '../../contracts/ticker.js';

/** A JSON object, or a CSV record under its header: there every value is text, and an empty one means none. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** The reason names members, never what they hold. */
export class Refused extends Error {
  constructor(reason: string) {
    // A file may have millions of bad lines, and where in our code one was refused tells nobody anything.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = limit;
    this.name = 'Refused';
  }
}

export function refuse(reason: string): never {
  throw new Refused(reason);
}

export function given(record: RawRecord, name: string): unknown {
  const value = record[name];
  return value === null || value === '' ? undefined : value;
}

export function required<T>(value: T | null, name: string): T {
  return value === null ? refuse(`${name} is missing`) : value;
}

/** The engines are there; only the declared language level does not name it yet. */
interface WellFormed {
  isWellFormed(): boolean;
}

/** A NUL ends text in some stores, half a surrogate pair has no UTF-8 in any. */
export function soundText(value: string, name: string, most: number): string {
  if (value.length > most) return refuse(`${name} is longer than ${most} characters`);
  if (value.includes('\0')) return refuse(`${name} holds a NUL`);
  if (!(value as unknown as WellFormed).isWellFormed()) return refuse(`${name} holds half a surrogate pair`);
  return value;
}

export function optionalText(record: RawRecord, name: string, most: number): string | null {
  const value = given(record, name);
  if (value === undefined) return null;
  if (typeof value !== 'string') return refuse(`${name} is not text`);
  const text = soundText(value, name, most).trim();
  return text === '' ? null : text;
}

export function requiredText(record: RawRecord, name: string, most: number): string {
  return required(optionalText(record, name, most), name);
}

/** Ids may be written as numbers as long as reading the number has not changed it. */
export function optionalId(record: RawRecord, name: string): string | null {
  const value = record[name];
  if (typeof value !== 'number') return optionalText(record, name, 512);
  return Number.isSafeInteger(value)
    ? String(value)
    : refuse(`${name} is a number that is not exact; write it as text`);
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function optionalNumber(record: RawRecord, name: string): number | null {
  let value = given(record, name);
  if (value === undefined) return null;
  if (typeof value === 'string') {
    const text = value.trim();
    if (!DECIMAL.test(text)) return refuse(`${name} is not a number`);
    value = Number(text);
  }
  if (typeof value !== 'number') return refuse(`${name} is not a number`);
  return Number.isFinite(value) ? value : refuse(`${name} is not a finite number`);
}

export function requiredNumber(record: RawRecord, name: string): number {
  return required(optionalNumber(record, name), name);
}

export function positive(record: RawRecord, name: string): number {
  const value = requiredNumber(record, name);
  return value > 0 ? value : refuse(`${name} is not above zero`);
}

export function optionalCount(record: RawRecord, name: string): number | null {
  const value = optionalNumber(record, name);
  if (value === null) return null;
  return Number.isSafeInteger(value) && value >= 0
    ? value + 0
    : refuse(`${name} is not a whole number from zero up`);
}

export function requiredCount(record: RawRecord, name: string): number {
  return required(optionalCount(record, name), name);
}

export function tickerOf(record: RawRecord): string {
  return normaliseTicker(requiredText(record, 'ticker', 32)) ?? refuse('ticker is not a ticker');
}

/** Names that begin so mark what the built-in simulation made; an imported record must not pass for that. */
const SIMULATED = 'fixture';
const PROVIDER = /^[a-z0-9_]{1,32}$/;

export function providerOf(record: RawRecord): string {
  const provider = requiredText(record, 'provider', 32);
  if (!PROVIDER.test(provider)) return refuse('provider is not a name of lower-case letters, digits and _');
  return provider.startsWith(SIMULATED)
    ? refuse('provider names beginning with fixture are not importable')
    : provider;
}

/** At most this many tickers or links of one record: more is no post but a list. */
const MOST_ITEMS = 100;

/** A JSON array of texts, or one text with spaces or `|` between the items; null when there is none. */
export function optionalList(record: RawRecord, name: string, most: number): readonly string[] | null {
  const value = given(record, name);
  if (value === undefined) return null;
  const items: unknown =
    typeof value === 'string' ? value.split(/[\s|]+/).filter((item) => item !== '') : value;
  if (!Array.isArray(items)) return refuse(`${name} is not a list`);
  if (items.length > MOST_ITEMS) return refuse(`${name} has more than ${MOST_ITEMS} items`);
  return items.map((item: unknown) =>
    typeof item === 'string' ? soundText(item, name, most) : refuse(`${name} holds what is not text`),
  );
}
