// Rank correlations within one cross-section: raw, and after size and sector are taken out of both sides.

/** Places with a value, sorted by it; sorted once per cross-section and then filtered by every pairing. */
export interface Ordered {
  readonly values: Float64Array;
  readonly order: Uint32Array;
}

export function ordered(values: Float64Array): Ordered {
  let count = 0;
  const places = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) places[count++] = i;
  const order = places.subarray(0, count).sort((i, j) => values[i]! - values[j]! || i - j);
  return { values, order };
}

/** Average ranks, centred, of the places in the mask; the others keep what they had. */
export function centredRanks(
  { values, order }: Ordered,
  mask: Uint8Array,
  count: number,
  into: Float64Array,
): void {
  const middle = (count + 1) / 2;
  let start = 0;
  let i = 0;
  while (i < order.length) {
    const value = values[order[i]!]!;
    const first = i;
    let tied = 0;
    for (; i < order.length && values[order[i]!] === value; i++) tied += mask[order[i]!]!;
    const shared = start + (tied + 1) / 2 - middle;
    for (let k = first; k < i; k++) if (mask[order[k]!] === 1) into[order[k]!] = shared;
    start += tied;
  }
}

/** 0 to 4, by the average rank, centred, among so many: ties are never torn apart. */
export const fifthOf = (centredRank: number, count: number): number =>
  Math.floor((5 * (centredRank + count / 2)) / count);

export interface Coefficient {
  /** Names that took part. */
  readonly names: number;
  /** NaN when a side has no spread. */
  readonly raw: number;
  readonly neutral: number;
  /** Names with a known size: the neutral coefficient is theirs. */
  readonly neutralNames: number;
  /** Mean target, without size and sector, of each fifth of the names by the signal; NaN where ties leave none. */
  readonly fifths: readonly number[];
}

/**
 * One signal against several targets that are defined for the same names. Room for the arrays is taken once per
 * cross-section width and used again.
 */
export class CrossSection {
  readonly #mask: Uint8Array;
  readonly #signal: Float64Array;
  readonly #target: Float64Array;
  readonly #size: Float64Array;
  readonly #sector: Uint16Array;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;
  readonly #fifth: Uint8Array;

  /** `sector` by place; names without one are a sector of their own. */
  constructor(sector: Uint16Array) {
    const width = sector.length;
    let sectors = 0;
    for (const one of sector) if (one >= sectors) sectors = one + 1;
    this.#mask = new Uint8Array(width);
    this.#signal = new Float64Array(width);
    this.#target = new Float64Array(width);
    this.#size = new Float64Array(width);
    this.#sector = sector;
    this.#sums = new Float64Array(sectors);
    this.#counts = new Float64Array(sectors);
    this.#fifth = new Uint8Array(width);
  }

  /** `size` orders the names by market capitalisation. */
  correlate(
    signal: Ordered,
    targets: readonly Ordered[],
    size: Ordered,
    { withFifths = false } = {},
  ): Coefficient[] {
    const names = this.#select(signal.order, targets[0]!.values, null);
    const raw = targets.map((target) => this.#raw(signal, target, names));
    const neutralNames = this.#select(signal.order, targets[0]!.values, size.values);
    const neutral = this.#neutral(signal, targets, size, neutralNames);
    return targets.map((target, j) => ({
      names,
      raw: raw[j]!,
      neutral: neutral[j]!,
      neutralNames,
      fifths: withFifths ? this.#fifths(target) : [],
    }));
  }

  /** The neutral coefficients alone; none where too few names take part. */
  neutral(signal: Ordered, targets: readonly Ordered[], size: Ordered, fewest: number): number[] {
    const names = this.#select(signal.order, targets[0]!.values, size.values);
    return names < fewest ? targets.map(() => Number.NaN) : this.#neutral(signal, targets, size, names);
  }

  /** Masks the places that have the signal, a target and, where it is asked for, a size. */
  #select(order: Uint32Array, target: Float64Array, size: Float64Array | null): number {
    const mask = this.#mask.fill(0);
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const place = order[k]!;
      if (Number.isNaN(target[place]) || (size !== null && Number.isNaN(size[place]))) continue;
      mask[place] = 1;
      count++;
    }
    return count;
  }

  #raw(signal: Ordered, target: Ordered, names: number): number {
    centredRanks(signal, this.#mask, names, this.#signal);
    centredRanks(target, this.#mask, names, this.#target);
    return correlation(this.#mask, this.#signal, this.#target);
  }

  #neutral(signal: Ordered, targets: readonly Ordered[], size: Ordered, names: number): number[] {
    this.#countSectors();
    centredRanks(size, this.#mask, names, this.#size);
    this.#demean(this.#size);
    centredRanks(signal, this.#mask, names, this.#signal);
    for (const place of signal.order)
      if (this.#mask[place] === 1) this.#fifth[place] = fifthOf(this.#signal[place]!, names);
    this.#residual(this.#signal);
    return targets.map((target) => {
      centredRanks(target, this.#mask, names, this.#target);
      this.#residual(this.#target);
      return correlation(this.#mask, this.#signal, this.#target);
    });
  }

  /** Of the names that the neutral coefficient was made from last. */
  #fifths({ values }: Ordered): number[] {
    const [mask, fifth, left] = [this.#mask, this.#fifth, this.#target];
    for (let i = 0; i < mask.length; i++) if (mask[i] === 1) left[i] = values[i]!;
    this.#residual(left);
    const sums = [0, 0, 0, 0, 0];
    const counts = [0, 0, 0, 0, 0];
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] !== 1) continue;
      sums[fifth[i]!]! += left[i]!;
      counts[fifth[i]!]! += 1;
    }
    return sums.map((sum, k) => sum / counts[k]!);
  }

  #countSectors(): void {
    const [mask, sector, counts] = [this.#mask, this.#sector, this.#counts.fill(0)];
    for (let i = 0; i < mask.length; i++) if (mask[i] === 1) counts[sector[i]!]! += 1;
  }

  /** Takes the mean of its sector out of every value: the first step of the orthogonal basis. */
  #demean(values: Float64Array): void {
    const [mask, sector, counts, sums] = [this.#mask, this.#sector, this.#counts, this.#sums.fill(0)];
    for (let i = 0; i < mask.length; i++) if (mask[i] === 1) sums[sector[i]!]! += values[i]!;
    for (let own = 0; own < sums.length; own++) sums[own] = sums[own]! / counts[own]!;
    for (let i = 0; i < mask.length; i++) if (mask[i] === 1) values[i] = values[i]! - sums[sector[i]!]!;
  }

  /**
   * What least squares on [sector dummies, size] leaves over. The dummies are orthogonal already, so that the QR
   * factors need one Gram-Schmidt step: sectors first, then size without its sectors.
   */
  #residual(values: Float64Array): void {
    this.#demean(values);
    const [mask, size] = [this.#mask, this.#size];
    let along = 0;
    let length = 0;
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] !== 1) continue;
      along += values[i]! * size[i]!;
      length += size[i]! * size[i]!;
    }
    // Every sector with one name only: size is spent already.
    if (!(length > 1e-9)) return;
    const slope = along / length;
    for (let i = 0; i < mask.length; i++) if (mask[i] === 1) values[i] = values[i]! - slope * size[i]!;
  }
}

/** Of two sides that have mean zero by construction. */
export function correlation(mask: Uint8Array, left: Float64Array, right: Float64Array): number {
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] !== 1) continue;
    const x = left[i]!;
    const y = right[i]!;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  // What rounding leaves of a constant side is no direction.
  if (!(xx > 1e-9 && yy > 1e-9)) return Number.NaN;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
