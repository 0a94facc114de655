// The recorder's claim on the archive: a lock that the operating system takes back when the process dies.
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { RecorderBusy } from '../../ports/archive.js';
import { isBusy } from './connection.js';

const POLL_MS = 100;

export interface RecorderLock {
  release(): void;
}

/** An exclusive transaction on a small file of its own, kept open; readers of the archive never touch that file. */
function tryLock(file: string): RecorderLock | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

/** Throws `RecorderBusy` at once, or with a signal waits until the lock is free or the signal aborts. */
export async function lockRecorder(
  file: string,
  location: string,
  standby?: AbortSignal,
): Promise<RecorderLock> {
  standby?.throwIfAborted();
  for (;;) {
    const lock = tryLock(file);
    if (lock !== null) return lock;
    if (standby === undefined) throw new RecorderBusy(location);
    await setTimeout(POLL_MS, undefined, { signal: standby });
  }
}
