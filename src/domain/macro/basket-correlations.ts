// How the weekly returns of one asset after another go with the baskets of all narratives.
import { NARRATIVE_COUNT } from './catalogue/narratives.js';
import { BLOCK, blocked, columnStart, columnSums } from './column-sums.js';
import { DECAY } from './family-factors.js';
import { EXPOSURE } from './parameters.js';

/** Sums that every correlation of complete returns shares. */
const WEIGHT = DECAY.reduce((sum, weight) => sum + weight, 0);
const SQUARES = DECAY.reduce((sum, weight) => sum + weight * weight, 0);

export class BasketCorrelations {
  readonly #baskets: readonly (Float64Array | null)[];
  /** Weighted sums of squares; NaN where a week is missing. */
  readonly #sizes: Float64Array;
  /** Returns times the weights of their weeks, in columns: five thousand assets meet 33 baskets. */
  readonly #weighed = new Float64Array(blocked(NARRATIVE_COUNT) * EXPOSURE.weeks);
  readonly #products = new Float64Array(blocked(NARRATIVE_COUNT));

  /** Of the asset measured last, by place of the narrative; NaN where too little is known. */
  readonly correlations = new Float64Array(NARRATIVE_COUNT);
  readonly variances = new Float64Array(NARRATIVE_COUNT);

  /** By place of the narrative; null where none of a basket's funds is known. */
  constructor(baskets: readonly (Float64Array | null)[]) {
    this.#baskets = baskets;
    this.#sizes = Float64Array.from(baskets, (basket) => (basket === null ? 0 : sizeOf(basket)));
    baskets.forEach((basket, n) => {
      const start = columnStart(n, EXPOSURE.weeks);
      basket?.forEach((value, r) => {
        this.#weighed[start + r * BLOCK] = DECAY[r]! * value;
      });
    });
  }

  measure(returns: Float64Array): void {
    const size = sizeOf(returns);
    if (Number.isNaN(size)) {
      // Mostly the asset is young: the weeks before it began are passed over.
      const first = returns.findIndex((value) => !Number.isNaN(value));
      for (let n = 0; n < NARRATIVE_COUNT; n += 1) this.#measureGapped(n, returns, first);
      return;
    }
    columnSums(this.#products, this.#weighed, returns, EXPOSURE.weeks);
    for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
      const other = this.#sizes[n]!;
      if (Number.isNaN(other)) this.#measureGapped(n, returns, 0);
      else if (size > 0 && other > 0)
        this.#set(n, this.#products[n]! / Math.sqrt(size * other), WEIGHT, SQUARES);
      else this.correlations[n] = Number.NaN;
    }
  }

  /** The same over the weeks that both have. */
  #measureGapped(n: number, x: Float64Array, first: number): void {
    this.correlations[n] = Number.NaN;
    const y = this.#baskets[n]!;
    if (y === null || first < 0 || x.length - first < EXPOSURE.minimumWeeks) return;
    let weight = 0;
    let squares = 0;
    let xy = 0;
    let xx = 0;
    let yy = 0;
    let known = 0;
    for (let r = first; r < x.length; r += 1) {
      const product = x[r]! * y[r]!;
      if (Number.isNaN(product)) continue;
      known += 1;
      weight += DECAY[r]!;
      squares += DECAY[r]! * DECAY[r]!;
      xy += DECAY[r]! * product;
      xx += DECAY[r]! * x[r]! * x[r]!;
      yy += DECAY[r]! * y[r]! * y[r]!;
    }
    if (known < EXPOSURE.minimumWeeks || !(xx > 0) || !(yy > 0)) return;
    this.#set(n, xy / Math.sqrt(xx * yy), weight, squares);
  }

  #set(n: number, r: number, weight: number, squares: number): void {
    this.correlations[n] = r;
    this.variances[n] = ((1 - r * r) * squares) / (weight * weight);
  }
}

function sizeOf(returns: Float64Array): number {
  let size = 0;
  for (let r = 0; r < returns.length; r += 1) size += DECAY[r]! * returns[r]! * returns[r]!;
  return size;
}
