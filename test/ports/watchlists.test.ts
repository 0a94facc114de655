// The stores of watchlists against the suite of their port.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { postgresWatchlists } from '../../src/storage/postgres/watchlists.js';
import { sqliteWatchlists } from '../../src/storage/sqlite/watchlists.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { type PostgresServer, startPostgres } from '../servers/postgres.js';
import { watchlistsSuite } from './watchlists.suite.js';

watchlistsSuite('memory', async () => {
  const lists = memoryWatchlists();
  return { lists, elsewhere: lists, remove: () => lists.close() };
});

watchlistsSuite('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'barograph-watchlists-'));
  const file = join(folder, 'data', 'watchlists.sqlite');
  const [lists, elsewhere] = [sqliteWatchlists({ file }), sqliteWatchlists({ file })];
  return {
    lists,
    elsewhere,
    async remove() {
      await Promise.all([lists.close(), elsewhere.close()]);
      await rm(folder, { recursive: true });
    },
  };
});

describe.skipIf(!installed('PostgreSQL', postgresBinaries()))('postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server?.stop());

  watchlistsSuite('postgres', async () => {
    const url = await server.createDatabase();
    const [lists, elsewhere] = [postgresWatchlists({ url }), postgresWatchlists({ url })];
    return {
      lists,
      elsewhere,
      async remove() {
        await Promise.all([lists.close(), elsewhere.close()]);
      },
    };
  });
});
