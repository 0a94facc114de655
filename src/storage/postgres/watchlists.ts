// Watchlists in PostgreSQL, beside the archive but not of it: every API process reads and writes them.
import { Turnstile } from '../../kernel/turnstile.js';
import { ArchiveUnavailable } from '../../ports/archive.js';
import {
  MOST_WATCHLISTS,
  type SavedList,
  TooManyWatchlists,
  type Watchlists,
  WatchlistsUnavailable,
} from '../../ports/watchlists.js';
import { parseAddress } from './address.js';
import { run } from './driver.js';
import { migrate } from './migrate.js';
import { Pool } from './pool.js';
import { Session } from './session.js';

const PATIENCE_MS = 15_000;

const OTHERS = 'SELECT count(*) AS lists FROM barograph.watchlists WHERE customer = $1 AND id <> $2';
const SAVE = `INSERT INTO barograph.watchlists (customer, id, name, tickers, saved_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (customer, id)
  DO UPDATE SET name = excluded.name, tickers = excluded.tickers, saved_at = excluded.saved_at`;

export function postgresWatchlists({ url }: { readonly url: string }): Watchlists {
  const address = parseAddress(url);
  const pool = new Pool(address, PATIENCE_MS);
  const savings = new Turnstile();
  let ready: Promise<void> | null = null;

  /** The tables may be laid out by whoever comes first; a failed attempt is made again at the next call. */
  function prepared(): Promise<void> {
    ready ??= layOut().catch((error: unknown) => {
      ready = null;
      throw error;
    });
    return ready;
  }

  const layOut = (): Promise<void> => alone(migrate);

  /** Saving is rare: one after the other, each with a connection of its own, whose transaction nobody shares. */
  async function alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = new Session(address, PATIENCE_MS);
    try {
      return await work(session);
    } finally {
      await session.end();
    }
  }

  async function answer<T>(ask: () => Promise<T>): Promise<T> {
    try {
      await prepared();
      return await ask();
    } catch (error) {
      throw error instanceof ArchiveUnavailable ? new WatchlistsUnavailable(error) : error;
    }
  }

  return {
    find: (customerId, id) =>
      answer(() =>
        pool.read(async (sql) => {
          const [row] = await run<Omit<SavedList, 'tickers'> & { readonly tickers: string }>(
            sql,
            `SELECT id, name, tickers, saved_at AS "savedAt" FROM barograph.watchlists WHERE customer = $1 AND id = $2`,
            [customerId, id],
          );
          return row === undefined ? null : { ...row, tickers: JSON.parse(row.tickers) as string[] };
        }),
      ),
    save: (customerId, { id, name, tickers, savedAt }) =>
      answer(() =>
        savings.pass(() =>
          alone((session) =>
            session.transaction(async (sql) => {
              // Two new lists of one customer wait for each other, so that both are counted.
              await run(sql, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 7470))', [customerId]);
              const [others] = await run<{ lists: number }>(sql, OTHERS, [customerId, id]);
              if (others!.lists >= MOST_WATCHLISTS) throw new TooManyWatchlists();
              await run(sql, SAVE, [customerId, id, name, JSON.stringify(tickers), savedAt]);
            }),
          ),
        ),
      ),
    close: () => pool.close(),
  };
}
