// The structure score of an asset with the drivers behind it, alone and in batches.
import { z } from 'zod';
import { Ticker, TickerInput } from '../primitives.js';
import { provenance, RegimeLabel, ScoreBand, Wind } from './vocabulary.js';

export const Driver = z
  .strictObject({
    index_symbol: z.string(),
    index_name: z.string(),
    wind: Wind.describe('What the index does to this asset now; neutral below one percent of all movement.'),
    z_score: z
      .number()
      .describe('The index against its own history, two decimals, held to ±4; positive is high.'),
    weight: z
      .number()
      .min(0)
      .max(1)
      .describe('Share in all movement of the score, four decimals; over all drivers the shares sum to 1.'),
    family: z.string(),
    exposure: z.number().min(-1).max(1).describe('Answer of the asset to a rise of the index, -1 to 1.'),
    contribution: z
      .number()
      .describe('Term of the structure sum, six decimals: all terms together give schema_score exactly.'),
  })
  .meta({ id: 'Driver' });

export const AssetScore = z
  .strictObject({
    ticker: Ticker,
    name: z.string().nullable(),
    sector: z.string().nullable(),
    state: z
      .enum(['scored', 'insufficient'])
      .describe('insufficient: neither prices nor a sector, or no index that the asset answers to counts.'),
    schema_score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        '100 · Φ(steepness · structure_sum), rounded. Below 45 is the headwind band. It describes how the indexes stand for this asset; it does not forecast. Null when the state is insufficient.',
      ),
    band: ScoreBand.nullable(),
    regime_label: RegimeLabel,
    confidence: z
      .int()
      .min(0)
      .max(100)
      .describe(
        '100 · √coverage · reliability · (½ + ½ agreement) · freshness; at most 35 when only the sector speaks.',
      ),
    entry_value: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'schema_score on the day the present regime began for this asset: schema_score − entry_value is the drift since.',
      ),
    top_drivers: z.array(Driver).max(8).describe('The strongest first, at most eight.'),
    basis: z
      .enum(['estimated', 'prior'])
      .describe("estimated: from the asset's own prices; prior: from its sector's past alone."),
    against: z
      .enum(['market', 'absolute'])
      .describe('Exposures are measured against the market; those of the market itself are absolute.'),
    structure_sum: z.number().nullable().describe('Sum of the contributions of all drivers.'),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .describe('Weight of the indexes that count among those it answers to.'),
    ...provenance,
  })
  .meta({ id: 'AssetScore', description: 'One integer for how the macro weather stands for an asset.' });
export type AssetScore = z.input<typeof AssetScore>;

export const BATCH_LIMIT = 25;

export const BatchCheckInput = z.strictObject({
  tickers: z.array(TickerInput).min(1).max(BATCH_LIMIT).describe('1 to 25 ticker symbols.'),
});

export const BatchCheck = z
  .strictObject({
    results: z
      .array(
        z.union([
          AssetScore,
          z
            .strictObject({ ticker: Ticker, schema_score: z.null(), state: z.literal('unknown_ticker') })
            .meta({ id: 'UnknownTicker', description: 'Nothing was known of the ticker at that instant.' }),
        ]),
      )
      .describe('In the order of the question, all from one frame.'),
  })
  .meta({ id: 'BatchCheck' });
export type BatchCheck = z.input<typeof BatchCheck>;
