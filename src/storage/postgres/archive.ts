// The archive in PostgreSQL: one recorder, any number of readers, on any number of machines.
import type { Clock } from '../../kernel/instant.js';
import type { ArchiveStore } from '../../ports/archive.js';
import { parseAddress } from './address.js';
import { migrate, requireMigrated } from './migrate.js';
import { Pool } from './pool.js';
import { PostgresReader } from './reader.js';
import { claimRecorder, releaseRecorder } from './recorder-claim.js';
import { Session } from './session.js';
import { openWriter } from './writer.js';

export interface PostgresOptions {
  readonly url: string;
  readonly clock: Clock;
  /** How long one answer may take before the server counts as away. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

export function postgresStore({ url, clock, patienceMs = PATIENCE_MS }: PostgresOptions): ArchiveStore {
  const address = parseAddress(url);
  return {
    async openReader({ asItIs = false } = {}) {
      const session = new Session(address, patienceMs);
      try {
        await (asItIs ? requireMigrated(session, address.location) : migrate(session));
      } finally {
        await session.end();
      }
      return new PostgresReader(new Pool(address, patienceMs));
    },
    async openWriter({ standby } = {}) {
      const session = await claimRecorder(address, patienceMs, standby);
      try {
        return await openWriter(session, new Pool(address, patienceMs), clock);
      } catch (error) {
        await releaseRecorder(session);
        throw error;
      }
    },
  };
}
