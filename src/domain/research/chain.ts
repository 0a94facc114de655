// What was ever known of one subject: rectangles of effective × known time that never overlap and are never rewritten.
import type { Instant } from '../../kernel/instant.js';

export type Change = 'asserted' | 'corrected' | 'remainder' | 'role_changed' | 'closed';

/** Half-open; an open end is Infinity. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

export interface Row<V> extends Span {
  /** From 1, one more for every row of the chain. */
  readonly revision: number;
  readonly knownFrom: Instant;
  /** The only member that is ever set again, once: when the row is superseded. */
  knownTo: Instant;
  readonly change: Change;
  readonly value: V;
  readonly sources: readonly string[];
  /** How packets show the row, once it was asked for. */
  shown: unknown;
}

/** What is made of a row to show it is kept with it: the row never changes, so neither does this. */
export function shown<V, T>(row: Row<V>, make: (row: Row<V>) => T): T {
  row.shown ??= make(row);
  return row.shown as T;
}

/** What takes the place of whatever was known over a span. */
export interface Statement<V> {
  readonly value: V;
  readonly change: Change;
  readonly sources: readonly string[];
}

/** How rows that lie partly outside of a statement's span live on there. */
export interface Keeping<V> {
  readonly value?: (value: V) => V;
  /** For the part before the span. */
  readonly change?: Change;
  readonly sources?: readonly string[];
}

/** Rows between two copies of the open rows: the most that a lookup ever walks. */
const STRIDE = 32;
const STAMPS = 4;

export class Chain<V> {
  readonly #rows: Row<V>[] = [];
  /** Of each row its from, to, knownFrom and knownTo, side by side: a lookup walks over these and touches one row. */
  readonly #stamps: number[] = [];
  /** Known to this day, by effective time. */
  #open: readonly Row<V>[] = [];
  /** The open rows after every STRIDE rows, so that a lookup costs the same however long the chain is. */
  readonly #copies: (readonly Row<V>[])[] = [];

  /** How often anything was written. */
  writes = 0;

  get rows(): readonly Row<V>[] {
    return this.#rows;
  }

  /** The one row that covers the point of the plane. */
  at(effective: Instant, known: Instant): Row<V> | undefined {
    const stamps = this.#stamps;
    const end = this.#knownBy(known);
    const copied = Math.floor(end / STRIDE);
    for (let i = end - 1; i >= copied * STRIDE; i--) {
      const at = i * STAMPS;
      if (stamps[at]! <= effective && effective < stamps[at + 1]! && known < stamps[at + 3]!)
        return this.#rows[i];
    }
    const row = copied === 0 ? undefined : covering(this.#copies[copied - 1]!, effective);
    return row !== undefined && known < row.knownTo ? row : undefined;
  }

  /** What is known to this day of a part of the span. */
  openWithin({ from, to }: Span): readonly Row<V>[] {
    return this.#open.filter((row) => row.from < to && from < row.to);
  }

  /**
   * Supersedes what is known of the span, from `known` on: by the statement, or by nothing. `known` must be later than
   * the chain's last. Gives back the row of the statement.
   */
  write(span: Span, known: Instant, statement: Statement<V> | null, keeping: Keeping<V> = {}): Row<V> | null {
    this.writes += 1;
    const before: Row<V>[] = [];
    const after: Row<V>[] = [];
    const hit = this.openWithin(span);
    for (const row of this.#open) {
      if (row.to <= span.from) before.push(row);
      else if (row.from >= span.to) after.push(row);
    }
    for (const row of hit) {
      row.knownTo = known;
      this.#stamps[(row.revision - 1) * STAMPS + 3] = known;
    }
    const [first, last] = [hit[0], hit.at(-1)];
    if (first !== undefined && first.from < span.from)
      before.push(this.#rest(first, { from: first.from, to: span.from }, known, keeping));
    const made = statement === null ? null : this.#push({ ...span, ...statement }, known);
    if (last !== undefined && last.to > span.to) {
      const { change: _before, ...later } = keeping;
      after.unshift(this.#rest(last, { from: span.to, to: last.to }, known, later));
    }
    this.#open = made === null ? [...before, ...after] : [...before, made, ...after];
    // The copy stands for all rows so far, so it is made only once they are all in place.
    while (this.#copies.length < Math.floor(this.#rows.length / STRIDE)) this.#copies.push(this.#open);
    return made;
  }

  /** Over the span nothing is known to hold any more. */
  end(span: Span, known: Instant, sources: readonly string[]): void {
    this.write(span, known, null, { change: 'closed', sources });
  }

  /** How many rows were known by the instant. */
  #knownBy(known: Instant): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#stamps[middle * STAMPS + 2]! <= known) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rest(row: Row<V>, span: Span, known: Instant, { value, change, sources = [] }: Keeping<V>): Row<V> {
    return this.#push(
      {
        ...span,
        value: value === undefined ? row.value : value(row.value),
        change: change ?? 'remainder',
        sources: sources.length === 0 ? row.sources : united(row.sources, sources),
      },
      known,
    );
  }

  #push(statement: Span & Statement<V>, knownFrom: Instant): Row<V> {
    const { from, to, value, change, sources } = statement;
    const revision = this.#rows.length + 1;
    const knownTo = Number.POSITIVE_INFINITY;
    const row = {
      from,
      to,
      revision,
      knownFrom,
      knownTo,
      change,
      value,
      sources,
      shown: undefined,
    };
    this.#rows.push(row);
    this.#stamps.push(from, to, knownFrom, knownTo);
    return row;
  }
}

/** Sorted, each once. */
export function united(...lists: readonly (readonly string[])[]): readonly string[] {
  const [first, ...others] = lists;
  const all = [...first!];
  for (const list of others) for (const item of list) if (!all.includes(item)) all.push(item);
  return all.sort();
}

function covering<V>(open: readonly Row<V>[], effective: Instant): Row<V> | undefined {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (open[middle]!.from <= effective) low = middle + 1;
    else high = middle;
  }
  const row = open[low - 1];
  return row !== undefined && effective < row.to ? row : undefined;
}
