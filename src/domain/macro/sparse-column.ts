// Numbers at some of the places of a long column, in the order of the places.
import { lastUpTo, NumberColumn } from './number-column.js';

export class SparseColumn {
  readonly #places = new NumberColumn(Int32Array, 4);
  readonly #values = new NumberColumn(Float64Array, 4);

  /** Puts a number at a place that is after all others. */
  push(place: number, value: number): void {
    this.#places.push(place);
    this.#values.push(value);
  }

  /** The number at the place, if there is one. */
  at(place: number): number | undefined {
    const found = lastUpTo(this.#places, place);
    return found >= 0 && this.#places.at(found) === place ? this.#values.at(found) : undefined;
  }

  clear(): void {
    this.#places.clear();
    this.#values.clear();
  }
}
