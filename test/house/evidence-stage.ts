// A recorded week in miniature with a key of its own: what the tests of evidence look at, forge and spoil.
import { join } from 'node:path';
import { openReadSide, type ReadSide } from '../../src/answers/answers.js';
import { fixtureConnector } from '../../src/connectors/fixture/fixture-connector.js';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import type { Instant } from '../../src/kernel/instant.js';
import {
  formatVerifierKey,
  type NoteSigner,
  privateKeyFromSeed,
  verifierKey,
} from '../../src/kernel/signed-note.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import type { ArchiveReader, ArchiveStore } from '../../src/ports/archive.js';
import type { Connector } from '../../src/ports/connector.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { NOON, POLICY, TurnedClock } from './studio.js';

export const SIGNER: NoteSigner = {
  name: 'test.example/log',
  privateKey: privateKeyFromSeed(new Uint8Array(32).fill(5)),
};
export const KEY = formatVerifierKey(verifierKey(SIGNER.name, SIGNER.privateKey));

export class EvidenceStage {
  readonly clock = new TurnedClock(NOON);
  readonly file: string;
  readonly store: ArchiveStore;
  readonly #open: (() => Promise<void>)[] = [];

  constructor(folder: string, name: string) {
    this.file = join(folder, `${name}.sqlite`);
    this.store = sqliteStore({ file: this.file, clock: this.clock.now });
  }

  /** A recorder from where the archive stands until it has recorded the frame of `until`. */
  async record(until: Instant): Promise<RecordedHeader[]> {
    const archive = await this.store.openWriter();
    const frames: RecordedHeader[] = [];
    const recorder = await startRecorder({
      archive,
      bus: memoryBus(),
      connectors: [fixtureConnector({ seed: 7, historyDays: 1, ledgerDays: 20 }) as Connector],
      authorSecret: new Uint8Array(32),
      policy: POLICY,
      verifierKey: KEY,
      clock: this.clock.now,
      until: this.clock.until,
      cycleSeconds: 60,
      onFrame: (header) => frames.push(header),
    });
    while ((frames.at(-1)?.at ?? 0) < until) {
      await new Promise((resolve) => setImmediate(resolve));
      if (frames.length > 0) await this.clock.turnTo(Math.min(until, this.clock.now() + 10 * 1e6));
    }
    recorder.stop();
    this.clock.wakeAll();
    await recorder.done;
    await archive.close();
    return frames;
  }

  async reader(): Promise<ArchiveReader> {
    const archive = await this.store.openReader();
    this.#open.push(() => archive.close());
    return archive;
  }

  async ask(logSigner: NoteSigner | null = SIGNER): Promise<ReadSide> {
    const side = await openReadSide({
      archive: await this.reader(),
      bus: memoryBus(),
      counters: memoryCounters({ clock: this.clock.now }),
      watchlists: memoryWatchlists(),
      clock: this.clock.now,
      version: 'test',
      cursorSecret: new Uint8Array(32),
      logSigner,
    });
    this.#open.unshift(() => side.close());
    return side;
  }

  async clear(): Promise<void> {
    for (const close of this.#open.splice(0)) await close();
  }
}
