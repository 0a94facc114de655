// Counts of mentions per ticker: 36 days of UTC hours, and the last hours in five-minute steps.
import type { Instant } from '../../kernel/instant.js';
import { HOUR } from '../../kernel/instant.js';
import { MEASURES } from './measure-parameters.js';

const {
  step: STEP,
  stepsPerHour,
  stepsBehind,
  stepsAhead,
  hours: HOURS_KEPT,
  seriesHours,
} = MEASURES.history;

/** The newest complete step boundary at or before an instant, counted in steps since 1970. */
export function stepAt(at: Instant): number {
  return Math.floor(at / STEP);
}

/** The clock hour in which a step boundary lies, counted in hours since 1970. */
export function hourOfStep(step: number): number {
  return Math.floor(step / stepsPerHour);
}

/** The first clock hour that was observed from its beginning. */
export function firstFullHour(observedSince: Instant): number {
  return Math.ceil(observedSince / HOUR);
}

/** What must be loaded to rebuild a history for readings at `at`: hourly counts, then five-minute counts. */
export interface HistorySpans {
  readonly hours: { readonly after: Instant; readonly knownBy: Instant };
  readonly steps: { readonly after: Instant; readonly knownBy: Instant };
}

/**
 * Buckets are by `knownAt`, and a reading at an instant uses complete buckets only: whatever becomes known later lies
 * in a bucket that the reading does not touch. Counts are integers, so neither order nor repetition of work can drift.
 * A count that lands before the end of what was read bumps the slot's revision; those who cache compare it.
 */
export class HourlyHistory {
  readonly #hours = new CountRing(HOURS_KEPT);
  readonly #steps = new CountRing(stepsBehind + stepsAhead);
  /** Counts too far ahead of the readings to have a bucket yet, by slot and step. */
  readonly #waiting = new Map<number, number>();
  #revisions = new Uint32Array(1024);
  /** Readings move forward from here; buckets exist around it. */
  #head: number;
  /** The newest step boundary up to which anything was read. */
  #read = Number.NEGATIVE_INFINITY;

  constructor(at: Instant) {
    this.#head = stepAt(at);
    this.#slide();
  }

  static spans(at: Instant): HistorySpans {
    const head = stepAt(at);
    // Whole hours, so that no hour is loaded twice or by halves.
    const steps = hourOfStep(head - stepsBehind) * HOUR;
    const hours = (hourOfStep(head + stepsAhead) + 1 - HOURS_KEPT) * HOUR;
    return { hours: { after: hours - 1, knownBy: steps - 1 }, steps: { after: steps - 1, knownBy: at } };
  }

  /** Takes `n` more mentions that became known at an instant; what is older than the history is let go. */
  add(slot: number, knownAt: Instant, n: number): void {
    if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`a count must be a whole number, got ${n}`);
    const step = stepAt(knownAt);
    if (step >= this.#head + stepsAhead) {
      const key = slot * 2 ** 24 + step;
      this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + n);
      return;
    }
    this.#hours.add(slot, hourOfStep(step), n);
    this.#steps.add(slot, step, n);
    if (step < this.#read) this.#bump(slot);
  }

  /** Takes an aggregated count: of an hour before the five-minute span, of five minutes inside it (see `spans`). */
  load(slot: number, bucketStart: Instant, n: number): void {
    this.add(slot, bucketStart, n);
  }

  /** Makes readings at `at` possible and forgets what no later reading needs; never goes back. */
  advance(at: Instant): void {
    const step = stepAt(at);
    if (step <= this.#head) return;
    this.#head = step;
    this.#slide();
    for (const [key, n] of this.#waiting) {
      const waiting = key % 2 ** 24;
      if (waiting >= step + stepsAhead) continue;
      this.#waiting.delete(key);
      const slot = Math.floor(key / 2 ** 24);
      this.#hours.add(slot, hourOfStep(waiting), n);
      this.#steps.add(slot, waiting, n);
    }
  }

  /** Adds all that another history of the same instant holds. */
  absorb(other: HourlyHistory): void {
    if (other.#head !== this.#head) throw new RangeError('only histories of the same instant can be joined');
    this.#hours.absorb(other.#hours);
    this.#steps.absorb(other.#steps);
    for (const [key, n] of other.#waiting) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + n);
  }

  /** Mentions in the hour that ends at the newest step boundary at or before `at`. */
  hourEnding(slot: number, at: Instant): number {
    this.advance(at);
    return this.hourBefore(slot, stepAt(at));
  }

  /** The last 28 days of complete clock hours as known at `at`, oldest first. */
  series(slot: number, at: Instant): Uint32Array {
    this.advance(at);
    return this.hours(slot, hourOfStep(stepAt(at)), new Uint32Array(seriesHours));
  }

  /** Mentions in the twelve steps before a step boundary. */
  hourBefore(slot: number, step: number): number {
    this.#steps.require(step - stepsPerHour, step);
    this.#read = Math.max(this.#read, step);
    return this.#steps.sum(slot, step - stepsPerHour, step);
  }

  /** Fills `into` with the clock hours before hour `end`, oldest first. */
  hours(slot: number, end: number, into: Uint32Array): Uint32Array {
    this.#hours.require(end - into.length, end);
    this.#read = Math.max(this.#read, end * stepsPerHour);
    return this.#hours.copy(slot, end - into.length, into);
  }

  /** Fills `into` with the steps before step `end`, oldest first. */
  steps(slot: number, end: number, into: Uint32Array): Uint32Array {
    this.#steps.require(end - into.length, end);
    this.#read = Math.max(this.#read, end);
    return this.#steps.copy(slot, end - into.length, into);
  }

  /** Mentions in the clock hours from `from` up to and without `to`. */
  sumOfHours(slot: number, from: number, to: number): number {
    this.#hours.require(from, to);
    this.#read = Math.max(this.#read, to * stepsPerHour);
    return this.#hours.sum(slot, from, to);
  }

  /** Grows whenever a bucket changes that was read, or lies before one that was. */
  revision(slot: number): number {
    return this.#revisions[slot] ?? 0;
  }

  #slide(): void {
    this.#steps.slideTo(this.#head + stepsAhead);
    this.#hours.slideTo(hourOfStep(this.#head + stepsAhead) + 1);
  }

  #bump(slot: number): void {
    if (slot >= this.#revisions.length) {
      const grown = new Uint32Array(2 * slot);
      grown.set(this.#revisions);
      this.#revisions = grown;
    }
    this.#revisions[slot]!++;
  }
}

const PAGE_SLOTS = 256;
const LARGE = 0xffff;

/** The newest `width` buckets of every slot, two bytes each; the rare larger counts stand in a map. */
class CountRing {
  readonly #width: number;
  readonly #pages: (Uint16Array | undefined)[] = [];
  readonly #large = new Map<number, number>();
  #end = Number.NaN;

  constructor(width: number) {
    this.#width = width;
  }

  /** Moves the ring so that `end` is the first bucket it does not hold. */
  slideTo(end: number): void {
    const fresh = Number.isNaN(this.#end) ? 0 : Math.min(this.#width, end - this.#end);
    this.#end = end;
    for (let index = end - fresh; index < end; index++) this.#clear(index % this.#width);
  }

  require(from: number, to: number): void {
    if (from >= this.#end - this.#width && to <= this.#end) return;
    throw new RangeError(`buckets ${from} to ${to} are not held: the history has moved on to ${this.#end}`);
  }

  /** Buckets that the ring has left behind are let go. */
  add(slot: number, index: number, n: number): void {
    if (index < this.#end - this.#width) return;
    const number = Math.floor(slot / PAGE_SLOTS);
    this.#pages[number] ??= new Uint16Array(PAGE_SLOTS * this.#width);
    const page = this.#pages[number];
    const place = (slot % PAGE_SLOTS) * this.#width + (index % this.#width);
    const total = this.#at(page, number, place) + n;
    page[place] = Math.min(total, LARGE);
    if (total >= LARGE) this.#large.set(number * page.length + place, total);
  }

  absorb(other: CountRing): void {
    other.#pages.forEach((page, number) => {
      page?.forEach((count, place) => {
        if (count === 0) return;
        const slot = number * PAGE_SLOTS + Math.floor(place / this.#width);
        // The index that stands at this place of the ring now.
        const first = this.#end - this.#width;
        const index = first + ((((place - first) % this.#width) + this.#width) % this.#width);
        this.add(slot, index, other.#at(page, number, place));
      });
    });
  }

  copy(slot: number, from: number, into: Uint32Array): Uint32Array {
    const number = Math.floor(slot / PAGE_SLOTS);
    const page = this.#pages[number];
    if (!page) return into.fill(0);
    const row = (slot % PAGE_SLOTS) * this.#width;
    let place = from % this.#width;
    for (let i = 0; i < into.length; i++) {
      into[i] = this.#at(page, number, row + place);
      if (++place === this.#width) place = 0;
    }
    return into;
  }

  sum(slot: number, from: number, to: number): number {
    const number = Math.floor(slot / PAGE_SLOTS);
    const page = this.#pages[number];
    if (!page) return 0;
    const row = (slot % PAGE_SLOTS) * this.#width;
    let sum = 0;
    let place = from % this.#width;
    for (let i = from; i < to; i++) {
      sum += this.#at(page, number, row + place);
      if (++place === this.#width) place = 0;
    }
    return sum;
  }

  #at(page: Uint16Array, number: number, place: number): number {
    const count = page[place]!;
    return count === LARGE ? this.#large.get(number * page.length + place)! : count;
  }

  #clear(column: number): void {
    this.#pages.forEach((page, number) => {
      if (!page) return;
      for (let place = column; place < page.length; place += this.#width) {
        if (page[place] === LARGE) this.#large.delete(number * page.length + place);
        page[place] = 0;
      }
    });
  }
}
