// The values that an index is compared with: median and MAD over at most fifteen years, point by point.
import type { Day } from '../../kernel/new-york-time.js';
import { NumberColumn } from './number-column.js';
import { ROBUST } from './parameters.js';
import { SortedWindow } from './sorted-window.js';

/** Values that have left are kept until there are so many. */
const OUTDATED = 256;

/** Every value enters once, as it was first known, and leaves when it is too old; revisions do not rewrite it. */
export class RobustHistory {
  readonly #floor: number;
  readonly #days = new NumberColumn(Int32Array);
  readonly #values = new NumberColumn(Float64Array);
  readonly #window = new SortedWindow();
  #first = 0;

  constructor(floor: number) {
    this.#floor = floor;
  }

  get size(): number {
    return this.#window.size;
  }

  push(day: Day, value: number): void {
    let place = this.#days.length;
    while (place > this.#first && this.#days.at(place - 1) > day) place -= 1;
    this.#days.insert(place, day);
    this.#values.insert(place, value);
    this.#window.insert(value);
  }

  /** Lets go of what is older than the cap, seen from the newest day. */
  trim(newest: Day): void {
    const oldest = newest - ROBUST.capDays;
    while (this.#first < this.#days.length && this.#days.at(this.#first) < oldest) {
      this.#window.remove(this.#values.at(this.#first));
      this.#first += 1;
    }
    if (this.#first < OUTDATED) return;
    this.#days.drop(this.#first);
    this.#values.drop(this.#first);
    this.#first = 0;
  }

  /** Distance from the median in robust standard deviations. */
  z(value: number): number {
    const centre = this.#window.median();
    const scale = Math.max(
      ROBUST.madFactor * this.#window.deviation(centre),
      ROBUST.spreadFloor * this.#window.spread(),
      this.#floor,
    );
    return (value - centre) / scale;
  }

  /** How many values of the history are not above the value. */
  rank(value: number): number {
    return this.#window.countUpTo(value);
  }
}
