// The claim to be the one recorder: a lock that lives and dies with the session that will also do the writing.
import { setTimeout as sleep } from 'node:timers/promises';
import { ArchiveUnavailable, RecorderBusy } from '../../ports/archive.js';
import type { Address } from './address.js';
import { run } from './driver.js';
import { RECORDER_LOCK } from './locks.js';
import { migrate } from './migrate.js';
import { Session } from './session.js';

/** A standby asks again and again: one long wait inside the server would keep it from clearing away old rows. */
const ASK_AGAIN_MS = 250;
const RECONNECT_MS = 500;

/**
 * - The server must notice within seconds that a recorder's machine has vanished, or no standby could follow.
 * - The recorder looks up keys and nothing else: a plan made while a table was empty must hold when it has grown.
 */
const SETTINGS = `
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 2;
SET tcp_keepalives_count = 5;
SET enable_seqscan = off;
SET jit = off;
`;

export async function claimRecorder(
  address: Address,
  patienceMs: number,
  standby: AbortSignal | undefined,
): Promise<Session> {
  let reached = false;
  for (;;) {
    standby?.throwIfAborted();
    const session = new Session(address, patienceMs);
    try {
      await migrate(session);
      reached = true;
      await session.run((sql) => sql.unsafe(SETTINGS));
      if (await hold(session, standby)) return session;
      throw new RecorderBusy(address.location);
    } catch (error) {
      await session.end();
      // A standby outlives its server; but an address that never answered is more likely a wrong one.
      const again = standby !== undefined && reached && error instanceof ArchiveUnavailable;
      if (!again) throw error;
      await pause(RECONNECT_MS, standby);
    }
  }
}

/** So that the next recorder need not wait until the server has noticed the end of the session. */
export async function releaseRecorder(session: Session): Promise<void> {
  if (!session.lost) {
    await session.run((sql) => sql.unsafe(`SELECT pg_advisory_unlock(${RECORDER_LOCK})`)).catch(() => {});
  }
  await session.end();
}

async function hold(session: Session, standby: AbortSignal | undefined): Promise<boolean> {
  for (;;) {
    const text = `SELECT pg_try_advisory_lock(${RECORDER_LOCK}) AS held`;
    const [row] = await session.run((sql) => run<{ held: boolean }>(sql, text));
    if (row?.held === true) return true;
    if (standby === undefined) return false;
    await pause(ASK_AGAIN_MS, standby);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}
