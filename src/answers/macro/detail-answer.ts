// The answer of get_index_detail.
import { type getIndexDetail, HISTORY_POINTS, type IndexDetail } from '../../contracts/macro/indexes.js';
import type { InputOf } from '../../contracts/operation.js';
import { indexPlace } from '../../domain/macro/catalogue/indexes.js';
import { seriesOf } from '../../domain/macro/level-series.js';
import { formatInstant, HOUR } from '../../kernel/instant.js';
import type { Editions } from './editions.js';
import { indexShape, isWithheld } from './frame-shapes.js';
import { provenanceOf } from './provenance.js';

export function detailAnswer(editions: Editions) {
  return async (input: InputOf<typeof getIndexDetail>): Promise<IndexDetail> => {
    const answering = await editions.answering(input.as_of);
    const { at } = answering.held;
    const points = input.history_points ?? HISTORY_POINTS;
    const detail = await editions.atDesk((desk) => desk.detail(input.symbol, at, points));
    const { row, reading, history } = detail;
    const withheld = isWithheld(reading);
    return {
      // What the index itself says of a name, as of `known_at`, goes before what the frame says.
      ...provenanceOf(answering),
      ...indexShape(reading, indexPlace(input.symbol), answering),
      transform: row.transform,
      sign: row.sign > 0 ? '+' : '-',
      lag: row.lag,
      sources: seriesOf((reading.isFallback ? row.fallback! : row).formula),
      percentile: reading.percentile,
      observations: reading.observations,
      age_h: reading.releasedAt === null ? null : Math.floor((at - reading.releasedAt) / HOUR),
      overdue_h: reading.overdueHours,
      weight: reading.weight,
      changes: { ...detail.changes },
      revised_since_first: detail.revisedSinceFirst,
      history: history.map(({ observedOn, knownAt, value, z }) => ({
        observed_on: observedOn,
        known_at: formatInstant(knownAt),
        current_value: withheld ? z : value,
        z_score: z,
      })),
      most_exposed_sectors: detail.sectors.map(({ sector, fund, basisPoints }) => ({
        sector,
        fund,
        basis_points: basisPoints,
      })),
    };
  };
}
