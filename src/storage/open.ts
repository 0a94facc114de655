// Opens the ports as the configuration names them: embedded on one machine, PostgreSQL and Redis on several.
// The clients of those two servers are loaded only where they are used: they are large.
import { join } from 'node:path';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveStore } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import type { Watchlists } from '../ports/watchlists.js';
import { memoryBus } from './memory/bus.js';
import { sqliteStore } from './sqlite/archive.js';
import { sqliteCounters } from './sqlite/counters.js';
import { sqliteWatchlists } from './sqlite/watchlists.js';

export type ArchiveAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export async function openStore(address: ArchiveAddress, clock: Clock): Promise<ArchiveStore> {
  if (address.kind === 'sqlite') return sqliteStore({ file: address.file, clock });
  const { postgresStore } = await import('./postgres/archive.js');
  return postgresStore({ url: address.url, clock });
}

export async function openBus(redisUrl: string | null): Promise<Bus> {
  if (redisUrl === null) return memoryBus();
  const { redisBus } = await import('./redis/bus.js');
  return redisBus({ url: redisUrl });
}

/** A configured shared store that is down is an error, never a reason to count locally. */
export async function openCounters(
  redisUrl: string | null,
  dataFolder: string,
  clock: Clock,
): Promise<Counters> {
  if (redisUrl === null) return sqliteCounters({ file: join(dataFolder, 'counters.sqlite'), clock });
  const { redisCounters } = await import('./redis/counters.js');
  return redisCounters({ url: redisUrl });
}

/** Beside a shared archive they are shared too; otherwise they lie in the data folder. */
export async function openWatchlists(address: ArchiveAddress, dataFolder: string): Promise<Watchlists> {
  if (address.kind === 'sqlite') return sqliteWatchlists({ file: join(dataFolder, 'watchlists.sqlite') });
  const { postgresWatchlists } = await import('./postgres/watchlists.js');
  return postgresWatchlists({ url: address.url });
}
