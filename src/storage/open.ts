// Opens the ports as the configuration names them: embedded on one machine, PostgreSQL and Redis on several.
import { join } from 'node:path';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveStore } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import { memoryBus } from './memory/bus.js';
import { postgresStore } from './postgres/archive.js';
import { redisBus } from './redis/bus.js';
import { redisCounters } from './redis/counters.js';
import { sqliteStore } from './sqlite/archive.js';
import { sqliteCounters } from './sqlite/counters.js';

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
