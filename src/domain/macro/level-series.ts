// The level of an index by reference day, in the vintage known so far: formulas over one or more provider series.

import type { Day } from '../../kernel/new-york-time.js';
import type { Formula, Term } from './catalogue/index-row.js';
import { type LevelView, placeUpTo } from './level-view.js';
import { NumberColumn } from './number-column.js';
import type { Frequency } from './release-clock.js';

/** Days that a value of another series may be older than the day it is combined with: daily pairs must be of one day. */
const SLACK: Record<Frequency, number> = { D: 0, D7: 0, W: 6, M: 6, Q: 6 };
/** Days after which a lead day that still lacks its partner is no longer looked at again at every turn. */
const PATIENCE: Record<Frequency, number> = { D: 30, D7: 30, W: 60, M: 400, Q: 400 };

/** One series as it stands: the newest value known for every day. */
class Vintage {
  readonly days = new NumberColumn(Int32Array);
  readonly values = new NumberColumn(Float64Array);

  /** Whether the day was new, its value changed, or nothing happened. */
  set(day: Day, value: number, keepFirst: boolean): 'new' | 'changed' | 'same' {
    if (this.days.length === 0 || day > this.days.last()) {
      this.days.push(day);
      this.values.push(value);
      return 'new';
    }
    const place = placeUpTo(this.days.values, this.days.length, day);
    if (place >= 0 && this.days.at(place) === day) {
      if (keepFirst || this.values.at(place) === value) return 'same';
      this.values.set(place, value);
      return 'changed';
    }
    this.days.insert(place + 1, day);
    this.values.insert(place + 1, value);
    return 'new';
  }

  upTo(day: Day, slack: number): number {
    const place = placeUpTo(this.days.values, this.days.length, day);
    return place >= 0 && this.days.at(place) >= day - slack ? this.values.at(place) : Number.NaN;
  }
}

/** Ids of the series that a formula reads, the lead first. */
export function seriesOf(formula: Formula): string[] {
  return [...new Set(formula.terms.flatMap((part) => [part.series, ...part.instead]))];
}

export class LevelSeries implements LevelView {
  readonly #formula: Formula;
  readonly #slack: number;
  readonly #patience: number;
  readonly #keepFirst: boolean;
  readonly #inputs: readonly Vintage[];
  /** For every term, the inputs that can stand for it, in order of preference. */
  readonly #sources: readonly (readonly number[])[];
  readonly #days = new NumberColumn(Int32Array);
  readonly #levels = new NumberColumn(Float64Array);
  /** Levels as they were first reported; only from the first revision on, because until then they are the levels. */
  #firsts: NumberColumn | null = null;
  readonly #touched = new Set<Day>();
  /** Lead days that still lack a value of another series. */
  readonly #waiting = new Set<Day>();
  #rewrites = 0;

  constructor(formula: Formula, frequency: Frequency, keepFirst: boolean) {
    const ids = seriesOf(formula);
    this.#formula = formula;
    this.#slack = SLACK[frequency];
    this.#patience = PATIENCE[frequency];
    this.#keepFirst = keepFirst;
    this.#inputs = ids.map(() => new Vintage());
    this.#sources = formula.terms.map((part: Term) =>
      [part.series, ...part.instead].map((id) => ids.indexOf(id)),
    );
  }

  get days(): Int32Array {
    return this.#days.values;
  }

  get levels(): Float64Array {
    return this.#levels.values;
  }

  get length(): number {
    return this.#days.length;
  }

  get rewrites(): number {
    return this.#rewrites;
  }

  /** The level at a place as it was first reported. */
  firstLevel(place: number): number {
    return (this.#firsts ?? this.#levels).at(place);
  }

  /** Takes one entry of one input; the levels move only when all entries of the instant are in. */
  take(input: number, day: Day, value: number): 'new' | 'changed' | 'same' {
    const outcome = this.#inputs[input]!.set(day, value, this.#keepFirst);
    if (outcome === 'same') return outcome;
    if (this.#sources[0]!.includes(input)) this.#touched.add(day);
    if (this.#formula.terms.length > 1) this.#touchLeadsFrom(day);
    return outcome;
  }

  /** Works the touched days into the levels; returns the days that are new, upwards, and whether an old one moved. */
  settle(): { readonly fresh: readonly Day[]; readonly revised: boolean } {
    if (this.#touched.size === 0) return NOTHING;
    const oldest = this.#inputs[this.#sources[0]![0]!]!.days.last() - this.#patience;
    for (const day of this.#waiting) {
      if (day < oldest) this.#waiting.delete(day);
      else this.#touched.add(day);
    }
    const days = this.#touched.size === 1 ? [...this.#touched] : [...this.#touched].sort((a, b) => a - b);
    this.#touched.clear();
    const fresh: Day[] = [];
    let revised = false;
    for (const day of days) {
      const level = this.#evaluate(day);
      if (!Number.isFinite(level)) {
        this.#waiting.add(day);
        continue;
      }
      this.#waiting.delete(day);
      const outcome = this.#place(day, level);
      if (outcome === 'new') fresh.push(day);
      else if (outcome === 'changed') revised = true;
    }
    return { fresh, revised };
  }

  #place(day: Day, level: number): 'new' | 'changed' | 'same' {
    if (this.length === 0 || day > this.#days.last()) {
      this.#days.push(day);
      this.#levels.push(level);
      this.#firsts?.push(level);
      return 'new';
    }
    const place = placeUpTo(this.days, this.length, day);
    if (place >= 0 && this.#days.at(place) === day) {
      if (this.#levels.at(place) === level) return 'same';
      this.#firsts ??= this.#levels.copy();
      this.#levels.set(place, level);
      this.#rewrites += 1;
      return 'changed';
    }
    this.#days.insert(place + 1, day);
    this.#levels.insert(place + 1, level);
    this.#firsts?.insert(place + 1, level);
    this.#rewrites += 1;
    return 'new';
  }

  #touchLeadsFrom(day: Day): void {
    for (const lead of this.#sources[0]!) {
      const { days } = this.#inputs[lead]!;
      for (let place = days.length - 1; place >= 0 && days.at(place) >= day; place -= 1) {
        if (days.at(place) <= day + this.#slack) this.#touched.add(days.at(place));
      }
    }
  }

  #evaluate(day: Day): number {
    const { kind, terms } = this.#formula;
    let level = kind === 'sum' ? 0 : Number.NaN;
    for (let i = 0; i < terms.length; i += 1) {
      const value = this.#term(i, day) * terms[i]!.times;
      if (kind === 'sum') level += value;
      else level = i === 0 ? value : value === 0 ? Number.NaN : level / value;
    }
    return level;
  }

  #term(place: number, day: Day): number {
    const slack = place === 0 ? 0 : this.#slack;
    for (const input of this.#sources[place]!) {
      const value = this.#inputs[input]!.upTo(day, slack);
      if (Number.isFinite(value)) return value;
    }
    return Number.NaN;
  }
}

const NOTHING = { fresh: [], revised: false } as const;
