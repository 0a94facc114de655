// Growing rows of numbers of one kind and width in one flat buffer.
import type { Numbers } from './number-column.js';

const GROWTH = 1.125;

export class NumberRows<A extends Numbers> {
  readonly #kind: new (
    length: number,
  ) => A;
  readonly #width: number;
  #values: A;

  constructor(kind: new (length: number) => A, width: number, rows = 256) {
    this.#kind = kind;
    this.#width = width;
    this.#values = new kind(width * rows);
  }

  at(row: number, column: number): number {
    return this.#values[row * this.#width + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.#values[row * this.#width + column] = value;
  }

  /** Makes room for a row. */
  reach(row: number): void {
    const rows = this.#values.length / this.#width;
    if (row < rows) return;
    const wider = new this.#kind(this.#width * Math.max(row + 1, Math.ceil(rows * GROWTH)));
    wider.set(this.#values);
    this.#values = wider;
  }
}
