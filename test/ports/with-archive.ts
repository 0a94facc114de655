// Lends a test an empty archive with its clock and writer, and clears up behind it.

import type { Clock } from '../../src/kernel/instant.js';
import type { ArchiveStore, ArchiveWriter } from '../../src/ports/archive.js';
import { type TestClock, testClock } from './samples.js';

export interface OpenedStore {
  readonly store: ArchiveStore;
  /** Drops the data. Called when every reader and writer is closed. */
  readonly remove: () => Promise<void>;
}

export type OpenStore = (clock: Clock) => Promise<OpenedStore>;

export interface Lent {
  readonly store: ArchiveStore;
  readonly writer: ArchiveWriter;
  readonly clock: TestClock;
}

export async function withArchive(openStore: OpenStore, test: (lent: Lent) => Promise<void>): Promise<void> {
  const clock = testClock();
  const { store, remove } = await openStore(() => clock.now());
  try {
    const writer = await store.openWriter();
    try {
      await test({ store, writer, clock });
    } finally {
      await writer.close();
    }
  } finally {
    await remove();
  }
}
