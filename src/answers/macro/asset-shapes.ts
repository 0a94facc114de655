// Builds the wire shapes of scores, drivers and themes.
import type { AssetScoreRow } from '../../contracts/macro/asset-score.js';
import type { AssetThemes } from '../../contracts/macro/narratives.js';
import type { Driver } from '../../domain/macro/asset-score.js';
import type { AssetScore } from '../../domain/macro/asset-scorer.js';
import type { Theme } from '../../domain/macro/themes.js';
import type { Answering } from './editions.js';
import { provenanceOf } from './provenance.js';

export function driverShape(driver: Driver): AssetScoreRow['top_drivers'][number] {
  return {
    index_symbol: driver.symbol,
    index_name: driver.name,
    wind: driver.wind,
    z_score: driver.z,
    weight: driver.weight,
    family: driver.family,
    exposure: driver.exposure,
    contribution: driver.contribution,
  };
}

/** `drivers`: all of them where they were asked for, null where they cannot be told. */
export function scoreShape(
  score: AssetScore,
  answering: Answering,
  drivers?: readonly Driver[] | null,
): AssetScoreRow {
  const { as_of, freshness, contract_version, ...rest } = provenanceOf(answering);
  return {
    ticker: score.ticker,
    name: score.name,
    sector: score.sector,
    state: score.score === null ? 'insufficient' : 'scored',
    schema_score: score.score,
    band: score.band,
    regime_label: score.regimeLabel,
    confidence: score.confidence,
    entry_value: score.entryValue,
    freshness,
    as_of,
    top_drivers: score.topDrivers.map(driverShape),
    ...(drivers === undefined ? {} : { drivers: drivers === null ? null : drivers.map(driverShape) }),
    basis: score.basis,
    against: score.against,
    structure_sum: score.structure,
    coverage: score.coverage,
    ...rest,
    contract_version,
  };
}

export function themeShape(theme: Theme): AssetThemes['related_themes'][number] {
  const { slug, name, score, direction, impact, exposure, state } = theme;
  return { slug, name, score, direction, impact, exposure, state };
}
