// Watchlists in a file of their own: the archive file stays the recorder's.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  MOST_WATCHLISTS,
  type SavedList,
  TooManyWatchlists,
  type Watchlists,
  WatchlistsUnavailable,
} from '../../ports/watchlists.js';
import { Connection, numberIn, textIn } from './connection.js';

const SCHEMA = `CREATE TABLE IF NOT EXISTS watchlist(customer TEXT NOT NULL, id TEXT NOT NULL, name TEXT,
  tickers TEXT NOT NULL, saved_at INTEGER NOT NULL, PRIMARY KEY (customer, id)) STRICT, WITHOUT ROWID`;

export function sqliteWatchlists({ file }: { readonly file: string }): Watchlists {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Connection(file);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  connection.exec(SCHEMA);
  const read = connection.prepare(
    'SELECT id, name, tickers, saved_at FROM watchlist WHERE customer = ? AND id = ?',
  );
  const others = connection.prepare('SELECT count(*) FROM watchlist WHERE customer = ? AND id <> ?');
  const write = connection.prepare(
    `INSERT INTO watchlist VALUES (?, ?, ?, ?, ?) ON CONFLICT (customer, id)
     DO UPDATE SET name = excluded.name, tickers = excluded.tickers, saved_at = excluded.saved_at`,
  );
  const answer = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof TooManyWatchlists ? error : new WatchlistsUnavailable(error);
    }
  };

  return {
    find: async (customerId, id) =>
      answer((): SavedList | null => {
        const cells = read.get(customerId, id);
        if (cells === undefined) return null;
        return {
          id: textIn(cells[0]),
          name: cells[1] as string | null,
          tickers: JSON.parse(textIn(cells[2])) as string[],
          savedAt: numberIn(cells[3]),
        };
      }),
    save: async (customerId, { id, name, tickers, savedAt }) =>
      answer(() =>
        connection.transaction(() => {
          if (numberIn(others.get(customerId, id)?.[0]) >= MOST_WATCHLISTS) throw new TooManyWatchlists();
          write.run(customerId, id, name, JSON.stringify(tickers), savedAt);
        }),
      ),
    close: async () => connection.close(),
  };
}
