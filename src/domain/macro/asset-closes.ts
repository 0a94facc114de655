// The closes of one asset by session, each with the hour at which it was known, and the weekly returns made from them.
import { DAY, HOUR, type Instant } from '../../kernel/instant.js';
import type { Day } from '../../kernel/new-york-time.js';
import { dayOfSession, sessionUpTo, stepOf, weekEndDay, weekOf } from './sessions.js';

interface LaterVersion {
  readonly close: number;
  readonly knownAt: Instant;
  readonly sequence: number;
}

interface KnownSplit {
  readonly day: Day;
  readonly ratio: number;
  readonly knownAt: Instant;
}

/** Closes known later than this after their date cannot be assumed known when the week's returns are used. */
const PROMPT_HOURS = 120;
const LONGEST_LAG = 65_535;
/** Sessions that a previous close may lie back. */
const REACH = 10;

export class AssetCloses {
  #base = 0;
  #closes = new Float64Array(0);
  /** Hours from midnight UTC of the date to the full hour by which the close was known. */
  #lags = new Uint16Array(0);
  readonly #later = new Map<number, LaterVersion[]>();
  readonly #splits: KnownSplit[] = [];
  /** Whether every week's closes were known a week later: then its return is the same whenever it is asked for. */
  #prompt = true;
  #weekly = new Float64Array(0);
  #weeklyBase = 0;
  #weeklyCount = 0;

  get firstSession(): number {
    return this.#base;
  }

  get endSession(): number {
    return this.#base + this.#closes.length;
  }

  get splits(): readonly KnownSplit[] {
    return this.#splits;
  }

  /** The full hour by which a report about the day was known: closes are kept by the hour. */
  static knownHour(day: Day, knownAt: Instant): Instant {
    return day * DAY + Math.max(0, Math.ceil((knownAt - day * DAY) / HOUR)) * HOUR;
  }

  /** Takes a close; returns its session, or -1 when the exchanges were shut on the day. */
  take(day: Day, close: number, knownAt: Instant, sequence: number): number {
    const session = sessionUpTo(day);
    if (session < 0 || dayOfSession(session) !== day || !(close > 0)) return -1;
    this.#reach(session);
    const place = session - this.#base;
    const known = AssetCloses.knownHour(day, knownAt);
    const lag = (known - day * DAY) / HOUR;
    if (Number.isNaN(this.#closes[place]!) && lag < LONGEST_LAG) {
      this.#closes[place] = close;
      this.#lags[place] = lag;
      if (lag > PROMPT_HOURS) this.#prompt = false;
    } else {
      const versions = this.#later.get(session) ?? [];
      versions.push({ close, knownAt: known, sequence });
      versions.sort((a, b) => a.knownAt - b.knownAt || a.sequence - b.sequence);
      this.#later.set(session, versions);
      this.#prompt = false;
    }
    this.#weeklyCount = Math.max(0, Math.min(this.#weeklyCount, weekOf(day) - this.#weeklyBase));
    return session;
  }

  takeSplit(day: Day, ratio: number, knownAt: Instant): void {
    this.#splits.push({ day, ratio, knownAt });
    this.#splits.sort((a, b) => a.day - b.day || a.knownAt - b.knownAt);
    const session = sessionUpTo(day);
    if (session >= 0 && knownAt > stepOf(session)) this.#prompt = false;
    this.#weeklyCount = 0;
  }

  /** When reports of the close were known, in order. */
  reportsOf(session: number): Instant[] {
    const later = (this.#later.get(session) ?? []).map(({ knownAt }) => knownAt);
    const first = Number.isNaN(this.#closes[session - this.#base]!) ? [] : [this.#knownAt(session)];
    return [...new Set([...first, ...later])].sort((a, b) => a - b);
  }

  #knownAt(session: number): Instant {
    return dayOfSession(session) * DAY + this.#lags[session - this.#base]! * HOUR;
  }

  /** The close as it was known, multiplied by the splits known to have happened up to it; NaN where there is none. */
  adjusted(session: number, knownBy: Instant): number {
    const place = session - this.#base;
    if (place < 0 || place >= this.#closes.length) return Number.NaN;
    let close = Number.NaN;
    let latest = Number.NEGATIVE_INFINITY;
    if (!Number.isNaN(this.#closes[place]!)) {
      const known = this.#knownAt(session);
      if (known <= knownBy) {
        close = this.#closes[place]!;
        latest = known;
      }
    }
    if (this.#later.size > 0) {
      for (const version of this.#later.get(session) ?? []) {
        if (version.knownAt <= knownBy && version.knownAt >= latest) close = version.close;
      }
    }
    return this.#splits.length === 0 ? close : close * this.factor(session, knownBy);
  }

  factor(session: number, knownBy: Instant): number {
    const day = dayOfSession(session);
    let factor = 1;
    for (const split of this.#splits) if (split.day <= day && split.knownAt <= knownBy) factor *= split.ratio;
    return factor;
  }

  /** Writes the log returns of the weeks first … last as known by the instant; NaN where a week has none. */
  returns(into: Float64Array, first: number, last: number, knownBy: Instant): void {
    if (!this.#prompt) {
      for (let week = first; week <= last; week += 1) into[week - first] = this.#weekReturn(week, knownBy);
      return;
    }
    this.#fillWeekly(last);
    const start = first - this.#weeklyBase;
    const end = last + 1 - this.#weeklyBase;
    if (start >= 0 && end <= this.#weeklyCount) {
      into.set(this.#weekly.subarray(start, end));
      return;
    }
    for (let place = start; place < end; place += 1) {
      into[place - start] = place < 0 || place >= this.#weeklyCount ? Number.NaN : this.#weekly[place]!;
    }
  }

  #fillWeekly(last: number): void {
    if (this.#closes.length === 0) return;
    if (this.#weeklyCount === 0) this.#weeklyBase = weekOf(dayOfSession(this.#base));
    const needed = last - this.#weeklyBase + 1;
    if (needed > this.#weekly.length) {
      const wider = new Float64Array(Math.max(needed, this.#weekly.length + (this.#weekly.length >> 3), 64));
      wider.set(this.#weekly);
      this.#weekly = wider;
    }
    while (this.#weeklyCount < needed) {
      const week = this.#weeklyBase + this.#weeklyCount;
      this.#weekly[this.#weeklyCount] = this.#weekReturn(week, Number.POSITIVE_INFINITY);
      this.#weeklyCount += 1;
    }
  }

  #weekReturn(week: number, knownBy: Instant): number {
    const end = sessionUpTo(weekEndDay(week));
    const start = sessionUpTo(weekEndDay(week - 1));
    const now = this.#lastClose(end, start, knownBy);
    const then = this.#lastClose(start, start - REACH, knownBy);
    return Math.log(now / then);
  }

  /** The newest close after `from` and up to `session`. */
  #lastClose(session: number, from: number, knownBy: Instant): number {
    for (let s = Math.min(session, this.endSession - 1); s > from && s >= this.#base; s -= 1) {
      const close = this.adjusted(s, knownBy);
      if (!Number.isNaN(close)) return close;
    }
    return Number.NaN;
  }

  #reach(session: number): void {
    const length = this.#closes.length;
    if (length === 0) {
      this.#base = session;
      this.#closes = new Float64Array(1).fill(Number.NaN);
      this.#lags = new Uint16Array(1);
      return;
    }
    if (session >= this.#base && session < this.endSession) return;
    const base = Math.min(this.#base, session);
    const end = Math.max(this.endSession, session + 1);
    // Doubling would leave half of it empty; an eighth more is enough.
    const room = end > this.endSession ? end - base + (length >> 3) : end - base;
    const closes = new Float64Array(room).fill(Number.NaN);
    const lags = new Uint16Array(room);
    closes.set(this.#closes, this.#base - base);
    lags.set(this.#lags, this.#base - base);
    this.#closes = closes;
    this.#lags = lags;
    if (base < this.#base) this.#weeklyCount = 0;
    this.#base = base;
  }
}
