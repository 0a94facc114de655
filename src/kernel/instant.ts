// Instants are whole microseconds since 1970-01-01T00:00:00Z, held in a safe integer.

export type Instant = number;
export type Clock = () => Instant;

export const MILLISECOND = 1_000;
export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The years 1700 to 2249: microseconds further away would leave the safe integers. */
export const EARLIEST: Instant = Date.UTC(1700, 0, 1) * MILLISECOND;
export const LATEST: Instant = Date.UTC(2250, 0, 1) * MILLISECOND - 1;

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Reads RFC 3339 with an offset. Anything else, also a date that the calendar lacks, is null. */
export function parseInstant(text: string): Instant | null {
  const m = RFC3339.exec(text);
  if (!m) return null;
  const [year, month, day, hour, minute, second] = [m[1], m[2], m[3], m[4], m[5], m[6]].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const midnight = utcMidnight(year, month, day);
  if (midnight === null) return null;
  let offset = 0;
  if (m[9]) {
    const [offsetHours, offsetMinutes] = [Number(m[10]), Number(m[11])];
    if (offsetHours > 23 || offsetMinutes > 59) return null;
    offset = (m[9] === '-' ? -1 : 1) * (offsetHours * HOUR + offsetMinutes * MINUTE);
  }
  // Digits beyond the microsecond are cut, never rounded up: rounding could name an instant that has not come yet.
  const micros = m[7] ? Number(m[7].padEnd(6, '0').slice(0, 6)) : 0;
  const instant = midnight + hour * HOUR + minute * MINUTE + second * SECOND + micros - offset;
  return instant < EARLIEST || instant > LATEST ? null : instant;
}

/** Reads a calendar day, `YYYY-MM-DD`, as its first instant in UTC. */
export function parseDay(text: string): Instant | null {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return m ? utcMidnight(Number(m[1]), Number(m[2]), Number(m[3])) : null;
}

function utcMidnight(year: number, month: number, day: number): Instant | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() * MILLISECOND : null;
}

const padded = (count: number, width: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(i).padStart(width, '0'));
const TWO = padded(60, 2);
const THREE = padded(1000, 3);

/** Days as they were written: the calendar is the dear part of an instant, and instants crowd on few days. */
const DAYS = new Map<number, string>();
const MOST_DAYS = 4096;

/** `YYYY-MM-DDT` */
function dayText(day: number): string {
  const known = DAYS.get(day);
  if (known !== undefined) return known;
  const text = new Date((day * DAY) / MILLISECOND).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (DAYS.size === MOST_DAYS) DAYS.clear();
  DAYS.set(day, text);
  return text;
}

/** RFC 3339 in UTC with three fraction digits, six where microseconds carry meaning. */
export function formatInstant(instant: Instant): string {
  const day = Math.floor(instant / DAY);
  const millis = Math.floor((instant - day * DAY) / MILLISECOND);
  const rest = instant - day * DAY - millis * MILLISECOND;
  const second = Math.floor(millis / 1000);
  const time = `${TWO[Math.floor(second / 3600)]}:${TWO[Math.floor(second / 60) % 60]}:${TWO[second % 60]}.`;
  const fraction = `${THREE[millis % 1000]}${rest === 0 ? '' : THREE[rest]}Z`;
  return `${dayText(day)}${time}${fraction}`;
}

export function formatDay(instant: Instant): string {
  return formatInstant(instant).slice(0, 10);
}

export function floorTo(instant: Instant, step: number): Instant {
  return Math.floor(instant / step) * step;
}

/** The machine's clock. Only the composition root hands it on; everything else receives a `Clock`. */
export const systemClock: Clock = () =>
  Math.floor((performance.timeOrigin + performance.now()) * MILLISECOND);
