// A recorder that cannot start lets go of what it has opened.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/app/config.js';
import { runRecorder } from '../../src/app/run-recorder.js';
import { systemClock } from '../../src/kernel/instant.js';
import type { ArchiveStore } from '../../src/ports/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import * as storage from '../../src/storage/open.js';

const broken = vi.hoisted(() => ({ reader: false, writer: false }));

vi.mock('../../src/storage/open.js', async (original) => {
  const real = await original<typeof storage>();
  return {
    ...real,
    openStore: async (...given: Parameters<typeof real.openStore>): Promise<ArchiveStore> => {
      const store = await real.openStore(...given);
      const { reader, writer } = broken;
      return {
        openWriter: (options) =>
          writer ? Promise.reject(new Error('no writer today')) : store.openWriter(options),
        openReader: () => (reader ? Promise.reject(new Error('no reader today')) : store.openReader()),
      };
    },
  };
});

const mend = (): void => void Object.assign(broken, { reader: false, writer: false });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-start-'));
});
afterEach(() => {
  mend();
  rmSync(folder, { recursive: true, force: true });
});

async function failedStart(): Promise<{ reason: unknown; closed: boolean }> {
  const config = readConfig({ BAROGRAPH_DATA: folder, BAROGRAPH_SOURCES: 'fixture' });
  const bus = memoryBus();
  const close = vi.spyOn(bus, 'close');
  const { signal } = new AbortController();
  const log = pino({ level: 'silent' });
  const reason = await runRecorder({ config, log, clock: systemClock, signal, bus }).catch((error) => error);
  mend();
  // A second writer would be refused while the first one lives.
  const writer = await (await storage.openStore(config.archive, systemClock)).openWriter();
  await writer.close();
  return { reason, closed: close.mock.calls.length > 0 };
}

it('closes the bus when the writer cannot be opened', async () => {
  broken.writer = true;
  const { reason, closed } = await failedStart();
  expect([String(reason), closed]).toEqual(['Error: no writer today', true]);
});

it('closes the writer when the reader cannot be opened', async () => {
  broken.reader = true;
  const { reason, closed } = await failedStart();
  expect([String(reason), closed]).toEqual(['Error: no reader today', true]);
});

it('closes both when the key of the log is damaged', async () => {
  writeFileSync(join(folder, 'log.key'), 'short');
  const { reason, closed } = await failedStart();
  expect(String(reason)).toContain('log.key is damaged');
  expect(closed).toBe(true);
});
