// The leaderboard and the ticker packet: shapes of the snapshot tape.
import { z } from 'zod';
import { AsOfProof, IncludeProof, LeafIndex } from '../log/proof.js';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, limitInput, Sha256, Ticker, TickerInput } from '../primitives.js';
import { TopPost, TopPostsSort } from './evidence.js';
import { KpiReceipt } from './kpi-receipt.js';

const nullable = (description: string) => z.number().nullable().describe(description);

export const CoreKpiValues = z
  .strictObject({
    attention_density: nullable(
      'Effective posts (24 h equivalent) per USD 1 billion of market capitalisation.',
    ),
    attention_share: nullable('Percent of the activity of all eligible tickers.'),
    attention_velocity: nullable('Doublings against the usual level of the same clock hour.'),
    attention_surprise: nullable('−log10 of the probability of so many posts in an hour, at most 16.'),
    voice_independence: nullable('Effective number of independent narratives per author, 0 to 1.'),
  })
  .meta({ id: 'CoreKpiValues', description: 'The five core KPIs. Null is "not measurable", never zero.' });

export const AnomalyBand = z
  .enum(['insufficient', 'warming', 'quiet', 'normal', 'elevated', 'high', 'extreme'])
  .meta({ id: 'AnomalyBand', description: 'How unusual the attention is for this ticker.' });

export const CapBucket = z.enum(['nano', 'micro', 'small', 'mid', 'large', 'mega', 'unknown']).meta({
  id: 'CapBucket',
  description:
    'Market capitalisation in USD billions: nano < 0.05 ≤ micro < 0.3 ≤ small < 2 ≤ mid < 10 ≤ large ≤ 200 < mega.',
});

export const RowState = z.enum(['ranked', 'insufficient', 'unavailable', 'nano']).meta({
  id: 'RowState',
  description:
    'ranked; insufficient: too few posts, voices or narratives; unavailable: no market capitalisation; nano: too small to rank.',
});

export const DenominatorState = z
  .enum(['exact', 'per_class_sum', 'vendor', 'stale', 'floored', 'unavailable'])
  .meta({
    id: 'DenominatorState',
    description: 'Where the market capitalisation comes from and whether it can be trusted.',
  });

export const Freshness = z.enum(['live', 'fixture', 'stale', 'archived', 'simulated']).meta({
  id: 'Freshness',
  description:
    'live; fixture: synthetic data; stale: the newest frame is older than it should be; archived: a recorded frame of the past; simulated: computed now for an instant without a recorded frame.',
});

export const LeaderboardRow = z
  .strictObject({
    ticker: Ticker,
    rank: z.int(),
    rank_prev: z.int().nullable().describe('Rank in the frame before; null when it was not ranked there.'),
    core_kpi_values: CoreKpiValues,
    attention_density: z.number().describe('The same value as in core_kpi_values, for simple consumers.'),
    anomaly_band: AnomalyBand,
    cap_bucket: CapBucket,
    state: RowState,
    denominator_state: DenominatorState,
    entity_precision: nullable('Share of mentions that really mean this ticker, estimated.'),
  })
  .meta({ id: 'LeaderboardRow' });

export const LeaderboardFrame = z
  .strictObject({
    event: z.literal('snapshot'),
    seq: z.int().describe('Sequence number of the frame in the archive.'),
    as_of: InstantText.describe('The cycle boundary: the frame is a function of what was known by then.'),
    generated_at: InstantText.describe('When the frame was recorded.'),
    frame_sha256: Sha256,
    source_set_version: z.int(),
    sources: z.array(z.string()).describe('Sources that count in this frame.'),
    sources_warming: z.array(z.string()).describe('Sources that are recorded and do not count yet.'),
    tickers: z.int().describe('Tickers that the frame covers, ranked or not.'),
    ranked: z.int(),
    freshness: Freshness,
    policy: z.string().describe('Where the policy statements that hold for every response are.'),
    leaderboard: z.array(LeaderboardRow),
  })
  .meta({ id: 'LeaderboardFrame' });
export type LeaderboardFrame = z.input<typeof LeaderboardFrame>;

export const Denominator = z
  .strictObject({
    usd_billions: nullable('Market capitalisation in USD billions.'),
    shares: nullable('Shares outstanding, adjusted for splits up to the instant.'),
    shares_known_at: InstantText.nullable().describe(
      'When the share count became known: its filing, not its period.',
    ),
    shares_source: z.string().nullable(),
    close: nullable('Last close in USD, adjusted for splits up to the instant.'),
    close_date: z.string().nullable(),
    state: DenominatorState,
  })
  .meta({ id: 'Denominator' });

export const ReplayReceipt = z
  .strictObject({
    as_of: InstantText.describe('The instant that was asked for.'),
    frame_at: InstantText.describe('The boundary of the frame that answers for it.'),
    frame_sha256: Sha256,
    recorded: z
      .boolean()
      .describe('True when the frame was recorded then; false when it was computed for this answer.'),
    archive_high_water: z.int().describe('Last sequence number that could have been used.'),
    newest_known_at: InstantText.nullable().describe('The largest known-at among the posts used.'),
    lookahead: z.literal(false),
    knowledge: z
      .enum(['observed', 'simulated'])
      .describe(
        'observed: every fact arrived live; simulated: some were backfilled with their release time.',
      ),
    backfilled_share: z.number().describe('Share of the posts used that were backfilled, 0 to 1.'),
    commitment: z
      .enum(['logged', 'unlogged', 'recomputed'])
      .describe(
        'logged: the frame was committed to in the log when it was recorded; unlogged: it was recorded before the log began; recomputed: nothing was committed to at the time, the values were computed for this answer.',
      ),
    log_index: LeafIndex.nullable().describe('The leaf of the log that states the frame.'),
    proof: AsOfProof.optional(),
  })
  .meta({ id: 'ReplayReceipt', description: 'What an answer was computed from, so that it can be checked.' });

export const BandChange = z
  .strictObject({ seq: z.int(), as_of: InstantText, prev: AnomalyBand, now: AnomalyBand })
  .meta({ id: 'BandChange' });

export const ThemeRef = z
  .strictObject({ theme: z.string().describe('As in /v1/snapshot/themes.'), name: z.string() })
  .meta({ id: 'ThemeRef' });

export const TickerPacket = z
  .strictObject({
    ticker: Ticker,
    name: z.string().nullable(),
    sector: z.string().nullable(),
    as_of: InstantText,
    state: RowState,
    rank: z.int().nullable(),
    core_kpi_values: CoreKpiValues,
    core_kpis: z.array(KpiReceipt).describe('One compact receipt per core KPI; /v1/core-kpis resolves them.'),
    anomaly_band: AnomalyBand,
    band_history: z
      .array(BandChange)
      .describe('The last recorded changes of the band, at most 24, oldest first.'),
    cap_bucket: CapBucket,
    themes: z.array(ThemeRef).describe('Themes that the ticker belongs to: its sector.'),
    denominator: Denominator,
    activity: nullable('Effective posts, 24 h equivalent: the numerator of the density.'),
    sample: z.strictObject({ posts: z.int(), authors: z.int(), narratives: z.int() }),
    entity: z.strictObject({
      precision: nullable('Share of mentions that really mean this ticker, estimated.'),
      ambiguous: z.boolean().describe('True when only tagged mentions in financial context are counted.'),
    }),
    top_posts: z.array(TopPost).max(5).describe('At most five posts of the window, as evidence.'),
    top_posts_sort: TopPostsSort,
    source_set_version: z.int(),
    freshness: Freshness,
    receipt: ReplayReceipt,
    policy: z.string(),
  })
  .meta({ id: 'TickerPacket' });
export type TickerPacket = z.input<typeof TickerPacket>;

const GROUP = 'snapshot tape';

export const snapshotLeaderboard = operation({
  name: 'snapshot_leaderboard',
  method: 'GET',
  path: '/v1/snapshot/leaderboard',
  surface: 'attention',
  group: GROUP,
  summary: 'Tickers ranked by attention density, now',
  description:
    'The newest recorded frame: tickers ranked by effective posts (24 h equivalent) per USD 1 billion of market capitalisation. Changes once per cycle.',
  access: PUBLIC,
  input: z.strictObject({ limit: limitInput(100, 25) }),
  output: LeaderboardFrame,
  failures: ['invalid_limit', 'unknown_parameter', 'warming_up', 'archive_unavailable'],
  keeps: 'frame',
  example: { limit: 5 },
});

export const snapshotTicker = operation({
  name: 'snapshot_ticker',
  method: 'GET',
  path: '/v1/snapshot/ticker/{ticker}',
  surface: 'attention',
  group: GROUP,
  summary: 'One ticker, now or at any past instant',
  description:
    'KPI values with their receipts, denominator, sample, recent bands and evidence of one ticker. With `as_of` the answer is the frame recorded for that instant, or one computed from what was known then; the receipt says which.',
  access: PUBLIC,
  input: z.strictObject({
    ticker: TickerInput,
    as_of: InstantInput.optional(),
    top_posts_sort: TopPostsSort.default('observed_desc'),
    include_proof: IncludeProof,
  }),
  output: TickerPacket,
  failures: [
    'invalid_ticker',
    'invalid_as_of',
    'as_of_out_of_range',
    'invalid_parameter',
    'unknown_parameter',
    'ticker_not_found',
    'warming_up',
    'replay_busy',
    'log_key_unavailable',
    'archive_unavailable',
  ],
  keeps: 'frame',
  example: { ticker: 'NVDA' },
});
