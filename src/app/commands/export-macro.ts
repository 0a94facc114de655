// The macro editions as tables: scores, gauges, indexes, regimes and narratives as stated, and the series under them.
import type { Stated } from '../../domain/facts/statement.js';
import { type MacroEdition, readMacroEdition } from '../../domain/macro/edition.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Column } from '../../surfaces/files/write-parquet.js';
import type { TableRow } from '../../surfaces/files/write-rows.js';
import type { Table } from './export-table.js';

const STATED_PER_READ = 200;

const text = (name: string): Column => ({ name, type: 'string' });
const maybe = (name: string, type: Column['type'] = 'double'): Column => ({ name, type, nullable: true });

async function* editions(
  archive: ArchiveReader,
  from: Instant,
  to: Instant,
): AsyncGenerator<{ stated: Stated; edition: MacroEdition }> {
  for (let afterIndex = -1; ; ) {
    const query = {
      kind: 'macro_frame',
      knownBy: LATEST,
      from,
      to,
      afterIndex,
      limit: STATED_PER_READ,
    } as const;
    const page = await archive.statements(query);
    for (const stated of page) {
      const attachment = await archive.attachment(stated.index);
      if (attachment !== null) yield { stated, edition: readMacroEdition(stated, attachment) };
    }
    if (page.length < STATED_PER_READ) return;
    afterIndex = page.at(-1)!.index;
  }
}

/** A table with some rows per edition, each with the edition's own columns around it. */
function editionTable(
  about: string,
  columns: readonly Column[],
  rowsOf: (edition: MacroEdition) => Iterable<TableRow>,
): Table {
  return {
    about,
    columns: [text('as_of'), text('known_at'), ...columns, text('edition_sha256')],
    async *rows(archive, from, to) {
      for await (const { stated, edition } of editions(archive, from, to)) {
        const around = {
          as_of: formatInstant(stated.at),
          known_at: formatInstant(stated.knownAt),
          edition_sha256: stated.body['fingerprint'] as string,
        };
        for (const row of rowsOf(edition)) yield { ...around, ...row };
      }
    },
  };
}

export const MACRO_TABLES: Readonly<
  Record<'scores' | 'gauges' | 'indices' | 'regimes' | 'narratives' | 'series', Table>
> = {
  scores: editionTable(
    'one row per asset and stated macro edition, its drivers as JSON text',
    [
      text('ticker'),
      maybe('sector', 'string'),
      text('state'),
      maybe('schema_score', 'int32'),
      maybe('band', 'string'),
      text('regime_label'),
      { name: 'confidence', type: 'int32' },
      maybe('entry_value', 'int32'),
      text('basis'),
      maybe('structure_sum'),
      { name: 'coverage', type: 'double' },
      text('freshness'),
      text('top_drivers'),
    ],
    function* ({ scores }) {
      for (const score of scores) {
        yield {
          ticker: score.ticker,
          sector: score.sector,
          state: score.score === null ? 'insufficient' : 'scored',
          schema_score: score.score,
          band: score.band,
          regime_label: score.regimeLabel,
          confidence: score.confidence,
          entry_value: score.entryValue,
          basis: score.basis,
          structure_sum: score.structure,
          coverage: score.coverage,
          freshness: score.freshness,
          top_drivers: JSON.stringify(
            score.topDrivers.map(({ symbol, wind, z, weight, exposure, contribution }) => ({
              index_symbol: symbol,
              wind,
              z_score: z,
              weight,
              exposure,
              contribution,
            })),
          ),
        };
      }
    },
  ),
  gauges: editionTable(
    'one row per gauge and stated macro edition',
    [
      text('gauge'),
      maybe('value'),
      text('signal'),
      maybe('z'),
      maybe('change_1w'),
      maybe('change_4w'),
      { name: 'live', type: 'int32' },
      { name: 'total', type: 'int32' },
      maybe('weight'),
      text('drivers'),
    ],
    function* ({ frame }) {
      for (const gauge of frame.gauges) {
        yield {
          gauge: gauge.key,
          value: gauge.value,
          signal: gauge.signal,
          z: gauge.z,
          change_1w: gauge.change1w,
          change_4w: gauge.change4w,
          live: gauge.live,
          total: gauge.total,
          weight: gauge.weight,
          drivers: gauge.drivers.join(' '),
        };
      }
    },
  ),
  indices: editionTable(
    'one row per index and stated macro edition; the licence says whether the value may be passed on',
    [
      text('index_symbol'),
      text('status'),
      text('licence'),
      maybe('value'),
      maybe('transformed'),
      maybe('z_score'),
      maybe('wind', 'string'),
      maybe('percentile'),
      maybe('change_1w'),
      maybe('observed_on', 'string'),
      maybe('released_at', 'string'),
      maybe('index_known_at', 'string'),
      { name: 'weight', type: 'double' },
      maybe('vintage', 'string'),
      { name: 'observations', type: 'int32' },
    ],
    function* ({ frame }) {
      for (const index of frame.indexes) {
        yield {
          index_symbol: index.symbol,
          status: index.status,
          licence: index.licence,
          value: index.value,
          transformed: index.transformed,
          z_score: index.z,
          wind: index.wind,
          percentile: index.percentile,
          change_1w: index.change1w,
          observed_on: index.observedOn,
          released_at: instantText(index.releasedAt),
          index_known_at: instantText(index.knownAt),
          weight: index.weight,
          vintage: index.vintage,
          observations: index.observations,
        };
      }
    },
  ),
  regimes: editionTable(
    'one row per stated macro edition: regime, axes and probabilities',
    [
      text('regime_label'),
      maybe('since', 'string'),
      { name: 'sessions', type: 'int32' },
      maybe('growth'),
      maybe('inflation'),
      maybe('liquidity'),
      maybe('stress'),
      maybe('p_goldilocks'),
      maybe('p_reflation'),
      maybe('p_stagflation'),
      maybe('p_contraction'),
      maybe('p_stress'),
      maybe('check', 'string'),
      maybe('market_score'),
      { name: 'coverage', type: 'double' },
      text('freshness'),
    ],
    function* ({ frame }) {
      const { regime, marketScore, coverage, freshness } = frame;
      const p = regime.probabilities;
      yield {
        regime_label: regime.label,
        since: regime.since,
        sessions: regime.sessions,
        ...regime.axes,
        p_goldilocks: p?.Goldilocks ?? null,
        p_reflation: p?.Reflation ?? null,
        p_stagflation: p?.Stagflation ?? null,
        p_contraction: p?.Contraction ?? null,
        p_stress: p?.Stress ?? null,
        check: regime.check,
        market_score: marketScore,
        coverage: coverage.share,
        freshness,
      };
    },
  ),
  narratives: editionTable(
    'one row per narrative and stated macro edition',
    [
      text('slug'),
      text('state'),
      maybe('since', 'string'),
      maybe('score'),
      maybe('z'),
      maybe('momentum_1w'),
      maybe('attention_z'),
      maybe('driver_z'),
      { name: 'phase', type: 'int32' },
      { name: 'confidence', type: 'int32' },
    ],
    function* ({ frame }) {
      for (const narrative of frame.narratives) {
        yield {
          slug: narrative.slug,
          state: narrative.state,
          since: narrative.since,
          score: narrative.score,
          z: narrative.z,
          momentum_1w: narrative.momentum1w,
          attention_z: narrative.attentionZ,
          driver_z: narrative.driverZ,
          phase: narrative.phase,
          confidence: narrative.confidence,
        };
      }
    },
  ),
  series: {
    about: 'one row per value of a series, with every revision, by when it became known',
    columns: [
      text('series'),
      text('date'),
      { name: 'value', type: 'double' },
      text('known_at'),
      text('source'),
      { name: 'backfilled', type: 'boolean' },
      { name: 'sequence', type: 'int64' },
    ],
    async *rows(archive, from, to) {
      for await (const facts of archive.facts('series', { after: from - 1, knownBy: to })) {
        for (const { body, knownAt, source, backfilled, sequence } of facts) {
          const { series, date, value } = body;
          yield { series, date, value, known_at: formatInstant(knownAt), source, backfilled, sequence };
        }
      }
    },
  },
};

function instantText(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
