// The macro desk behind its thread: the same answers as in this one, and back again after the thread has died.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localMacroDesk } from '../../src/answers/macro/local-desk.js';
import type { MacroDesk } from '../../src/answers/macro/macro-desk.js';
import { economyReports } from '../../src/connectors/fixture/economy/economy.js';
import { DAY } from '../../src/kernel/instant.js';
import { dayOf } from '../../src/kernel/new-york-time.js';
import { openStore } from '../../src/storage/open.js';

// A thread needs a file that Node can run: the built one.
const built = new URL('../../dist/app/macro-thread-desk.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'barograph-desk-'));
const archive = { kind: 'sqlite', file: join(folder, 'archive.sqlite') } as const;
const TO = dayOf(2020, 3, 2);
const AT = TO * DAY;
const clock = () => AT + DAY;

let thread: MacroDesk;
let local: MacroDesk;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const store = await openStore(archive, clock);
  const writer = await store.openWriter();
  await writer.append({ facts: [...economyReports(3, dayOf(2019, 9, 2), TO)] });
  await writer.close();
  const reader = await store.openReader();
  local = localMacroDesk(reader, clock);
  const { threadMacroDesk } = (await import(built)) as {
    threadMacroDesk: (config: { archive: typeof archive }) => MacroDesk;
  };
  thread = threadMacroDesk({ archive });
  closers.push(
    () => thread.close(),
    () => local.close(),
    () => reader.close(),
  );
}, 60_000);
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});

it('gives the same answers as the desk of this thread, several at once', { timeout: 60_000 }, async () => {
  const ask = (desk: MacroDesk) =>
    Promise.all([
      desk.edition(AT),
      desk.briefing(AT),
      desk.detail('UST10Y', AT, 5),
      desk.regimes(AT, 3),
      desk.changes(AT - 5 * DAY, AT),
      desk.drivers('XLE', AT),
    ]);
  const [far, near] = await Promise.all([ask(thread), ask(local)]);
  expect(far).toEqual(near);
  expect(far[0]).toMatchObject({ knowledge: 'simulated', edition: { frame: { at: AT } } });
  expect(far[4].length).toBeGreaterThan(2);
});

it('says what went wrong, goes on, and starts again after its end', { timeout: 60_000 }, async () => {
  await expect(thread.detail('NOSUCH', AT, 5)).rejects.toThrow('no such index');
  expect((await thread.edition(AT)).edition.frame.at).toBe(AT);
  await thread.close();
  expect((await thread.edition(AT)).edition.frame.at).toBe(AT);
});
