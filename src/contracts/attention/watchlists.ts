// Saved watchlists: a customer's own tickers, ranked as the board ranks them.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText, Sha256, Ticker, TickerInput } from '../primitives.js';
import { AnomalyBand, CapBucket, CoreKpiValues, Freshness, RowState } from './board.js';

export const WATCHLISTS_READ = 'watchlists:read';
export const WATCHLISTS_WRITE = 'watchlists:write';

const WatchlistId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
  .describe('Chosen by the customer: 1 to 64 lower-case letters, digits, - and _.')
  .meta({ examples: ['core'] });

const WatchlistRow = z
  .strictObject({
    position: z.int().describe('Place in the list: by rank on the board, then by activity, then by ticker.'),
    ticker: Ticker,
    rank: z.int().nullable().describe('Rank on the whole board; null when not ranked.'),
    core_kpi_values: CoreKpiValues,
    anomaly_band: AnomalyBand,
    cap_bucket: CapBucket,
    state: z.enum([...RowState.options, 'unknown']).describe('As on the board; unknown: never seen.'),
  })
  .meta({ id: 'WatchlistRow' });

export const Watchlist = z
  .strictObject({
    watchlist_id: z.string(),
    name: z.string().nullable(),
    saved_at: InstantText,
    seq: z.int(),
    as_of: InstantText,
    frame_sha256: Sha256,
    freshness: Freshness,
    rows: z.array(WatchlistRow),
    policy: z.string(),
  })
  .meta({ id: 'Watchlist' });
export type Watchlist = z.input<typeof Watchlist>;

export const SavedWatchlist = z
  .strictObject({
    watchlist_id: z.string(),
    name: z.string().nullable(),
    tickers: z.array(Ticker).describe('Each once, in the order in which they were given.'),
    saved_at: InstantText,
  })
  .meta({ id: 'SavedWatchlist' });
export type SavedWatchlist = z.input<typeof SavedWatchlist>;

const shared = {
  path: '/v1/snapshot/watchlists/{watchlist_id}',
  surface: 'attention',
  group: 'snapshot tape',
  keeps: 'nothing',
} as const;

export const snapshotWatchlist = operation({
  ...shared,
  name: 'snapshot_watchlist',
  method: 'GET',
  summary: 'A saved watchlist, ranked by the core KPI contract',
  description: 'The tickers of the list in the newest frame. A key sees the lists of its own customer only.',
  access: { kind: 'key', scope: WATCHLISTS_READ },
  input: z.strictObject({ watchlist_id: WatchlistId }),
  output: Watchlist,
  failures: [
    'invalid_parameter',
    'unknown_parameter',
    'watchlist_not_found',
    'warming_up',
    'archive_unavailable',
  ],
  example: { watchlist_id: 'core' },
});

export const saveWatchlist = operation({
  ...shared,
  name: 'save_watchlist',
  method: 'PUT',
  summary: 'Save a watchlist, or replace it',
  description: 'Saving the same list again changes nothing but the time. A customer has at most 100 lists.',
  access: { kind: 'key', scope: WATCHLISTS_WRITE },
  input: z.strictObject({
    watchlist_id: WatchlistId,
    name: z.string().trim().min(1).max(80).optional().describe('For people; 1 to 80 characters.'),
    tickers: z.array(TickerInput).min(1).max(100).describe('1 to 100 ticker symbols.'),
  }),
  output: SavedWatchlist,
  failures: [
    'invalid_parameter',
    'invalid_ticker',
    'unknown_parameter',
    'too_many_watchlists',
    'archive_unavailable',
  ],
  example: { watchlist_id: 'core', name: 'Core holdings', tickers: ['NVDA', 'AAPL'] },
});
