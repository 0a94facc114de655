// How every asset answers to every family: shrunk regressions on weekly returns, as known at the end of a week.
import type { Instant } from '../../kernel/instant.js';
import { FAMILY_COUNT, FAMILY_KEYS } from './catalogue/families.js';
import {
  MARKET_FUND,
  MARKET_MOVES,
  SECTORS,
  type SectorRow,
  sectorOfFund,
} from './catalogue/sector-priors.js';
import { type FamilyFactors, familyFactors } from './family-factors.js';
import type { IndexTimeline } from './index-timeline.js';
import { EXPOSURE } from './parameters.js';
import type { AssetRecord, PriceBook } from './price-book.js';
import { type Design, designOf, Regression } from './regression.js';
import { weekStep } from './sessions.js';

/** estimated: from the asset's own prices; prior: from its sector's past alone. */
export type ExposureBasis = 'estimated' | 'prior';

const BASIS_POINT = 1e-4;

function priorOf(moves: SectorRow['moves']): Float64Array {
  return Float64Array.from(FAMILY_KEYS, (family) => (moves[family] ?? 0) * BASIS_POINT);
}

const NO_PRIOR = new Float64Array(FAMILY_COUNT);
const MARKET_PRIOR = priorOf(MARKET_MOVES);
const SECTOR_PRIORS = new Map(SECTORS.map((row) => [row.sector, priorOf(row.moves)]));

/** Spread of betas between sectors, by family. */
const BETWEEN = Float64Array.from(FAMILY_KEYS, (family) => {
  const moves = SECTORS.flatMap((row) => row.moves[family] ?? []);
  if (moves.length === 0) return EXPOSURE.typicalSpread * BASIS_POINT;
  const mean = moves.reduce((sum, move) => sum + move, 0) / moves.length;
  return BASIS_POINT * Math.sqrt(moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / moves.length);
});

export interface AssetExposures {
  readonly basis: ExposureBasis;
  readonly sector: string | null;
  /** By place of the family, from -1 to 1: the answer to a rise of the family's factor. */
  readonly values: Float64Array;
  /** Share of the prior in each, 0 to 1. */
  readonly shrink: Float64Array;
}

const ALL_PRIOR = new Float64Array(FAMILY_COUNT).fill(1);

/** One week's exposures of all assets, in flat arrays of one row per asset. */
export class Exposures {
  readonly week: number;
  readonly factors: FamilyFactors;
  readonly #places = new Map<string, number>();
  readonly #estimated: Uint8Array;
  readonly #sectors: (string | null)[] = [];
  /** Coefficients, their variances and the share of the prior in what is used. */
  readonly #raw: Float64Array;
  readonly #variances: Float64Array;
  readonly #shrink: Float64Array;
  readonly #beta: Float64Array;
  readonly #exposure: Float64Array;
  readonly #scales = new Float64Array(FAMILY_COUNT);

  constructor(week: number, book: PriceBook, timelines: readonly (readonly IndexTimeline[])[]) {
    const knownBy = weekStep(week);
    const records = book.records().filter((record) => record.firstKnownAt <= knownBy);
    const size = records.length * FAMILY_COUNT;
    this.week = week;
    this.factors = familyFactors(timelines, week, knownBy);
    this.#estimated = new Uint8Array(records.length);
    this.#raw = new Float64Array(size).fill(Number.NaN);
    this.#variances = new Float64Array(size).fill(Number.NaN);
    this.#shrink = new Float64Array(size).fill(1);
    this.#beta = new Float64Array(size);
    this.#exposure = new Float64Array(size);
    this.#regress(records, book, knownBy);
    this.#shrinkToPriors(records, this.#spreadsWithin());
    this.#squash();
  }

  /** Place of the ticker in this week's rows, or -1. */
  place(ticker: string): number {
    return this.#places.get(ticker) ?? -1;
  }

  /** The exposures of an asset; one that came after the week's end has its sector's prior. */
  of(ticker: string, sector: string | null): AssetExposures {
    const place = this.place(ticker);
    const from = place * FAMILY_COUNT;
    if (place >= 0) {
      return {
        basis: this.#estimated[place] === 1 ? 'estimated' : 'prior',
        sector: this.#sectors[place] ?? null,
        values: this.#exposure.subarray(from, from + FAMILY_COUNT),
        shrink: this.#shrink.subarray(from, from + FAMILY_COUNT),
      };
    }
    const own = sector ?? sectorOfFund(ticker)?.sector ?? null;
    const prior = priorFor(own, ticker === MARKET_FUND);
    return {
      basis: 'prior',
      sector: own,
      values: prior.map((beta, family) => Math.tanh(beta / this.#scales[family]!)),
      shrink: ALL_PRIOR,
    };
  }

  /** Return per one standard deviation of the family's weekly move, after shrinking. */
  beta(place: number, family: number): number {
    return this.#beta[place * FAMILY_COUNT + family]!;
  }

  /** The coefficient before shrinking over its standard error; NaN where nothing was estimated. */
  t(place: number, family: number): number {
    const at = place * FAMILY_COUNT + family;
    return this.#raw[at]! / Math.sqrt(this.#variances[at]!);
  }

  /** Share of the prior in the beta, 0 to 1. */
  shrink(place: number, family: number): number {
    return this.#shrink[place * FAMILY_COUNT + family]!;
  }

  #regress(records: readonly AssetRecord[], book: PriceBook, knownBy: Instant): void {
    const { firstWeek, weeks } = this.factors;
    const lastWeek = firstWeek + weeks - 1;
    const market = marketReturns(book, firstWeek, lastWeek, knownBy);
    const designs = new Map<number, Design | null>();
    const regression = new Regression();
    const returns = new Float64Array(weeks);
    records.forEach((record, place) => {
      this.#places.set(record.ticker, place);
      this.#sectors.push(record.sector(knownBy) ?? sectorOfFund(record.ticker)?.sector ?? null);
      record.closes.returns(returns, firstWeek, lastWeek, knownBy);
      if (record.ticker !== MARKET_FUND) for (let r = 0; r < weeks; r += 1) returns[r]! -= market[r]!;
      const length = usableWeeks(returns);
      if (length === 0) return;
      let design = designs.get(length);
      if (design === undefined) {
        design = designOf(this.factors, length);
        designs.set(length, design);
      }
      if (design === null) return;
      const variance = regression.fit(design, returns, weeks - length);
      this.#estimated[place] = 1;
      for (let c = 0; c < design.families.length; c += 1) {
        const at = place * FAMILY_COUNT + design.families[c]!;
        this.#raw[at] = regression.coefficients[c + 1]!;
        this.#variances[at] = variance * design.variances[c + 1]!;
      }
    });
  }

  /** Variance of true betas inside each sector, by family: what is seen less what estimation alone would show. */
  #spreadsWithin(): Map<string, Float64Array> {
    const groups = new Map<string, number[]>([[EVERYTHING, []]]);
    this.#sectors.forEach((sector, place) => {
      if (this.#estimated[place] !== 1) return;
      groups.get(EVERYTHING)!.push(place);
      if (sector === null) return;
      const members = groups.get(sector);
      if (members) members.push(place);
      else groups.set(sector, [place]);
    });
    const spreads = new Map<string, Float64Array>();
    for (const [group, places] of groups) {
      if (group !== EVERYTHING && places.length < EXPOSURE.sectorMinimum) continue;
      spreads.set(
        group,
        Float64Array.from(FAMILY_KEYS, (_, family) => {
          const floor = (EXPOSURE.spreadFloor * BETWEEN[family]!) ** 2;
          return Math.max(floor, this.#trueVariance(places, family));
        }),
      );
    }
    return spreads;
  }

  #trueVariance(places: readonly number[], family: number): number {
    let count = 0;
    let sum = 0;
    let noise = 0;
    for (const place of places) {
      const raw = this.#raw[place * FAMILY_COUNT + family]!;
      if (Number.isNaN(raw)) continue;
      count += 1;
      sum += raw;
      noise += this.#variances[place * FAMILY_COUNT + family]!;
    }
    if (count < 2) return 0;
    const mean = sum / count;
    let squares = 0;
    for (const place of places) {
      const raw = this.#raw[place * FAMILY_COUNT + family]!;
      if (!Number.isNaN(raw)) squares += (raw - mean) ** 2;
    }
    return squares / (count - 1) - noise / count;
  }

  #shrinkToPriors(records: readonly AssetRecord[], spreads: ReadonlyMap<string, Float64Array>): void {
    const all = spreads.get(EVERYTHING)!;
    for (let place = 0; place < records.length; place += 1) {
      const isMarket = records[place]!.ticker === MARKET_FUND;
      const sector = this.#sectors[place] ?? null;
      const prior = priorFor(sector, isMarket);
      const within = spreads.get(sector ?? EVERYTHING) ?? all;
      for (let family = 0; family < FAMILY_COUNT; family += 1) {
        const at = place * FAMILY_COUNT + family;
        const raw = this.#raw[at]!;
        if (Number.isNaN(raw)) {
          this.#beta[at] = prior[family]!;
          continue;
        }
        // The market stands alone: its own prior is its yardstick.
        const spread = isMarket ? Math.max(within[family]!, (prior[family]! / 2) ** 2) : within[family]!;
        const variance = this.#variances[at]!;
        const share = variance / (variance + spread);
        this.#shrink[at] = share;
        this.#beta[at] = (1 - share) * raw + share * prior[family]!;
      }
    }
  }

  /** Betas over half their cross-section, squashed into -1 to 1; the sectors' own spread steadies a small cross-section. */
  #squash(): void {
    const count = this.#sectors.length;
    for (let family = 0; family < FAMILY_COUNT; family += 1) {
      let sum = 0;
      for (let place = 0; place < count; place += 1) sum += this.#beta[place * FAMILY_COUNT + family]!;
      const mean = count > 0 ? sum / count : 0;
      let squares = SECTORS.length * BETWEEN[family]! ** 2;
      for (let place = 0; place < count; place += 1) {
        squares += (this.#beta[place * FAMILY_COUNT + family]! - mean) ** 2;
      }
      const scale = EXPOSURE.tanhScale * Math.sqrt(squares / (count + SECTORS.length));
      this.#scales[family] = scale;
      for (let place = 0; place < count; place += 1) {
        const at = place * FAMILY_COUNT + family;
        this.#exposure[at] = Math.tanh(this.#beta[at]! / scale);
      }
    }
  }
}

const EVERYTHING = '';

/** Newest weeks of the sample, in whole buckets, in which nearly every return is known; 0 when too few. */
function usableWeeks(returns: Float64Array): number {
  const { bucketWeeks, minimumWeeks } = EXPOSURE;
  let known = 0;
  let usable = 0;
  for (let length = bucketWeeks; length <= returns.length; length += bucketWeeks) {
    const start = returns.length - length;
    for (let r = start; r < start + bucketWeeks; r += 1) if (!Number.isNaN(returns[r]!)) known += 1;
    if (length >= minimumWeeks && known >= 0.9 * length) usable = length;
  }
  return usable;
}

/** Weekly returns of the market fund; where it has none, the mean of all assets. */
export function marketReturns(book: PriceBook, first: number, last: number, knownBy: Instant): Float64Array {
  const weeks = last - first + 1;
  const market = new Float64Array(weeks).fill(Number.NaN);
  book.record(MARKET_FUND)?.closes.returns(market, first, last, knownBy);
  if (!market.some((value) => Number.isNaN(value))) return market;
  const own = new Float64Array(weeks);
  const sums = new Float64Array(weeks);
  const counts = new Float64Array(weeks);
  for (const record of book.records()) {
    record.closes.returns(own, first, last, knownBy);
    for (let r = 0; r < weeks; r += 1) {
      if (Number.isNaN(own[r]!)) continue;
      sums[r]! += own[r]!;
      counts[r]! += 1;
    }
  }
  return market.map((value, r) => (Number.isNaN(value) && counts[r]! > 0 ? sums[r]! / counts[r]! : value));
}

function priorFor(sector: string | null, isMarket: boolean): Float64Array {
  if (isMarket) return MARKET_PRIOR;
  return (sector === null ? undefined : SECTOR_PRIORS.get(sector)) ?? NO_PRIOR;
}
