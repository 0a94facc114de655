// A multiset of numbers kept sorted, so that median, MAD and ranks of a growing history cost next to nothing.

const GROWTH = 1.125;

export class SortedWindow {
  #values = new Float64Array(32);
  #size = 0;
  // Sums of distances from the first value ever held: a level far from zero must not eat the digits of the spread.
  #origin = 0;
  #sum = 0;
  #squares = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
    this.#sum = 0;
    this.#squares = 0;
  }

  insert(value: number): void {
    if (this.#size === 0) {
      this.#origin = value;
      this.#sum = 0;
      this.#squares = 0;
    }
    if (this.#size === this.#values.length) {
      const wider = new Float64Array(Math.ceil(this.#size * GROWTH));
      wider.set(this.#values);
      this.#values = wider;
    }
    const place = this.countBelow(value);
    this.#values.copyWithin(place + 1, place, this.#size);
    this.#values[place] = value;
    this.#size += 1;
    const distance = value - this.#origin;
    this.#sum += distance;
    this.#squares += distance * distance;
  }

  /** Takes out one copy of a value that is held. */
  remove(value: number): void {
    const place = this.countBelow(value);
    if (place >= this.#size || this.#values[place] !== value) throw new RangeError('the value is not held');
    this.#values.copyWithin(place, place + 1, this.#size);
    this.#size -= 1;
    const distance = value - this.#origin;
    this.#sum -= distance;
    this.#squares -= distance * distance;
  }

  /** How many held values are smaller. */
  countBelow(value: number): number {
    const values = this.#values;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many held values are smaller or equal. */
  countUpTo(value: number): number {
    const values = this.#values;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  median(): number {
    const n = this.#size;
    if (n === 0) return Number.NaN;
    const upper = this.#values[n >> 1]!;
    return n % 2 === 1 ? upper : (this.#values[(n >> 1) - 1]! + upper) / 2;
  }

  /** Median distance from the centre, unscaled. */
  deviation(centre: number): number {
    const n = this.#size;
    if (n === 0) return Number.NaN;
    const split = this.countBelow(centre);
    const upper = this.#distance(split, centre, n >> 1);
    return n % 2 === 1 ? upper : (this.#distance(split, centre, (n >> 1) - 1) + upper) / 2;
  }

  /** Sample standard deviation. */
  spread(): number {
    const n = this.#size;
    if (n < 2) return Number.NaN;
    return Math.sqrt(Math.max(0, this.#squares - (this.#sum * this.#sum) / n) / (n - 1));
  }

  /**
   * The distance of rank k (from 0) from the centre: distances grow to both sides of the split, so the k + 1 nearest
   * values are the last `left` below it and the first `k + 1 - left` above it, found by bisection on `left`.
   */
  #distance(split: number, centre: number, k: number): number {
    const values = this.#values;
    const below = split;
    const above = this.#size - split;
    let low = Math.max(0, k + 1 - above);
    let high = Math.min(below, k + 1);
    while (low < high) {
      const left = (low + high) >> 1;
      const right = k + 1 - left;
      // One more from the left is right when it is nearer than the last one taken from the right.
      if (right > 0 && centre - values[split - 1 - left]! < values[split + right - 1]! - centre)
        low = left + 1;
      else high = left;
    }
    const right = k + 1 - low;
    const nearest = low > 0 ? centre - values[split - low]! : 0;
    const furthest = right > 0 ? values[split + right - 1]! - centre : 0;
    return Math.max(nearest, furthest);
  }
}
