// The graph of tracked narratives, and the themes that touch one asset.
import { z } from 'zod';
import { operation } from '../operation.js';
import { Ticker, TickerInput } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, STRUCTURE_GROUP } from './access.js';
import { AsOfInput } from './inputs.js';
import { NarrativeState, provenance, Wind } from './vocabulary.js';

/** How many narratives the catalogue has. */
export const NARRATIVE_COUNT = 33;

export const NarrativeItem = z
  .strictObject({
    slug: z.string(),
    label: z.string(),
    state: NarrativeState,
    momentum_1w: z
      .number()
      .nullable()
      .describe('Strength less strength five business days ago, two decimals; null while not known.'),
    since: z.string().nullable().describe('Day on which the state began.'),
    score: z.number().nullable().describe('Strength, 0 to 100.'),
    z: z.number().nullable(),
    attention_z: z.number().nullable().describe('Share of talk against the last three years.'),
    driver_z: z.number().nullable().describe('Mean of its index drivers in its direction.'),
    phase: z
      .union([z.literal(1), z.literal(-1)])
      .describe('-1 where a two-way narrative runs the other way.'),
    confidence: z.int().min(0).max(100).describe('Halved when only talk or only data speak.'),
    drivers: z.array(
      z.strictObject({
        index_symbol: z.string(),
        direction: z.union([z.literal(1), z.literal(-1)]),
        z_score: z.number().nullable(),
      }),
    ),
    attention_terms: z.array(z.string()),
    related_themes: z.array(z.string()),
  })
  .meta({ id: 'NarrativeItem' });

export const NarrativeGraph = z
  .strictObject({
    narrative_count: z.literal(NARRATIVE_COUNT),
    items: z.array(NarrativeItem).length(NARRATIVE_COUNT),
    edges: z
      .array(z.strictObject({ from: z.string(), to: z.string(), weight: z.number().min(-1).max(1) }))
      .describe('Shared drivers and common moves of strength; at most five per narrative, from ±0.3 on.'),
    evidence: z
      .strictObject({
        by_indexes: z.int().describe('Narratives whose index drivers could be measured.'),
        by_attention: z.int().describe('Narratives whose share of talk could be measured.'),
        indexes_live: z.int().describe('Indexes that are as new as their release calendar allows.'),
        indexes_total: z.int(),
      })
      .describe('What the states rest on; the drivers and terms of each narrative stand with it.'),
    ...provenance,
  })
  .meta({ id: 'NarrativeGraph' });
export type NarrativeGraph = z.input<typeof NarrativeGraph>;

export const narrativeGraph = operation({
  name: 'narrative_graph',
  method: 'GET',
  path: '/v1/trust/narrative-graph',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: `The graph of ${NARRATIVE_COUNT} tracked market narratives`,
  description: `State and momentum of each narrative, what it rests on, and which narratives move together. States are decided once per business day and change only after three days in a row. ${COST}`,
  access: METERED,
  input: z.strictObject({ as_of: AsOfInput }),
  output: NarrativeGraph,
  failures: [...REPLAY_FAILURES],
  keeps: 'frame',
  example: {},
});

export const AssetTheme = z
  .strictObject({
    slug: z.string(),
    name: z.string(),
    score: z.number().min(0).max(100).describe('Strength of the narrative.'),
    direction: Wind.describe('What the narrative does to the asset while it is told.'),
    impact: z.number().min(-1).max(1).describe('exposure · (score − 50) / 50, three decimals.'),
    exposure: z.number().min(-1).max(1),
    state: NarrativeState,
  })
  .meta({ id: 'AssetTheme' });

export const AssetThemes = z
  .strictObject({
    ticker: Ticker,
    related_themes: z
      .array(AssetTheme)
      .max(8)
      .describe('Narratives that are being told first, then by size of impact.'),
    ...provenance,
  })
  .meta({ id: 'AssetThemes' });
export type AssetThemes = z.input<typeof AssetThemes>;

export const assetThemes = operation({
  name: 'asset_themes',
  method: 'GET',
  path: '/api/assets/equity:{ticker}',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: 'The narratives that touch an asset',
  description: `At most eight narratives with the direction and size of their impact on the asset: how its returns went with the funds that a narrative helps less those that it hurts, times how strongly the narrative is told. The colon may stand as it is or encoded. ${COST}`,
  access: METERED,
  input: z.strictObject({ ticker: TickerInput, as_of: AsOfInput }),
  output: AssetThemes,
  failures: ['invalid_ticker', 'unknown_ticker', ...REPLAY_FAILURES],
  keeps: 'frame',
  example: { ticker: 'NVDA' },
});
