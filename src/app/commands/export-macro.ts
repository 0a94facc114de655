// The macro editions as tables: scores, gauges, indexes, regimes and narratives as stated, and the series under them.
import { driverShape } from '../../answers/macro/asset-shapes.js';
import type { Stated } from '../../domain/facts/statement.js';
import { sumOfDrivers } from '../../domain/macro/asset-score.js';
import type { AssetScore } from '../../domain/macro/asset-scorer.js';
import { type MacroEdition, readMacroEdition } from '../../domain/macro/edition.js';
import { recallMacro } from '../../domain/macro/recall.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { type ColumnOf, type Table, tableOf } from './export-table.js';

const STATED_PER_READ = 200;

async function* editions(
  archive: ArchiveReader,
  from: Instant,
  to: Instant,
): AsyncGenerator<{ stated: Stated; edition: MacroEdition }> {
  const query = { kind: 'macro_frame', knownBy: LATEST, from, to, limit: STATED_PER_READ } as const;
  for (let afterIndex = -1; ; ) {
    const page = await archive.statements({ ...query, afterIndex });
    for (const stated of page) {
      const attachment = await archive.attachment(stated.index);
      if (attachment !== null) yield { stated, edition: readMacroEdition(stated, attachment) };
    }
    if (page.length < STATED_PER_READ) return;
    afterIndex = page.at(-1)!.index;
  }
}

type ItemsOf<Item> = (edition: MacroEdition) => readonly Item[];

/** A table with some rows per edition, each with the edition's own columns around it. */
function editionTable<Item>(
  about: string,
  items: ItemsOf<Item> | { readonly openedOn: (archive: ArchiveReader) => Promise<ItemsOf<Item>> },
  columns: readonly ColumnOf<Item>[],
): Table {
  type Told = { readonly stated: Stated; readonly item: Item };
  async function* told(archive: ArchiveReader, from: Instant, to: Instant): AsyncGenerator<Told> {
    const itemsOf = typeof items === 'function' ? items : await items.openedOn(archive);
    for await (const { stated, edition } of editions(archive, from, to))
      for (const item of itemsOf(edition)) yield { stated, item };
  }
  return tableOf<Told>(about, told, [
    ['as_of', 'string', ({ stated }) => formatInstant(stated.at)],
    ['known_at', 'string', ({ stated }) => formatInstant(stated.knownAt)],
    ...columns.map(([name, type, value]): ColumnOf<Told> => [name, type, ({ item }) => value(item)]),
    ['edition_sha256', 'string', ({ stated }) => stated.body['fingerprint'] as string],
  ]);
}

interface ScoredAsset extends AssetScore {
  /** By symbol of the index; null where facts have been filled in since, so that they no longer give the score. */
  readonly contributions: Readonly<Record<string, number>> | null;
}

/** Editions hold the strongest drivers only; all of them are worked out again from the facts. */
async function wholeScores(archive: ArchiveReader): Promise<ItemsOf<ScoredAsset>> {
  const { state } = await recallMacro(archive, { knownBy: LATEST }, []);
  return ({ frame, scores }) => {
    const again = state.frame(frame.at);
    return scores.map((score) => {
      const drivers = state.drivers(again, score.ticker) ?? [];
      const isWhole = sumOfDrivers(drivers) === (score.structure ?? 0);
      const terms = drivers.map(({ symbol, contribution }) => [symbol, contribution] as const);
      return { ...score, contributions: isWhole ? Object.fromEntries(terms) : null };
    });
  };
}

async function* observations(archive: ArchiveReader, from: Instant, to: Instant) {
  for await (const facts of archive.facts('series', { after: from - 1, knownBy: to })) yield* facts;
}

export const MACRO_TABLES = {
  scores: editionTable(
    'one row per asset and stated macro edition; its strongest drivers, and the contributions of all, as JSON text',
    { openedOn: wholeScores },
    [
      ['ticker', 'string', ({ ticker }) => ticker],
      ['sector', 'string?', ({ sector }) => sector],
      ['state', 'string', ({ score }) => (score === null ? 'insufficient' : 'scored')],
      ['schema_score', 'int32?', ({ score }) => score],
      ['band', 'string?', ({ band }) => band],
      ['regime_label', 'string', ({ regimeLabel }) => regimeLabel],
      ['confidence', 'int32', ({ confidence }) => confidence],
      ['entry_value', 'int32?', ({ entryValue }) => entryValue],
      ['basis', 'string', ({ basis }) => basis],
      ['structure_sum', 'double?', ({ structure }) => structure],
      ['coverage', 'double', ({ coverage }) => coverage],
      ['freshness', 'string', ({ freshness }) => freshness],
      ['top_drivers', 'string', ({ topDrivers }) => JSON.stringify(topDrivers.map(driverShape))],
      [
        'contributions',
        'string?',
        ({ contributions }) => (contributions === null ? null : JSON.stringify(contributions)),
      ],
    ],
  ),
  gauges: editionTable('one row per gauge and stated macro edition', ({ frame }) => frame.gauges, [
    ['gauge', 'string', ({ key }) => key],
    ['value', 'double?', ({ value }) => value],
    ['signal', 'string', ({ signal }) => signal],
    ['z', 'double?', ({ z }) => z],
    ['change_1w', 'double?', ({ change1w }) => change1w],
    ['change_4w', 'double?', ({ change4w }) => change4w],
    ['live', 'int32', ({ live }) => live],
    ['total', 'int32', ({ total }) => total],
    ['weight', 'double?', ({ weight }) => weight],
    ['drivers', 'string', ({ drivers }) => drivers.join(' ')],
  ]),
  indices: editionTable(
    'one row per index and stated macro edition; the licence says whether the value may be passed on',
    ({ frame }) => frame.indexes,
    [
      ['index_symbol', 'string', ({ symbol }) => symbol],
      ['status', 'string', ({ status }) => status],
      ['licence', 'string', ({ licence }) => licence],
      ['value', 'double?', ({ value }) => value],
      ['transformed', 'double?', ({ transformed }) => transformed],
      ['z_score', 'double?', ({ z }) => z],
      ['wind', 'string?', ({ wind }) => wind],
      ['percentile', 'double?', ({ percentile }) => percentile],
      ['change_1w', 'double?', ({ change1w }) => change1w],
      ['observed_on', 'string?', ({ observedOn }) => observedOn],
      ['released_at', 'string?', ({ releasedAt }) => instantText(releasedAt)],
      ['index_known_at', 'string?', ({ knownAt }) => instantText(knownAt)],
      ['weight', 'double', ({ weight }) => weight],
      ['vintage', 'string?', ({ vintage }) => vintage],
      ['fallback', 'boolean', ({ isFallback }) => isFallback],
      ['observations', 'int32', (index) => index.observations],
    ],
  ),
  regimes: editionTable(
    'one row per stated macro edition: regime, axes and probabilities',
    ({ frame }) => [frame],
    [
      ['regime_label', 'string', ({ regime }) => regime.label],
      ['since', 'string?', ({ regime }) => regime.since],
      ['sessions', 'int32', ({ regime }) => regime.sessions],
      ['growth', 'double?', ({ regime }) => regime.axes.growth],
      ['inflation', 'double?', ({ regime }) => regime.axes.inflation],
      ['liquidity', 'double?', ({ regime }) => regime.axes.liquidity],
      ['stress', 'double?', ({ regime }) => regime.axes.stress],
      ['p_goldilocks', 'double?', ({ regime }) => regime.probabilities?.Goldilocks ?? null],
      ['p_reflation', 'double?', ({ regime }) => regime.probabilities?.Reflation ?? null],
      ['p_stagflation', 'double?', ({ regime }) => regime.probabilities?.Stagflation ?? null],
      ['p_contraction', 'double?', ({ regime }) => regime.probabilities?.Contraction ?? null],
      ['p_stress', 'double?', ({ regime }) => regime.probabilities?.Stress ?? null],
      ['check', 'string?', ({ regime }) => regime.check],
      ['market_score', 'double?', ({ marketScore }) => marketScore],
      ['coverage', 'double', ({ coverage }) => coverage.share],
      ['freshness', 'string', ({ freshness }) => freshness],
    ],
  ),
  narratives: editionTable(
    'one row per narrative and stated macro edition',
    ({ frame }) => frame.narratives,
    [
      ['slug', 'string', ({ slug }) => slug],
      ['state', 'string', ({ state }) => state],
      ['since', 'string?', ({ since }) => since],
      ['score', 'double?', ({ score }) => score],
      ['z', 'double?', ({ z }) => z],
      ['momentum_1w', 'double?', ({ momentum1w }) => momentum1w],
      ['attention_z', 'double?', ({ attentionZ }) => attentionZ],
      ['driver_z', 'double?', ({ driverZ }) => driverZ],
      ['phase', 'int32', ({ phase }) => phase],
      ['confidence', 'int32', ({ confidence }) => confidence],
    ],
  ),
  series: tableOf(
    'one row per value of a series, with every revision, by when it became known',
    observations,
    [
      ['series', 'string', ({ body }) => body.series],
      ['date', 'string', ({ body }) => body.date],
      ['value', 'double', ({ body }) => body.value],
      ['known_at', 'string', ({ knownAt }) => formatInstant(knownAt)],
      ['source', 'string', ({ source }) => source],
      ['backfilled', 'boolean', ({ backfilled }) => backfilled],
      ['sequence', 'int64', ({ sequence }) => sequence],
    ],
  ),
} as const;

function instantText(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
