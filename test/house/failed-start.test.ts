// A service that cannot start says why in one sentence, ends, and leaves no key behind that nobody has seen.
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/instant.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { runBarograph } from './run-barograph.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-failed-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves only when the process has ended by itself: nobody sends it a signal. */
const serve = (port: number) =>
  runBarograph(['serve'], {
    BAROGRAPH_DATA: folder,
    BAROGRAPH_PORT: String(port),
    BAROGRAPH_SOURCES: 'none',
    BAROGRAPH_LOG: 'warn',
  });

test('on an address that is taken', async () => {
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const { port } = neighbour.address() as AddressInfo;
  const { status, out, err } = await serve(port);
  neighbour.close();
  expect(status).toBe(1);
  expect(out).toBe('');
  expect(err).toBe(
    `barograph: 127.0.0.1:${port} is in use by another program; choose another with BAROGRAPH_HOST and BAROGRAPH_PORT\n`,
  );
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
});

test('beside another recorder', async () => {
  const archive = await sqliteStore({
    file: join(folder, 'archive.sqlite'),
    clock: systemClock,
  }).openWriter();
  const { status, out, err } = await serve(0);
  await archive.close();
  expect(status).toBe(1);
  expect(out).toBe('');
  expect(err).toMatch(
    /^barograph: another recorder writes to \S+; stop it first, or use another BAROGRAPH_DATA\n$/,
  );
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
});
