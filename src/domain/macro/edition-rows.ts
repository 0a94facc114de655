// Scores and themes as rows of plain numbers: compact to keep for good, and what one score is proven by.
import { bandOf, type Driver, type Wind, windOf } from './asset-score.js';
import type { AssetScore } from './asset-scorer.js';
import { INDEXES, indexPlace } from './catalogue/indexes.js';
import { MARKET_FUND } from './catalogue/sector-priors.js';
import type { MacroFrame } from './macro-frame.js';
import { directionOf, type Theme } from './themes.js';

/** What the members of a score's row are, in their order. Structure and contributions are in millionths. */
export const SCORE_COLUMNS = [
  'ticker',
  'name',
  'sector',
  'schema_score',
  'confidence',
  'entry_value',
  'estimated',
  'structure_millionths',
  'coverage',
  'drivers',
] as const;

/** Place of the index in the frame, weight and exposure in ten-thousandths, contribution in millionths. */
export type DriverRow = readonly [index: number, weight: number, exposure: number, contribution: number];

export type ScoreRow = readonly [
  ticker: string,
  name: string | null,
  sector: string | null,
  score: number | null,
  confidence: number,
  entryValue: number | null,
  estimated: 0 | 1,
  structure: number | null,
  coverage: number,
  drivers: readonly DriverRow[],
];

/** Place of the narrative in the frame, exposure, impact. */
export type ThemeRow = readonly [narrative: number, exposure: number, impact: number];

/** What every driver of an index has in common: name, family, z; kept once. */
export type IndexRow = readonly [name: string, family: string, z: number | null];

const SHARES = 1e4;
const MILLION = 1e6;

export function scoreRow(score: AssetScore): ScoreRow {
  return [
    score.ticker,
    score.name,
    score.sector,
    score.score,
    score.confidence,
    score.entryValue,
    score.basis === 'estimated' ? 1 : 0,
    score.structure === null ? null : Math.round(score.structure * MILLION),
    score.coverage,
    score.topDrivers.map(({ symbol, weight, exposure, contribution }) => [
      indexPlace(symbol),
      Math.round(weight * SHARES),
      Math.round(exposure * SHARES),
      Math.round(contribution * MILLION),
    ]),
  ];
}

export function indexRows(scores: readonly AssetScore[]): IndexRow[] {
  const z = new Map<string, number>();
  for (const { topDrivers } of scores) for (const driver of topDrivers) z.set(driver.symbol, driver.z);
  return INDEXES.map(({ symbol, name, family }) => [name, family, z.get(symbol) ?? null]);
}

export function scoreOfRow(row: ScoreRow, frame: MacroFrame, indexes: readonly IndexRow[]): AssetScore {
  const [ticker, name, sector, score, confidence, entryValue, estimated, structure, coverage, drivers] = row;
  return {
    ticker,
    name,
    sector,
    score,
    band: score === null ? null : bandOf(score),
    regimeLabel: frame.regime.label,
    confidence,
    entryValue,
    freshness: frame.freshness,
    at: frame.at,
    basis: estimated === 1 ? 'estimated' : 'prior',
    against: ticker === MARKET_FUND ? 'absolute' : 'market',
    structure: structure === null ? null : structure / MILLION,
    coverage,
    topDrivers: drivers.map((driver) => driverOfRow(driver, frame, indexes)),
  };
}

function driverOfRow(
  [place, shares, exposure, millionths]: DriverRow,
  frame: MacroFrame,
  indexes: readonly IndexRow[],
): Driver {
  const [name, family, z] = indexes[place]!;
  const weight = shares / SHARES;
  const contribution = millionths / MILLION;
  const wind: Wind = windOf(weight, contribution);
  return {
    symbol: frame.indexes[place]!.symbol,
    name,
    family,
    wind,
    z: z ?? 0,
    weight,
    exposure: exposure / SHARES,
    contribution,
  };
}

/** `places`: of the narratives in the frame, by slug. */
export function themeRow({ slug, exposure, impact }: Theme, places: ReadonlyMap<string, number>): ThemeRow {
  return [places.get(slug)!, exposure, impact];
}

export function themeOfRow([place, exposure, impact]: ThemeRow, frame: MacroFrame): Theme {
  const { slug, label, score, state } = frame.narratives[place]!;
  return { slug, name: label, score: score!, direction: directionOf(exposure), impact, exposure, state };
}
