// Watchlists of the customer who asks: saved under their own name, ranked as the board ranks.
import type {
  SavedWatchlist,
  saveWatchlist,
  snapshotWatchlist,
  Watchlist,
} from '../contracts/attention/watchlists.js';
import { ANONYMOUS, type Caller } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import type { InputOf } from '../contracts/operation.js';
import type { Row } from '../domain/facts/frame.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import { TooManyWatchlists, type Watchlists } from '../ports/watchlists.js';
import { capBucket, coreKpiValues, liveFreshness, POLICY_PATH } from './board-shapes.js';
import type { WholeBoard } from './whole-board.js';

export interface WatchlistParts {
  readonly watchlists: Watchlists;
  readonly board: WholeBoard;
  readonly clock: Clock;
}

type WatchlistRow = Watchlist['rows'][number];

function customerOf(caller: Caller): string {
  if (caller.kind !== 'key') throw new Failure('unauthorized');
  return caller.key.customerId;
}

const UNSEEN: Omit<WatchlistRow, 'position' | 'ticker'> = {
  rank: null,
  core_kpi_values: {
    attention_density: null,
    attention_share: null,
    attention_velocity: null,
    attention_surprise: null,
    voice_independence: null,
  },
  anomaly_band: 'insufficient',
  cap_bucket: 'unknown',
  state: 'unknown',
};

function shape(ticker: string, row: Row | undefined): Omit<WatchlistRow, 'position'> {
  if (row === undefined) return { ticker, ...UNSEEN };
  return {
    ticker,
    rank: row.rank,
    core_kpi_values: coreKpiValues(row),
    anomaly_band: row.band,
    cap_bucket: capBucket(row.denominator),
    state: row.state,
  };
}

/** Ranked ones first, by rank; then whoever is spoken of more. */
function ranked(tickers: readonly string[], rows: ReadonlyMap<string, Row>): string[] {
  const rank = (ticker: string): number => rows.get(ticker)?.rank ?? Number.MAX_SAFE_INTEGER;
  const activity = (ticker: string): number => rows.get(ticker)?.activity ?? -1;
  return tickers.toSorted(
    (a, b) => rank(a) - rank(b) || activity(b) - activity(a) || (a < b ? -1 : a > b ? 1 : 0),
  );
}

export function watchlistAnswers({ watchlists, board, clock }: WatchlistParts) {
  return {
    async snapshot_watchlist(
      { watchlist_id }: InputOf<typeof snapshotWatchlist>,
      caller: Caller = ANONYMOUS,
    ): Promise<Watchlist> {
      const list = await watchlists.find(customerOf(caller), watchlist_id);
      if (!list) throw new Failure('watchlist_not_found');
      const { header, rows } = await board.newest();
      const byTicker = new Map(rows.map((row) => [row.ticker, row]));
      return {
        watchlist_id: list.id,
        name: list.name,
        saved_at: formatInstant(list.savedAt),
        seq: header.sequence,
        as_of: formatInstant(header.at),
        frame_sha256: header.fingerprint,
        freshness: liveFreshness(header, clock()),
        rows: ranked(list.tickers, byTicker).map((ticker, i) => ({
          position: i + 1,
          ...shape(ticker, byTicker.get(ticker)),
        })),
        policy: POLICY_PATH,
      };
    },

    async save_watchlist(
      { watchlist_id: id, name, tickers }: InputOf<typeof saveWatchlist>,
      caller: Caller = ANONYMOUS,
    ): Promise<SavedWatchlist> {
      const list = { id, name: name ?? null, tickers: [...new Set(tickers)], savedAt: clock() };
      try {
        await watchlists.save(customerOf(caller), list);
      } catch (error) {
        throw error instanceof TooManyWatchlists ? new Failure('too_many_watchlists') : error;
      }
      return {
        watchlist_id: id,
        name: list.name,
        tickers: list.tickers,
        saved_at: formatInstant(list.savedAt),
      };
    },
  };
}
