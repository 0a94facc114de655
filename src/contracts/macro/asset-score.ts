// The structure score of an asset with the drivers behind it, alone and in batches.
import { z } from 'zod';
import { IncludeProof } from '../log/proof.js';
import { operation } from '../operation.js';
import { Ticker, TickerInput } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, STRUCTURE_GROUP } from './access.js';
import { INDEX_SYMBOLS } from './index-symbols.js';
import { AsOfInput, DriversInput, tickerList } from './inputs.js';
import { MacroReceipt } from './receipt.js';
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
      .describe(
        'Term of the structure sum, six decimals: those of all drivers sum to structure_sum exactly.',
      ),
  })
  .meta({ id: 'Driver' });

export const AssetScoreRow = z
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
        '100 · Φ(1.05 · structure_sum), rounded to the nearest integer. Below 45 is the headwind band. It describes how the indexes stand for this asset; it does not forecast. Null when the state is insufficient.',
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
    drivers: z
      .array(Driver)
      .max(INDEX_SYMBOLS.length)
      .nullable()
      .optional()
      .describe(
        'Every driver, the strongest first, where `drivers` is all: their contributions sum to structure_sum, which gives schema_score. Null where facts have been filled in since the edition was stated, so that its drivers cannot be told any more.',
      ),
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
  .meta({ id: 'AssetScoreRow', description: 'One integer for how the macro weather stands for an asset.' });
export type AssetScoreRow = z.input<typeof AssetScoreRow>;

export const AssetScore = z
  .strictObject({ ...AssetScoreRow.shape, receipt: MacroReceipt })
  .meta({ id: 'AssetScore', description: 'The score of one asset, with what it was computed from.' });
export type AssetScore = z.input<typeof AssetScore>;

export const assetScore = operation({
  name: 'asset_score',
  method: 'GET',
  path: '/v1/asset/{ticker}',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: 'One structure score for an asset, with the drivers behind it',
  description: `How the macro indexes stand for an asset now, or at \`as_of\`, as one integer with its strongest drivers; with \`drivers=all\` all of them, which add up to it. It describes structure; it is neither forecast nor advice. Changes when an index is released, at most a few times an hour. ${COST} For several assets at once use POST /v1/check/batch.`,
  access: METERED,
  input: z.strictObject({
    ticker: TickerInput,
    as_of: AsOfInput,
    drivers: DriversInput,
    include_proof: IncludeProof,
  }),
  output: AssetScore,
  failures: [
    'invalid_ticker',
    'unknown_ticker',
    'invalid_parameter',
    'log_key_unavailable',
    ...REPLAY_FAILURES,
  ],
  keeps: 'frame',
  example: { ticker: 'NVDA' },
});

export const BATCH_LIMIT = 25;

export const UnknownTicker = z
  .strictObject({ ticker: Ticker, schema_score: z.null(), state: z.literal('unknown_ticker') })
  .meta({ id: 'UnknownTicker', description: 'Nothing was known of the ticker at that instant.' });

export const BatchCheck = z
  .strictObject({
    results: z
      .array(z.union([AssetScoreRow, UnknownTicker]))
      .describe('In the order of the question, all from one edition.'),
    receipt: MacroReceipt,
  })
  .meta({ id: 'BatchCheck' });
export type BatchCheck = z.input<typeof BatchCheck>;

export const checkBatch = operation({
  name: 'check_batch',
  method: 'POST',
  path: '/v1/check/batch',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: 'Scores of up to 25 assets from one edition',
  description:
    'The same scores as one by one, but all from one frozen edition: none of them is newer than another. A ticker that is not scored is a row of its own type among the others. Costs one batch call of the plan of the key; there are none without a key.',
  access: { kind: 'key', scope: null, quota: 'batch_calls' },
  input: z.strictObject({ tickers: tickerList(BATCH_LIMIT), as_of: AsOfInput }),
  output: BatchCheck,
  failures: ['invalid_ticker', 'no_tickers', 'too_many_tickers', 'duplicate_tickers', ...REPLAY_FAILURES],
  keeps: 'nothing',
  example: { tickers: ['NVDA', 'XLE'] },
});
