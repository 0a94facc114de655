// Scores assets in a frame: exposures of the week, drivers, confidence, and the value at which the regime was entered.
import type { Instant } from '../../kernel/instant.js';
import {
  bandOf,
  confidenceOf,
  type Driver,
  driversOf,
  type ScoreBand,
  type Structure,
  scoreOf,
  structureOf,
} from './asset-score.js';
import { INDEX_COUNT, INDEXES } from './catalogue/indexes.js';
import { MARKET_FUND } from './catalogue/sector-priors.js';
import { type Conditions, conditionsAt } from './conditions.js';
import type { DailyPath } from './daily-path.js';
import { type AssetExposures, type ExposureBasis, Exposures } from './exposures.js';
import type { FamilyFactors } from './family-factors.js';
import type { IndexTimeline } from './index-timeline.js';
import { type Freshness, type MacroFrame, six } from './macro-frame.js';
import { NarrativeBaskets } from './narrative-baskets.js';
import { SCORE } from './parameters.js';
import type { AssetRecord, PriceBook } from './price-book.js';
import type { RegimeLabel } from './regime.js';
import { lastStepBy, lastWeekBy, stepOf } from './sessions.js';
import { strongest } from './strongest.js';
import { type Theme, themesOf } from './themes.js';

const KEPT_WEEKS = 6;

export interface AssetScore {
  readonly ticker: string;
  readonly name: string | null;
  readonly sector: string | null;
  /** Null when the asset has neither prices nor a sector, or no index that it answers to counts. */
  readonly score: number | null;
  readonly band: ScoreBand | null;
  readonly regimeLabel: RegimeLabel;
  readonly confidence: number;
  /** The score when the present regime began for this asset. */
  readonly entryValue: number | null;
  readonly freshness: Freshness;
  readonly at: Instant;
  readonly basis: ExposureBasis;
  /** What the exposures are measured against: the market itself is absolute. */
  readonly against: 'market' | 'absolute';
  readonly structure: number | null;
  readonly coverage: number;
  readonly topDrivers: readonly Driver[];
}

export interface SectorScore {
  readonly score: number | null;
  readonly topDriver: string | null;
}

interface Weighed {
  readonly structure: Structure | null;
  readonly exposures: AssetExposures;
  readonly factors: FamilyFactors;
}

export class AssetScorer {
  readonly #book: PriceBook;
  readonly #timelines: readonly (readonly IndexTimeline[])[];
  readonly #path: DailyPath;
  readonly #exposures = new Map<number, Exposures>();
  readonly #baskets = new Map<number, NarrativeBaskets>();
  readonly #entries = new Map<string, { readonly at: Instant; readonly score: number | null }>();
  #entryConditions: Conditions | null = null;

  constructor(book: PriceBook, timelines: readonly (readonly IndexTimeline[])[], path: DailyPath) {
    this.#book = book;
    this.#timelines = timelines;
    this.#path = path;
  }

  /** Forgets what was computed: facts have come in that were known before. */
  restart(): void {
    this.#exposures.clear();
    this.#baskets.clear();
    this.#entries.clear();
    this.#entryConditions = null;
  }

  exposures(week: number): Exposures {
    return recall(this.#exposures, week, () => new Exposures(week, this.#book, this.#timelines));
  }

  score(frame: MacroFrame, conditions: Conditions, record: AssetRecord): AssetScore {
    const { structure, exposures, factors } = this.#weigh(conditions, record);
    const scored = isScored(structure);
    const score = scored ? scoreOf(structure.sum) : null;
    return {
      ticker: record.ticker,
      name: record.as(frame.at)?.name ?? null,
      sector: exposures.sector,
      score,
      band: score === null ? null : bandOf(score),
      regimeLabel: frame.regime.label,
      confidence: scored ? confidenceOf(structure, factors, exposures) : 0,
      entryValue: this.#entry(frame.at, record),
      freshness: frame.freshness,
      at: frame.at,
      basis: exposures.basis,
      against: record.ticker === MARKET_FUND ? 'absolute' : 'market',
      structure: scored ? structure.sum : null,
      coverage: scored ? six(structure.coverage) : 0,
      topDrivers: scored
        ? driversOf(conditions, structure, strongest(structure.contributions, SCORE.drivers))
        : [],
    };
  }

  /** Every driver, the strongest first. */
  drivers(conditions: Conditions, record: AssetRecord): Driver[] {
    const { structure } = this.#weigh(conditions, record);
    return structure ? driversOf(conditions, structure, strongest(structure.contributions, INDEX_COUNT)) : [];
  }

  /** A sector as its fund would score, by the fund's prices or by the sector's past alone. */
  sector(conditions: Conditions, fund: string, sector: string): SectorScore {
    const week = this.exposures(lastWeekBy(conditions.at));
    const structure = structureOf(conditions, week.factors, week.of(fund, sector));
    if (!isScored(structure)) return { score: null, topDriver: null };
    const top = strongest(structure.contributions, 1)[0];
    return { score: scoreOf(structure.sum), topDriver: top === undefined ? null : INDEXES[top]!.symbol };
  }

  themes(frame: MacroFrame, record: AssetRecord): Theme[] {
    const week = lastWeekBy(frame.at);
    const baskets = recall(this.#baskets, week, () => new NarrativeBaskets(week, this.#book));
    return themesOf(baskets.exposures(record), frame.narratives);
  }

  #weigh(conditions: Conditions, record: AssetRecord): Weighed {
    const week = this.exposures(lastWeekBy(conditions.at));
    const { factors } = week;
    const exposures = week.of(record.ticker, record.sector(conditions.at));
    return { structure: structureOf(conditions, factors, exposures), exposures, factors };
  }

  /** The score on the day the regime began, or on the first day on which the asset was known, if that is later. */
  #entry(frameAt: Instant, record: AssetRecord): number | null {
    const since = this.#path.labelSince(frameAt);
    if (since < 0) return null;
    const began = stepOf(since);
    const at = record.firstKnownAt <= began ? began : stepOf(lastStepBy(record.firstKnownAt - 1) + 1);
    if (at > frameAt) return null;
    const held = this.#entries.get(record.ticker);
    if (held?.at === at) return held.score;
    if (this.#entryConditions?.at !== at) this.#entryConditions = conditionsAt(this.#timelines, at);
    const { structure } = this.#weigh(this.#entryConditions, record);
    const score = isScored(structure) ? scoreOf(structure.sum) : null;
    this.#entries.set(record.ticker, { at, score });
    return score;
  }
}

function isScored(structure: Structure | null): structure is Structure {
  return structure !== null && structure.coverage > 0;
}

/** The kept result of a week, or a new one in place of the oldest. */
export function recall<T>(kept: Map<number, T>, week: number, make: () => T): T {
  const found = kept.get(week);
  if (found !== undefined) return found;
  const made = make();
  kept.set(week, made);
  if (kept.size > KEPT_WEEKS) {
    for (const oldest of kept.keys()) {
      kept.delete(oldest);
      break;
    }
  }
  return made;
}
