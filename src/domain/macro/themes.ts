// Which narratives touch an asset: how its returns go with the funds that a narrative helps and hurts.
import type { Instant } from '../../kernel/instant.js';
import type { Wind } from './asset-score.js';
import { NARRATIVE_COUNT, NARRATIVES, type NarrativeRow } from './catalogue/narratives.js';
import { MARKET_FUND, sectorOfFund, sectorRow } from './catalogue/sector-priors.js';
import { marketReturns } from './exposures.js';
import { DECAY } from './family-factors.js';
import { type NarrativeReading, six } from './macro-frame.js';
import type { NarrativeState } from './narrative-machine.js';
import { EXPOSURE, THEME } from './parameters.js';
import type { AssetRecord, PriceBook } from './price-book.js';
import { weekStep } from './sessions.js';

export interface Theme {
  readonly slug: string;
  readonly name: string;
  /** Strength of the narrative, 0 to 100. */
  readonly score: number;
  readonly direction: Wind;
  /** Exposure × (score - 50) / 50, three decimals. */
  readonly impact: number;
  /** -1 to 1: with the funds it helps, or with those it hurts; turned where the narrative's phase is turned. */
  readonly exposure: number;
  readonly state: NarrativeState;
}

/** Weekly returns of every narrative's basket, those it helps less those it hurts, as known at the end of a week. */
export class NarrativeBaskets {
  readonly week: number;
  readonly #book: PriceBook;
  readonly #knownBy: Instant;
  readonly #market: Float64Array;
  readonly #sectors: ReadonlyMap<string, Float64Array>;
  readonly #baskets: readonly (WeighedReturns | null)[];
  /** By ticker, one per narrative: they hold for the week, while strengths change from frame to frame. */
  readonly #exposures = new Map<string, Float64Array>();

  constructor(week: number, book: PriceBook) {
    this.week = week;
    this.#book = book;
    this.#knownBy = weekStep(week);
    this.#market = marketReturns(book, week - EXPOSURE.weeks, week - 1, this.#knownBy);
    this.#sectors = this.#sectorReturns();
    this.#baskets = NARRATIVES.map((row) => this.#basket(row));
  }

  themes(record: AssetRecord, narratives: readonly NarrativeReading[]): Theme[] {
    const exposures = this.#exposuresOf(record);
    const found: Theme[] = [];
    narratives.forEach((narrative, n) => {
      if (narrative.score === null) return;
      const row = NARRATIVES[n]!;
      const exposure = six(exposures[n]! * narrative.phase);
      const impact = Math.round(((exposure * (narrative.score - 50)) / 50) * 1000) / 1000;
      if (Math.abs(impact) < THEME.minimumImpact) return;
      found.push({
        slug: row.slug,
        name: row.label,
        score: narrative.score,
        direction: directionOf(exposure),
        impact,
        exposure,
        state: narrative.state,
      });
    });
    // Narratives that are being told come first: a sleeping one mostly says what is absent.
    found.sort(
      (a, b) => Number(isAsleep(a)) - Number(isAsleep(b)) || Math.abs(b.impact) - Math.abs(a.impact),
    );
    return found.slice(0, THEME.most);
  }

  #exposuresOf(record: AssetRecord): Float64Array {
    let exposures = this.#exposures.get(record.ticker);
    if (!exposures) {
      const sector = record.sector(this.#knownBy) ?? sectorOfFund(record.ticker)?.sector ?? null;
      const returns = new WeighedReturns(this.#relative(record));
      exposures = new Float64Array(NARRATIVE_COUNT);
      for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
        const expected = priorOf(NARRATIVES[n]!, record.ticker, sector);
        const shrunk = shrunkTo(expected, correlation(returns, this.#baskets[n]!));
        exposures[n] = Math.tanh(shrunk / THEME.typicalCorrelation);
      }
      this.#exposures.set(record.ticker, exposures);
    }
    return exposures;
  }

  #relative(record: AssetRecord): Float64Array {
    const returns = this.#returns(record);
    // The market less itself would be nothing; it is taken as it is.
    if (record.ticker === MARKET_FUND) return returns;
    for (let r = 0; r < returns.length; r += 1) returns[r]! -= this.#market[r]!;
    return returns;
  }

  #returns(record: AssetRecord): Float64Array {
    const returns = new Float64Array(EXPOSURE.weeks);
    record.closes.returns(returns, this.week - EXPOSURE.weeks, this.week - 1, this.#knownBy);
    return returns;
  }

  #sectorReturns(): Map<string, Float64Array> {
    const sums = new Map<string, { sum: Float64Array; count: Float64Array }>();
    for (const record of this.#book.records()) {
      const sector = record.sector(this.#knownBy);
      if (sector === null) continue;
      const own = this.#returns(record);
      let held = sums.get(sector);
      if (!held) {
        held = { sum: new Float64Array(own.length), count: new Float64Array(own.length) };
        sums.set(sector, held);
      }
      for (let r = 0; r < own.length; r += 1) {
        if (Number.isNaN(own[r]!)) continue;
        held.sum[r]! += own[r]!;
        held.count[r]! += 1;
      }
    }
    return new Map(
      [...sums].map(([sector, { sum, count }]) => [sector, sum.map((value, r) => value / count[r]!)]),
    );
  }

  /** Returns of a fund; a sector fund without prices is stood in for by the mean of its sector's assets. */
  #fund(ticker: string): Float64Array | null {
    const record = this.#book.record(ticker);
    if (record) {
      const returns = this.#returns(record);
      if (returns.some((value) => !Number.isNaN(value))) return returns;
    }
    const sector = sectorOfFund(ticker)?.sector;
    return (sector && this.#sectors.get(sector)) || null;
  }

  #side(funds: readonly string[]): Float64Array | null {
    const known = funds.flatMap((fund) => this.#fund(fund) ?? []);
    if (known.length === 0) return null;
    return known[0]!.map((_, r) => known.reduce((sum, returns) => sum + returns[r]!, 0) / known.length);
  }

  #basket({ benefits, hurt }: NarrativeRow): WeighedReturns | null {
    const helped = this.#side(benefits.funds);
    const harmed = this.#side(hurt.funds);
    if (helped === null && harmed === null) return null;
    // A basket with one side only is measured against the market.
    return new WeighedReturns(
      this.#market.map((market, r) => (helped?.[r] ?? market) - (harmed?.[r] ?? market)),
    );
  }
}

export function directionOf(exposure: number): Wind {
  return exposure > 0 ? 'tailwind' : exposure < 0 ? 'headwind' : 'neutral';
}

function isAsleep({ state }: Theme): boolean {
  return state === 'Dormant' || state === 'Warming';
}

/** What the catalogue expects: the asset itself, or the fund of its sector, among those helped or hurt. */
function priorOf({ benefits, hurt }: NarrativeRow, ticker: string, sector: string | null): number {
  const fund = sector === null ? undefined : sectorRow(sector)?.fund;
  const isIn = (funds: readonly string[]): boolean =>
    funds.includes(ticker) || (fund !== undefined && funds.includes(fund));
  return THEME.priorCorrelation * (Number(isIn(benefits.funds)) - Number(isIn(hurt.funds)));
}

interface Correlated {
  readonly r: number;
  readonly variance: number;
}

/** Sums that every correlation of complete returns shares. */
const WEIGHT = DECAY.reduce((sum, weight) => sum + weight, 0);
const SQUARES = DECAY.reduce((sum, weight) => sum + weight * weight, 0);

/** Returns with their weights multiplied in once: five thousand assets meet 33 baskets. */
class WeighedReturns {
  readonly returns: Float64Array;
  readonly weighed: Float64Array;
  /** Weighted sum of squares; NaN where a week is missing. */
  readonly size: number;

  constructor(returns: Float64Array) {
    this.returns = returns;
    this.weighed = returns.map((value, r) => DECAY[r]! * value);
    let size = 0;
    for (let r = 0; r < returns.length; r += 1) size += this.weighed[r]! * returns[r]!;
    this.size = size;
  }
}

function correlation(asset: WeighedReturns, basket: WeighedReturns | null): Correlated | null {
  if (basket === null) return null;
  if (Number.isNaN(asset.size) || Number.isNaN(basket.size)) return gapped(asset.returns, basket.returns);
  if (!(asset.size > 0) || !(basket.size > 0)) return null;
  const r = dot(asset.returns, basket.weighed) / Math.sqrt(asset.size * basket.size);
  return { r, variance: ((1 - r * r) * SQUARES) / (WEIGHT * WEIGHT) };
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let r = 0; r < x.length; r += 1) sum += x[r]! * y[r]!;
  return sum;
}

/** The same over the weeks that both have. */
function gapped(x: Float64Array, y: Float64Array): Correlated | null {
  let weight = 0;
  let squares = 0;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  let known = 0;
  for (let r = 0; r < x.length; r += 1) {
    const product = x[r]! * y[r]!;
    if (Number.isNaN(product)) continue;
    known += 1;
    weight += DECAY[r]!;
    squares += DECAY[r]! * DECAY[r]!;
    xy += DECAY[r]! * product;
    xx += DECAY[r]! * x[r]! * x[r]!;
    yy += DECAY[r]! * y[r]! * y[r]!;
  }
  if (known < EXPOSURE.minimumWeeks || !(xx > 0) || !(yy > 0)) return null;
  const r = xy / Math.sqrt(xx * yy);
  return { r, variance: ((1 - r * r) * squares) / (weight * weight) };
}

function shrunkTo(prior: number, measured: Correlated | null): number {
  if (measured === null) return prior;
  const share = measured.variance / (measured.variance + THEME.spread ** 2);
  return (1 - share) * measured.r + share * prior;
}
