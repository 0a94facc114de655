// Builds the wire shapes of gauges, the regime, indexes and narratives from a frame.
import type { GaugeList, Regime } from '../../contracts/macro/gauges.js';
import type { IndexList } from '../../contracts/macro/indexes.js';
import type { NarrativeGraph } from '../../contracts/macro/narratives.js';
import { INDEXES } from '../../domain/macro/catalogue/indexes.js';
import { NARRATIVES } from '../../domain/macro/catalogue/narratives.js';
import type {
  GaugeReading,
  IndexReading,
  NarrativeReading,
  RegimeReading,
} from '../../domain/macro/macro-frame.js';
import { formatInstant } from '../../kernel/instant.js';
import type { Answering } from './editions.js';
import { freshnessOf, instantText } from './provenance.js';

type Gauge = GaugeList['gauges'][number];
type IndexItem = IndexList[number];

export function gaugeShape(gauge: GaugeReading): Gauge {
  return {
    gauge_key: gauge.key as Gauge['gauge_key'],
    label: gauge.label,
    value: gauge.value,
    signal: gauge.signal,
    z: gauge.z,
    weight: gauge.weight,
    change_1w: gauge.change1w,
    change_4w: gauge.change4w,
    drivers: [...gauge.drivers],
    n_live: gauge.live,
    n_total: gauge.total,
    oldest_age_h: gauge.oldestAgeHours,
  };
}

export function gaugeLine({ key, value, signal, change1w }: GaugeReading) {
  return { gauge_key: key as Gauge['gauge_key'], value, signal, change_1w: change1w };
}

export function regimeShape(regime: RegimeReading): Regime {
  return {
    regime_label: regime.label,
    since: regime.since,
    days_in_regime: regime.sessions,
    axes: { ...regime.axes },
    probabilities: regime.probabilities === null ? null : { ...regime.probabilities },
    cross_check: regime.check === null ? null : { quadrant: regime.check, agrees: regime.agrees },
  };
}

/** Where third-party rights cover a series its value stays here, and its score stands in for it. */
export function isWithheld({ licence }: Pick<IndexReading, 'licence'>): boolean {
  return licence === '3P';
}

export function shownValue(reading: Pick<IndexReading, 'licence' | 'value' | 'z'>) {
  const withheld = isWithheld(reading);
  return {
    current_value: withheld ? reading.z : reading.value,
    value_basis: withheld ? ('z_score' as const) : ('value' as const),
  };
}

/** A place in the catalogue is a place in the frame. */
export function indexShape(reading: IndexReading, place: number, answering: Answering): IndexItem {
  const row = INDEXES[place]!;
  const freshness = freshnessOf(answering);
  const isOwn = reading.status === 'unavailable' || (freshness !== 'fixture' && freshness !== 'replay');
  return {
    symbol: reading.symbol,
    name: row.name,
    ...shownValue(reading),
    family: row.family,
    unit: row.unit,
    status: reading.status,
    z_score: reading.z,
    wind: reading.wind,
    change_1w: reading.change1w,
    observed_on: reading.observedOn,
    released_at: instantText(reading.releasedAt),
    known_at: instantText(reading.knownAt),
    next_release_at: instantText(reading.nextReleaseAt),
    as_of: formatInstant(answering.asOf ?? answering.held.at),
    freshness: isOwn ? reading.status : freshness,
    licence: reading.licence,
    vintage: reading.vintage,
    fallback: reading.isFallback,
  };
}

export function narrativeShape(
  reading: NarrativeReading,
  place: number,
  zOf: ReadonlyMap<string, number | null>,
): NarrativeGraph['items'][number] {
  const row = NARRATIVES[place]!;
  const drivers = (symbols: readonly string[], direction: 1 | -1) =>
    symbols.map((symbol) => ({ index_symbol: symbol, direction, z_score: zOf.get(symbol) ?? null }));
  return {
    slug: reading.slug,
    label: reading.label,
    state: reading.state,
    momentum_1w: reading.momentum1w,
    since: reading.since,
    score: reading.score,
    z: reading.z,
    attention_z: reading.attentionZ,
    driver_z: reading.driverZ,
    phase: reading.phase,
    confidence: reading.confidence,
    drivers: [...drivers(row.rising, 1), ...drivers(row.falling, -1)],
    attention_terms: [...row.terms],
    related_themes: [...row.themes],
  };
}
