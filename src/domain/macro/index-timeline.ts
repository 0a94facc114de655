// The life of one index: what its reading was at every instant at which something new became known about it.
import type { Instant } from '../../kernel/instant.js';
import type { Day } from '../../kernel/new-york-time.js';
import type { IndexRow, Source } from './catalogue/index-row.js';
import { LevelSeries } from './level-series.js';
import { placeUpTo } from './level-view.js';
import { lastUpTo, NumberColumn } from './number-column.js';
import { AGE, ROBUST } from './parameters.js';
import { nextRelease } from './release-clock.js';
import { RobustHistory } from './robust-history.js';
import type { SeriesHistory } from './series-history.js';
import { SparseColumn } from './sparse-column.js';
import { type Measure, moveOf, shownMeasure, TRANSFORMS } from './transforms.js';

/** native: never revised, or its vintages are on file; archived: observed live; latest_only: one vintage for all. */
export const VINTAGES = ['native', 'archived', 'latest_only'] as const;
export type VintageCapability = (typeof VINTAGES)[number];

const SIX_DECIMALS = 1e6;

/** Z-scores are rounded where they are made: everything later agrees on every machine. */
function settled(value: number): number {
  return Math.round(value * SIX_DECIMALS) / SIX_DECIMALS;
}

/**
 * Events are appended in the order of knowledge and never change, so the reading at any instant is a search.
 * An entry that arrives late makes the timeline start over: the result is the same as if it had come in time.
 */
export class IndexTimeline {
  readonly row: IndexRow;
  readonly source: Source;
  readonly #histories: readonly SeriesHistory[];
  #cursors: number[];
  #reorderings: number[];
  #levels!: LevelSeries;
  #shown!: Measure;
  #parts!: readonly { readonly weight: number; readonly measure: Measure; readonly history: RobustHistory }[];
  #datesRevised = 0;
  #datesLive = 0;
  #dates = 0;
  /** Days of the lead series that were first reported at the instant being taken in. */
  readonly #begun = new Set<Day>();
  #wind = 0;
  #hint = 0;
  #dueFor: Day = Number.NaN;
  #dueAt: Instant = Number.NaN;
  /** The newest instant whose entries have been taken in. */
  #readTo: Instant = Number.NEGATIVE_INFINITY;
  #restarts = 0;

  readonly knownAt = new NumberColumn(Float64Array);
  readonly referenceDays = new NumberColumn(Int32Array);
  /** The value as readers know it. */
  readonly shown = new NumberColumn(Float64Array);
  /** Where readers know the index by its transformed value, one column serves for both. */
  readonly transformed: NumberColumn;
  /** NaN while the history is too short. */
  readonly z = new NumberColumn(Float64Array);
  readonly winds = new NumberColumn(Int8Array);
  /** Values in the history, one a day for fifteen years at most. */
  readonly counts = new NumberColumn(Int16Array);
  /** How many of them are not above the newest; -1 while the history is too short. */
  readonly #ranks = new NumberColumn(Int16Array);
  readonly vintages = new NumberColumn(Int8Array);
  /** Prior values, at the places where they are not simply what the event before has shown. */
  readonly #priors = new SparseColumn();

  /** Null while every event has brought the next reference day and no other: then it would repeat `knownAt`. */
  #firstKnownAt: NumberColumn | null = null;
  /** Its transformed value as first known, where weekly moves are measured on that. */
  readonly #firstTransformed: NumberColumn | null;

  constructor(row: IndexRow, source: Source, histories: readonly SeriesHistory[]) {
    this.row = row;
    this.source = source;
    this.#histories = histories;
    this.#cursors = histories.map(() => 0);
    this.#reorderings = histories.map((history) => history.reorderings);
    this.#open();
    this.transformed = this.#showsTransformed() ? this.shown : new NumberColumn(Float64Array);
    this.#firstTransformed = moveOf(row.transform) === 'transformed' ? new NumberColumn(Float64Array) : null;
  }

  /** Counts how often the timeline had to start over; readers that keep places compare it. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Takes in what its series have learned up to the instant. Not further: series that are computed from prices reach
   * only as far as they have been asked for, and all series of a formula must be read at the same pace.
   */
  extend(at: Instant): void {
    if (this.#mustRestart()) this.#restart();
    for (let next = this.#nextInstant(); next <= at; next = this.#nextInstant()) this.#advance(next);
  }

  /** The last event that was known by the instant; -1 before the first. */
  placeAt(at: Instant): number {
    const { length } = this.knownAt;
    const hint = this.#hint;
    if (hint < length && this.knownAt.at(hint) <= at) {
      if (hint + 1 === length || this.knownAt.at(hint + 1) > at) return hint;
      if (hint + 2 === length || this.knownAt.at(hint + 2) > at) return this.#remember(hint + 1);
    }
    return this.#remember(lastUpTo(this.knownAt, at));
  }

  /** Reference days, upwards; only as many count as `firstKnownAt` has. */
  get days(): Int32Array {
    return this.#levels.days;
  }

  /** By reference day: when it was first reported. */
  get firstKnownAt(): NumberColumn {
    return this.#firstKnownAt ?? this.knownAt;
  }

  /** What weekly moves are measured on, at the place of a reference day, as first known. */
  firstMove(place: number): number {
    return this.#firstTransformed?.at(place) ?? this.#levels.firstLevel(place);
  }

  /** When the newest reference day of an event was first reported. */
  releasedAt(place: number): Instant {
    return this.firstKnownAt.at(placeUpTo(this.days, this.#levels.length, this.referenceDays.at(place)));
  }

  /** When the next value after an event should have come, grace included. */
  dueAt(place: number): Instant {
    const { release, frequency } = this.source;
    const day = this.referenceDays.at(place);
    if (day !== this.#dueFor) {
      this.#dueFor = day;
      this.#dueAt = nextRelease(release, frequency, day) + AGE.grace[frequency];
    }
    return this.#dueAt;
  }

  /** The shown value one reference day earlier, in the vintage of the event. */
  prior(place: number): number {
    return this.#priors.at(place) ?? this.#shownBefore(place);
  }

  /** Share of the history that was not above the newest value; NaN while the history is too short. */
  percentile(place: number): number {
    const rank = this.#ranks.at(place);
    return rank < 0 ? Number.NaN : rank / this.counts.at(place);
  }

  #shownBefore(place: number): number {
    return place > 0 ? this.shown.at(place - 1) : Number.NaN;
  }

  #showsTransformed(): boolean {
    return this.#shown === this.#parts[0]!.measure;
  }

  #remember(place: number): number {
    this.#hint = Math.max(0, place);
    return place;
  }

  #open(): void {
    const { row, source } = this;
    this.#levels = new LevelSeries(source.formula, source.frequency, row.revision === 'refitted');
    this.#shown = shownMeasure(row.shown ?? 'level', row.transform);
    this.#parts = TRANSFORMS[row.transform]().map(({ weight, measure }) => ({
      weight,
      measure,
      history: new RobustHistory(row.floor),
    }));
  }

  #mustRestart(): boolean {
    for (let i = 0; i < this.#histories.length; i += 1) {
      const history = this.#histories[i]!;
      if (history.reorderings !== this.#reorderings[i]) return true;
      const cursor = this.#cursors[i]!;
      if (cursor < history.length && history.knownAt.at(cursor) <= this.#readTo) return true;
    }
    return false;
  }

  #restart(): void {
    this.#cursors = this.#histories.map(() => 0);
    this.#reorderings = this.#histories.map((history) => history.reorderings);
    this.#datesRevised = 0;
    this.#datesLive = 0;
    this.#dates = 0;
    this.#wind = 0;
    this.#hint = 0;
    this.#readTo = Number.NEGATIVE_INFINITY;
    this.#restarts += 1;
    for (const column of this.#columns()) column.clear();
    this.#priors.clear();
    this.#firstKnownAt = null;
    this.#open();
  }

  #columns(): NumberColumn[] {
    return [
      this.knownAt,
      this.referenceDays,
      this.shown,
      this.transformed,
      this.z,
      this.winds,
      this.counts,
      this.#ranks,
      this.vintages,
      ...(this.#firstTransformed ? [this.#firstTransformed] : []),
    ];
  }

  /** The next instant at which a series said something; infinite when there is none. */
  #nextInstant(): Instant {
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#histories.length; i += 1) {
      const history = this.#histories[i]!;
      const cursor = this.#cursors[i]!;
      if (cursor < history.length) next = Math.min(next, history.knownAt.at(cursor));
    }
    return next;
  }

  #advance(instant: Instant): void {
    this.#readTo = instant;
    this.#begun.clear();
    for (let i = 0; i < this.#histories.length; i += 1) {
      const history = this.#histories[i]!;
      let cursor = this.#cursors[i]!;
      while (cursor < history.length && history.knownAt.at(cursor) === instant) {
        this.#tally(i, cursor, this.#levels.take(i, history.days.at(cursor), history.values.at(cursor)));
        cursor += 1;
      }
      this.#cursors[i] = cursor;
    }
    const { fresh, revised } = this.#levels.settle();
    if (fresh.length === 0 && !revised) return;
    const isNextDay = fresh.length === 1 && fresh[0] === this.days[this.knownAt.length];
    if (!isNextDay) this.#firstKnownAt ??= this.knownAt.copy();
    for (const day of fresh) this.#enter(day, instant);
    this.#record(instant);
  }

  /** A day of the lead series that is reported again later has a vintage; another value for the same instant has not. */
  #tally(input: number, cursor: number, outcome: 'new' | 'changed' | 'same'): void {
    if (input !== 0) return;
    const history = this.#histories[0]!;
    const day = history.days.at(cursor);
    if (outcome !== 'new') {
      if (!this.#begun.has(day)) this.#datesRevised += 1;
      return;
    }
    this.#begun.add(day);
    this.#dates += 1;
    if (history.isLive(cursor)) this.#datesLive += 1;
  }

  #enter(day: Day, instant: Instant): void {
    const levels = this.#levels;
    const place = placeUpTo(levels.days, levels.length, day);
    let first = Number.NaN;
    for (let i = 0; i < this.#parts.length; i += 1) {
      const { measure, history } = this.#parts[i]!;
      const value = measure(levels, place);
      if (i === 0) first = value;
      if (Number.isFinite(value)) history.push(day, value);
    }
    this.#firstKnownAt?.insert(place, instant);
    this.#firstTransformed?.insert(place, first);
  }

  #record(instant: Instant): void {
    const { row, source } = this;
    const levels = this.#levels;
    const place = this.knownAt.length;
    const last = levels.length - 1;
    const newest = levels.days[last]!;
    let mixed = 0;
    let compared = Number.NaN;
    let rank = -1;
    for (let i = 0; i < this.#parts.length; i += 1) {
      const { weight, measure, history } = this.#parts[i]!;
      history.trim(newest);
      const value = measure(levels, last);
      const ready = history.size >= ROBUST.minimum[source.frequency] && Number.isFinite(value);
      mixed += ready ? weight * history.z(value) : Number.NaN;
      if (i === 0) {
        compared = value;
        if (ready) rank = history.rank(value);
      }
    }
    const z = settled(mixed);
    this.#wind = windAfter(this.#wind, row.sign * z);
    const prior = last > 0 ? this.#shown(levels, last - 1) : Number.NaN;
    if (!Object.is(prior, this.#shownBefore(place))) this.#priors.push(place, prior);
    this.knownAt.push(instant);
    this.referenceDays.push(newest);
    this.shown.push(this.#shown(levels, last));
    if (this.transformed !== this.shown) this.transformed.push(compared);
    this.z.push(z);
    this.winds.push(this.#wind);
    this.counts.push(this.#parts[0]!.history.size);
    this.#ranks.push(rank);
    this.vintages.push(this.#capability());
  }

  #capability(): number {
    if (this.row.revision === 'never' || this.#datesRevised >= this.#dates / 2) return 0;
    return this.#datesLive >= this.#dates / 2 ? 1 : 2;
  }
}

/** A wind begins at ±0.5 and holds until it is weaker than ±0.3. */
export function windAfter(before: number, z: number): number {
  const { enter, leave } = ROBUST.wind;
  if (z >= enter) return 1;
  if (z <= -enter) return -1;
  if (before > 0 && z > leave) return 1;
  if (before < 0 && z < -leave) return -1;
  return 0;
}
