// A growing column of doubles: one flat buffer instead of a million objects.

const GROWTH = 1.25;

export class NumberColumn {
  #values: Float64Array;
  #length = 0;

  constructor(room = 64) {
    this.#values = new Float64Array(room);
  }

  get length(): number {
    return this.#length;
  }

  /** The buffer itself; only the first `length` entries count. It is replaced when the column grows. */
  get values(): Float64Array {
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

  clear(): void {
    this.#length = 0;
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  #grow(): void {
    if (this.#length < this.#values.length) return;
    // Hundreds of columns of one length stand side by side: doubling would leave almost half of each one empty.
    const wider = new Float64Array(Math.ceil(this.#values.length * GROWTH));
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
