// Answers of the structure itself: scores alone and in batches, gauges, indexes, narratives and themes.
import { Failure } from '../../contracts/failures.js';
import type { AssetScore, assetScore, BatchCheck, checkBatch } from '../../contracts/macro/asset-score.js';
import type { GaugeList, gauges } from '../../contracts/macro/gauges.js';
import type { IndexList, indices } from '../../contracts/macro/indexes.js';
import {
  type AssetThemes,
  type assetThemes,
  NARRATIVE_COUNT,
  type NarrativeGraph,
  type narrativeGraph,
} from '../../contracts/macro/narratives.js';
import type { InputOf } from '../../contracts/operation.js';
import { formatInstant } from '../../kernel/instant.js';
import type { Evidence } from '../evidence/evidence.js';
import { allDrivers } from './all-drivers.js';
import { scoreShape, themeShape } from './asset-shapes.js';
import type { Editions } from './editions.js';
import { gaugeShape, indexShape, narrativeShape } from './frame-shapes.js';
import { provenanceOf, receiptOf } from './provenance.js';

export function structureAnswers(editions: Editions, evidence: Evidence) {
  return {
    async asset_score(input: InputOf<typeof assetScore>): Promise<AssetScore> {
      const { ticker, include_proof } = input;
      const answering = await editions.answering(input.as_of);
      const score = answering.held.score(ticker);
      if (score === undefined) throw new Failure('unknown_ticker');
      const receipt = receiptOf(answering);
      const { asOf, held } = answering;
      const proof =
        include_proof && receipt.log_index !== null
          ? { proof: await evidence.scoreProof(receipt.log_index, asOf ?? held.at, ticker) }
          : {};
      const drivers = input.drivers === 'all' ? await allDrivers(editions, held, score) : undefined;
      return { ...scoreShape(score, answering, drivers), receipt: { ...receipt, ...proof } };
    },

    async check_batch({ tickers, as_of }: InputOf<typeof checkBatch>): Promise<BatchCheck> {
      // Taken once: an edition that arrives in the meantime is for the next call.
      const answering = await editions.answering(as_of);
      return {
        results: tickers.map((ticker) => {
          const score = answering.held.score(ticker);
          return score === undefined
            ? { ticker, schema_score: null, state: 'unknown_ticker' }
            : scoreShape(score, answering);
        }),
        receipt: receiptOf(answering),
      };
    },

    async gauges({ as_of }: InputOf<typeof gauges>): Promise<GaugeList> {
      const answering = await editions.answering(as_of);
      const { frame } = answering.held;
      return {
        gauges: frame.gauges.map(gaugeShape),
        computed_at: formatInstant(frame.at),
        market_score: frame.marketScore,
        ...provenanceOf(answering),
      };
    },

    async indices({ as_of }: InputOf<typeof indices>): Promise<IndexList> {
      const answering = await editions.answering(as_of);
      return answering.held.frame.indexes.map((reading, place) => indexShape(reading, place, answering));
    },

    async narrative_graph({ as_of }: InputOf<typeof narrativeGraph>): Promise<NarrativeGraph> {
      const answering = await editions.answering(as_of);
      const { narratives, indexes, edges, coverage } = answering.held.frame;
      const zOf = new Map(indexes.map(({ symbol, z }) => [symbol, z]));
      return {
        narrative_count: NARRATIVE_COUNT,
        items: narratives.map((reading, place) => narrativeShape(reading, place, zOf)),
        edges: edges.map(({ from, to, weight }) => ({ from, to, weight })),
        evidence: {
          by_indexes: narratives.filter(({ driverZ }) => driverZ !== null).length,
          by_attention: narratives.filter(({ attentionZ }) => attentionZ !== null).length,
          indexes_live: coverage.live,
          indexes_total: indexes.length,
        },
        ...provenanceOf(answering),
      };
    },

    async asset_themes({ ticker, as_of }: InputOf<typeof assetThemes>): Promise<AssetThemes> {
      const answering = await editions.answering(as_of);
      const themes = answering.held.themes(ticker);
      if (themes === undefined) throw new Failure('unknown_ticker');
      return { ticker, related_themes: themes.map(themeShape), ...provenanceOf(answering) };
    },
  };
}
