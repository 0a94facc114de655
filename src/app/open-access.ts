// Opens what decides about callers: the keyring with its watch on the key file, the audit, and the guard.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AddressCeiling, FAILED_KEYS_A_MINUTE } from '../access/address-ceiling.js';
import { type Audit, audit, auditKeyring } from '../access/audit.js';
import { clientAddress } from '../access/client-address.js';
import { type AccessGuard, accessGuard } from '../access/guard.js';
import { KeyWatch, LOOK_EVERY_MS } from '../access/key-watch.js';
import { Keyring } from '../access/keyring.js';
import { anonymousPlan } from '../access/plans.js';
import type { PrepaidCounters } from '../access/prepaid.js';
import type { Clock } from '../kernel/instant.js';
import type { Before } from '../surfaces/http/early.js';
import { retiredRoutes } from '../surfaces/http/retired-routes.js';
import type { Config } from './config.js';
import { keyFileSource } from './key-file.js';
import type { Log } from './log.js';
import { addressSecret } from './secrets.js';

export interface OpenAccess {
  readonly keyring: Keyring;
  readonly guard: AccessGuard;
  readonly failedKeys: AddressCeiling;
  readonly audit: Audit;
  /** Answers the retired routes, and lets the audit know. */
  readonly retired: Before;
  close(): Promise<void>;
}

export async function openAccess(
  config: Config,
  counters: PrepaidCounters,
  clock: Clock,
  log: Log,
): Promise<OpenAccess> {
  await mkdir(config.dataFolder, { recursive: true });
  const lines = createWriteStream(join(config.dataFolder, 'audit.jsonl'), { flags: 'a', mode: 0o600 });
  lines.on('error', (error) => log.error({ event: 'audit.failure', error: error.message }));
  const write = audit((line) => void lines.write(line), clock);

  const keyring = new Keyring(clock);
  auditKeyring(keyring, write);
  keyring.onChange(({ read }) => {
    for (const { index, id, because } of read?.ignored ?? []) {
      log.warn({ event: 'key.ignored', index, key_id: id, because });
    }
  });
  const watch = new KeyWatch(keyring, keyFileSource(config.keysFile));
  await watch.look();
  const timer = setInterval(() => void watch.look(), LOOK_EVERY_MS);
  timer.unref();

  const failedKeys = new AddressCeiling(FAILED_KEYS_A_MINUTE, clock);
  const guard = accessGuard({
    keyring,
    counters,
    audit: write,
    clock,
    trustedProxies: config.trustedProxies,
    addressSecret: await addressSecret(config.dataFolder),
    failedKeys,
    anonymousPlan: anonymousPlan(config.anonymous.perMinute, config.anonymous.perDay),
  });
  return {
    keyring,
    guard,
    failedKeys,
    audit: write,
    retired: retiredRoutes((code, call, requestId) => {
      const address = clientAddress(call, config.trustedProxies);
      write({ event: 'retired.hit', reason: code }, { requestId, address });
    }),
    async close() {
      clearInterval(timer);
      await new Promise<void>((resolve) => lines.end(resolve));
    },
  };
}
