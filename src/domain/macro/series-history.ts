// What was ever said about one series, in the order in which it became known.
import type { Instant } from '../../kernel/instant.js';
import type { Day } from '../../kernel/new-york-time.js';
import { lastUpTo, NumberColumn } from './number-column.js';

/**
 * Observations and revisions alike: a revision is a later entry for the same day. Entries may arrive in any order;
 * one that belongs before the end is put in its place, and `reorderings` tells readers to start over.
 */
export class SeriesHistory {
  readonly days = new NumberColumn(Int32Array);
  readonly values = new NumberColumn(Float64Array);
  readonly knownAt = new NumberColumn(Float64Array);
  readonly #sequences = new NumberColumn(Float64Array);
  readonly #live = new NumberColumn(Int8Array);
  #reorderings = 0;

  get length(): number {
    return this.days.length;
  }

  get reorderings(): number {
    return this.#reorderings;
  }

  /** Whether the entry was observed when it was released, not backfilled. */
  isLive(place: number): boolean {
    return this.#live.at(place) === 1;
  }

  take(day: Day, value: number, knownAt: Instant, sequence: number, live: boolean): void {
    const end = this.length;
    if (end === 0 || !this.#before(knownAt, sequence, end - 1)) {
      this.#put(end, day, value, knownAt, sequence, live);
      return;
    }
    let place = lastUpTo(this.knownAt, knownAt) + 1;
    while (place > 0 && this.#before(knownAt, sequence, place - 1)) place -= 1;
    this.#put(place, day, value, knownAt, sequence, live);
    this.#reorderings += 1;
  }

  clear(): void {
    for (const column of [this.days, this.values, this.knownAt, this.#sequences, this.#live]) column.clear();
    this.#reorderings += 1;
  }

  #before(knownAt: Instant, sequence: number, place: number): boolean {
    const other = this.knownAt.at(place);
    return knownAt < other || (knownAt === other && sequence < this.#sequences.at(place));
  }

  #put(place: number, day: Day, value: number, knownAt: Instant, sequence: number, live: boolean): void {
    this.days.insert(place, day);
    this.values.insert(place, value);
    this.knownAt.insert(place, knownAt);
    this.#sequences.insert(place, sequence);
    this.#live.insert(place, live ? 1 : 0);
  }
}
