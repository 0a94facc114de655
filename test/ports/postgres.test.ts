// The archive against a real PostgreSQL server, also while it is hurt.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('opens as it is without making tables', async () => {
    const store = postgresStore({ url: await server.createDatabase(), clock: () => 0 });
    const asItIs = () => store.openReader({ asItIs: true });
    await expect(asItIs()).rejects.toThrow('there is no archive at');
    await expect(asItIs()).rejects.toThrow('there is no archive at');
    await (await store.openReader()).close();
    const reader = await asItIs();
    expect((await reader.extent()).highWater).toBe(0);
    await reader.close();
  });

  archiveSuite('postgres', async (clock) => ({
    store: postgresStore({ url: await server.createDatabase(), clock }),
    remove: async () => {},
  }));
});
