// Limits and quotas in a file of their own: several processes share them, and a restart gives nothing back.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Instant } from '../../kernel/instant.js';
import { type Charge, type Counters, CountersUnavailable, type Standing } from '../../ports/counters.js';
import { decide, type Used, windowsAt } from '../admission.js';
import { Connection, numberIn } from './connection.js';

/** NORMAL outlives the process but not a power cut: a disk flush per request would cost more than a quota. */
const SETTINGS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL';

/** The minute window of a bucket stands beside its day windows, under an empty quota. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS window(bucket TEXT NOT NULL, quota TEXT NOT NULL, reset_at INTEGER NOT NULL,
  used REAL NOT NULL, PRIMARY KEY (bucket, quota)) STRICT, WITHOUT ROWID`;
const MINUTE_QUOTA = '';

export function sqliteCounters({ file, clock }: { readonly file: string; readonly clock: Clock }): Counters {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Connection(file);
  connection.exec(SETTINGS);
  connection.exec(SCHEMA);
  const read = connection.prepare('SELECT used FROM window WHERE bucket = ? AND quota = ? AND reset_at = ?');
  const write = connection.prepare(
    `INSERT INTO window VALUES (?, ?, ?, ?)
     ON CONFLICT (bucket, quota) DO UPDATE SET reset_at = excluded.reset_at, used = excluded.used`,
  );
  const take = connection.prepare(
    'UPDATE window SET used = max(0, used - ?) WHERE bucket = ? AND quota = ? AND reset_at = ?',
  );
  const sweep = connection.prepare('DELETE FROM window WHERE reset_at <= ?');
  let sweptAt: Instant | null = null;

  const used = (bucket: string, quota: string, resetAt: Instant): number =>
    numberIn(read.get(bucket, quota, resetAt)?.[0] ?? 0);
  const dayQuota = ({ quota }: Pick<Charge, 'quota'>): string => `day ${quota}`;
  const look = (charge: Charge): Standing => {
    const ends = windowsAt(clock());
    const before: Used = {
      minuteUsed: used(charge.bucket, MINUTE_QUOTA, ends.minuteResetAt),
      dayUsed: used(charge.bucket, dayQuota(charge), ends.dayResetAt),
    };
    return { refused: decide(charge, before), ...before, ...ends };
  };
  const admit = (charge: Charge): Standing => {
    const standing = look(charge);
    if (standing.refused !== null) return standing;
    const { at, minuteResetAt, dayResetAt } = standing;
    const minuteUsed = standing.minuteUsed + charge.cost;
    const dayUsed = standing.dayUsed + charge.cost;
    write.run(charge.bucket, MINUTE_QUOTA, minuteResetAt, minuteUsed);
    write.run(charge.bucket, dayQuota(charge), dayResetAt, dayUsed);
    if (sweptAt !== minuteResetAt) sweep.run(at);
    sweptAt = minuteResetAt;
    return { ...standing, minuteUsed, dayUsed };
  };
  const giveBack: (...given: Parameters<Counters['giveBack']>) => void = (calls, windows) => {
    take.run(calls.cost, calls.bucket, MINUTE_QUOTA, windows.minuteResetAt);
    take.run(calls.cost, calls.bucket, dayQuota(calls), windows.dayResetAt);
  };
  const answer = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new CountersUnavailable(error);
    }
  };

  return {
    admit: async (charge) => answer(() => connection.transaction(() => admit(charge))),
    peek: async (charge) => answer(() => look(charge)),
    giveBack: async (...given) => answer(() => connection.transaction(() => giveBack(...given))),
    async healthy() {
      try {
        read.get('', '', 0);
        return true;
      } catch {
        return false;
      }
    },
    close: async () => connection.close(),
  };
}
