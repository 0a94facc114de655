// Opens the ports as the configuration names them: embedded on one machine, PostgreSQL and Redis on several.
import { join } from 'node:path';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveStore } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import type { Watchlists } from '../ports/watchlists.js';
import { memoryBus } from './memory/bus.js';
import { postgresStore } from './postgres/archive.js';
import { postgresWatchlists } from './postgres/watchlists.js';
import { redisBus } from './redis/bus.js';
import { redisCounters } from './redis/counters.js';
import { sqliteStore } from './sqlite/archive.js';
import { sqliteCounters } from './sqlite/counters.js';
import { sqliteWatchlists } from './sqlite/watchlists.js';

export type ArchiveAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export function openStore(address: ArchiveAddress, clock: Clock): ArchiveStore {
  return address.kind === 'sqlite'
    ? sqliteStore({ file: address.file, clock })
    : postgresStore({ url: address.url, clock });
}

export function openBus(redisUrl: string | null): Bus {
  return redisUrl === null ? memoryBus() : redisBus({ url: redisUrl });
}

/** A configured shared store that is down is an error, never a reason to count locally. */
export function openCounters(redisUrl: string | null, dataFolder: string, clock: Clock): Counters {
  return redisUrl === null
    ? sqliteCounters({ file: join(dataFolder, 'counters.sqlite'), clock })
    : redisCounters({ url: redisUrl });
}

/** Beside a shared archive they are shared too; otherwise they lie in the data folder. */
export function openWatchlists(address: ArchiveAddress, dataFolder: string): Watchlists {
  return address.kind === 'postgres'
    ? postgresWatchlists({ url: address.url })
    : sqliteWatchlists({ file: join(dataFolder, 'watchlists.sqlite') });
}
