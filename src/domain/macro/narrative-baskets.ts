// What each narrative moves in the market, its basket of funds, and how far every asset goes with it.
import type { Instant } from '../../kernel/instant.js';
import { BasketCorrelations } from './basket-correlations.js';
import { NARRATIVE_COUNT, NARRATIVES, type NarrativeRow } from './catalogue/narratives.js';
import { MARKET_FUND, sectorOfFund } from './catalogue/sector-priors.js';
import { marketReturns } from './exposures.js';
import { narrativePriors } from './narrative-priors.js';
import { NumberColumn } from './number-column.js';
import { EXPOSURE, THEME } from './parameters.js';
import type { AssetRecord, PriceBook } from './price-book.js';
import { weekStep } from './sessions.js';

const SPREAD = THEME.spread ** 2;

/** Weekly returns of every narrative's basket, those it helps less those it hurts, as known at the end of a week. */
export class NarrativeBaskets {
  readonly week: number;
  readonly #book: PriceBook;
  readonly #knownBy: Instant;
  readonly #market: Float64Array;
  readonly #measured: BasketCorrelations;
  /** Room for the returns of the asset that is being measured. */
  readonly #own = new Float64Array(EXPOSURE.weeks);
  #sectors: ReadonlyMap<string, Float64Array> | null = null;
  /** One row per asset, one number per narrative: they hold for the week, while strengths change from frame to frame. */
  readonly #exposures: NumberColumn<Float64Array>;
  readonly #rows = new Map<string, number>();

  constructor(week: number, book: PriceBook) {
    this.week = week;
    this.#book = book;
    this.#knownBy = weekStep(week);
    this.#market = marketReturns(book, week - EXPOSURE.weeks, week - 1, this.#knownBy);
    this.#exposures = new NumberColumn(Float64Array, NARRATIVE_COUNT * (1 + book.records().length));
    this.#measured = new BasketCorrelations(NARRATIVES.map((row) => this.#basket(row)));
  }

  /** By place of the narrative, -1 to 1: with the funds it helps, or with those it hurts. */
  exposures(record: AssetRecord): Float64Array {
    let row = this.#rows.get(record.ticker);
    if (row === undefined) {
      row = this.#exposures.length;
      this.#measure(record);
      this.#rows.set(record.ticker, row);
    }
    return this.#exposures.values.subarray(row, row + NARRATIVE_COUNT);
  }

  #measure(record: AssetRecord): void {
    const sector = record.sector(this.#knownBy) ?? sectorOfFund(record.ticker)?.sector ?? null;
    const priors = narrativePriors(record.ticker, sector);
    const own = this.#own;
    this.#returns(own, record);
    // The market less itself would be nothing; it is taken as it is.
    if (record.ticker !== MARKET_FUND) for (let r = 0; r < own.length; r += 1) own[r]! -= this.#market[r]!;
    this.#measured.measure(own);
    const { correlations, variances } = this.#measured;
    for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
      const shrunk = shrunkTo(priors[n]!, correlations[n]!, variances[n]!);
      this.#exposures.push(Math.tanh(shrunk / THEME.typicalCorrelation));
    }
  }

  #returns(into: Float64Array, record: AssetRecord): void {
    record.closes.returns(into, this.week - EXPOSURE.weeks, this.week - 1, this.#knownBy);
  }

  /** Returns of a fund; a sector fund without prices is stood in for by the mean of its sector's assets. */
  #fund(ticker: string): Float64Array | null {
    const record = this.#book.record(ticker);
    if (record) {
      const returns = new Float64Array(EXPOSURE.weeks);
      this.#returns(returns, record);
      if (returns.some((value) => !Number.isNaN(value))) return returns;
    }
    const sector = sectorOfFund(ticker)?.sector;
    if (!sector) return null;
    this.#sectors ??= this.#sectorReturns();
    return this.#sectors.get(sector) ?? null;
  }

  #sectorReturns(): Map<string, Float64Array> {
    const sums = new Map<string, { sum: Float64Array; count: Float64Array }>();
    const own = this.#own;
    for (const record of this.#book.records()) {
      const sector = record.sector(this.#knownBy);
      if (sector === null) continue;
      this.#returns(own, record);
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

  #side(funds: readonly string[]): Float64Array | null {
    const known = funds.flatMap((fund) => this.#fund(fund) ?? []);
    if (known.length === 0) return null;
    const mean = new Float64Array(EXPOSURE.weeks);
    for (const returns of known) for (let r = 0; r < mean.length; r += 1) mean[r]! += returns[r]!;
    for (let r = 0; r < mean.length; r += 1) mean[r]! /= known.length;
    return mean;
  }

  #basket({ benefits, hurt }: NarrativeRow): Float64Array | null {
    const helped = this.#side(benefits.funds);
    const harmed = this.#side(hurt.funds);
    if (helped === null && harmed === null) return null;
    // A basket with one side only is measured against the market.
    const market = this.#market;
    return market.map((_, r) => (helped ?? market)[r]! - (harmed ?? market)[r]!);
  }
}

/** The prior alone where nothing was measured. */
function shrunkTo(prior: number, correlation: number, variance: number): number {
  if (Number.isNaN(correlation)) return prior;
  const share = variance / (variance + SPREAD);
  return (1 - share) * correlation + share * prior;
}
