// A growing column of numbers: one flat buffer instead of a million objects, no wider than its numbers need.

export type Numbers = Float64Array | Int32Array | Int16Array | Int8Array;

/** Hundreds of columns of one length stand side by side: doubling would leave almost half of each one empty. */
const GROWTH = 1.125;

export class NumberColumn<A extends Numbers = Numbers> {
  readonly #kind: new (
    length: number,
  ) => A;
  #values: A;
  #length = 0;

  /** `kind` must hold every number that is put in: the narrow ones hold whole numbers only. */
  constructor(kind: new (length: number) => A, room = 32) {
    this.#kind = kind;
    this.#values = new kind(room);
  }

  get length(): number {
    return this.#length;
  }

  /** The buffer itself; only the first `length` entries count. It is replaced when the column grows. */
  get values(): A {
    return this.#values;
  }

  at(place: number): number {
    return this.#values[place]!;
  }

  last(): number {
    return this.#length === 0 ? Number.NaN : this.#values[this.#length - 1]!;
  }

  push(value: number): void {
    this.#grow();
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  set(place: number, value: number): void {
    this.#values[place] = value;
  }

  insert(place: number, value: number): void {
    this.#grow();
    this.#values.copyWithin(place + 1, place, this.#length);
    this.#values[place] = value;
    this.#length += 1;
  }

  copy(): NumberColumn<A> {
    const copy = new NumberColumn(this.#kind, this.#length);
    copy.#values.set(this.#values.subarray(0, this.#length));
    copy.#length = this.#length;
    return copy;
  }

  /** Lets go of the first so many. */
  drop(count: number): void {
    this.#values.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    if (this.#length < this.#values.length) return;
    const wider = new this.#kind(Math.ceil((this.#values.length + 1) * GROWTH));
    wider.set(this.#values);
    this.#values = wider;
  }
}

/** The last place whose value is not above the limit, in a column that does not fall; -1 when there is none. */
export function lastUpTo(column: NumberColumn, limit: number): number {
  const values = column.values;
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
