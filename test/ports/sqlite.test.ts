// The SQLite stores against the suites of their ports.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { sqliteCounters } from '../../src/storage/sqlite/counters.js';
import { archiveSuite } from './archive.suite.js';
import { countersSuite } from './counters.suite.js';
import { testClock } from './samples.js';

async function folder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'barograph-sqlite-'));
  return { path, remove: () => rm(path, { recursive: true }) };
}

archiveSuite('sqlite', async (clock) => {
  const { path, remove } = await folder();
  return { store: sqliteStore({ file: join(path, 'data', 'archive.sqlite'), clock }), remove };
});

countersSuite('sqlite', async () => {
  const { path, remove } = await folder();
  const clock = testClock();
  const file = join(path, 'data', 'counters.sqlite');
  const counters = sqliteCounters({ file, clock: clock.now });
  const elsewhere = sqliteCounters({ file, clock: clock.now });
  return {
    counters,
    elsewhere,
    clock,
    async remove() {
      await counters.close();
      await elsewhere.close();
      await remove();
    },
  };
});
