// The archive against a real PostgreSQL server, also while it is hurt.
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresStore } from '../../src/storage/postgres/archive.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { type PostgresServer, startPostgres } from '../servers/postgres.js';
import { archiveSuite } from './archive.suite.js';

describe.skipIf(!installed('PostgreSQL', postgresBinaries()))('postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server?.stop());

  archiveSuite('postgres', async (clock) => ({
    store: postgresStore({ url: await server.createDatabase(), clock }),
    remove: async () => {},
  }));
});
