// What only a file can promise: it outlives its process, however that ends, and knows its own version.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, LATEST, MINUTE } from '../../src/kernel/instant.js';
import { RecorderBusy } from '../../src/ports/archive.js';
import { CountersUnavailable } from '../../src/ports/counters.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { sqliteCounters } from '../../src/storage/sqlite/counters.js';
import { laterSql, sameInstantSql } from '../../src/storage/sqlite/fact-reads.js';
import { boundary, gather, KINDS, post, report, T0, testClock } from './samples.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-file-'));
  file = join(folder, 'data', 'archive.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => sqliteStore({ file, clock: () => T0 });

it('lets a reader come before the first writer', async () => {
  const reader = await open().openReader();
  expect((await reader.extent()).highWater).toBe(0);
  const writer = await open().openWriter();
  await writer.append({ facts: [report(post('1'))] });
  expect(await gather(reader.facts('post', { knownBy: LATEST }))).toHaveLength(1);
  await reader.close();
  await writer.close();
});

it('refuses a file of a newer program, in words', async () => {
  await (await open().openWriter()).close();
  const database = new DatabaseSync(file);
  database.exec('UPDATE schema_version SET version = 2');
  database.close();
  await expect(open().openWriter()).rejects.toThrow('schema version 2; this program knows versions up to 1');
  await expect(open().openReader()).rejects.toThrow('schema version 2');
  // A refusal must not keep the recorder's lock.
  const mended = new DatabaseSync(file);
  mended.exec('UPDATE schema_version SET version = 1');
  mended.close();
  await (await open().openWriter()).close();
});

it('is one whole file once the writer is closed', async () => {
  const writer = await open().openWriter();
  await writer.append({ facts: [report(post('1'))] });
  await writer.close();
  const copy = join(folder, 'copy.sqlite');
  await copyFile(file, copy);
  const reader = await sqliteStore({ file: copy, clock: () => T0 }).openReader();
  expect(await gather(reader.facts('post', { knownBy: LATEST }))).toHaveLength(1);
  await reader.close();
});

it('answers every read of facts in the order of an index', async () => {
  await (await open().openWriter()).close();
  const database = new DatabaseSync(file);
  const plan = (sql: string): string => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  for (const kind of KINDS) {
    expect(plan(laterSql(kind))).toContain('known_at>? AND known_at<?');
    expect(plan(sameInstantSql(kind))).toContain('known_at=? AND rowid>?');
    expect(plan(laterSql(kind)) + plan(sameInstantSql(kind))).not.toContain('TEMP B-TREE');
  }
  database.close();
});

/** Runs a program of this folder in a process of its own. */
async function start(program: string, path: string): Promise<ChildProcess> {
  const outDir = join(folder, program);
  const ssr = resolve(`test/ports/${program}.ts`);
  await build({ configFile: false, logLevel: 'silent', build: { ssr, outDir, emptyOutDir: true } });
  await symlink(resolve('node_modules'), join(folder, 'node_modules')).catch(() => {});
  return spawn(process.execPath, [join(outDir, `${program}.js`), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads what the child says until it has spoken `lines` times, kills it, and returns its last whole line. */
async function killAfter(
  child: ChildProcess,
  lines: number,
  meanwhile: () => Promise<void>,
): Promise<number[]> {
  let last = '';
  let count = 0;
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout! })) {
    last = line;
    count += 1;
    if (count === 1) await meanwhile();
    if (count === lines) child.kill('SIGKILL');
  }
  await closed;
  return last.split(' ').map(Number);
}

it('loses nothing that was acknowledged when the recorder is killed, and is free at once', async () => {
  for (const lines of [5, 40]) {
    const child = await start('recorder-child', file);
    const [sequence, n] = await killAfter(child, lines, async () => {
      await expect(open().openWriter()).rejects.toBeInstanceOf(RecorderBusy);
    });
    const reader = await open().openReader();
    expect((await reader.extent()).highWater).toBeGreaterThanOrEqual(sequence!);
    expect((await reader.frameAt(LATEST))?.at).toBeGreaterThanOrEqual(boundary(n!));
    await reader.close();

    const writer = await open().openWriter();
    const { highWater } = await writer.extent();
    const posts = await gather(writer.facts('post', { knownBy: LATEST }));
    const frames = await gather(writer.frames(0, LATEST));
    expect(posts.length % 10).toBe(0);
    expect(posts.length + frames.length).toBe(highWater);
    expect(await writer.cursor('child')).toBe(posts.at(-1)?.body.id.split('-')[0]);
    expect(await writer.boardAt(frames.at(-1)!.at)).toHaveLength(3);
    await writer.close();
  }
});

it('hands the archive to a standby when the recorder is killed', async () => {
  const child = await start('recorder-child', file);
  const standby = new Promise<Awaited<ReturnType<ReturnType<typeof open>['openWriter']>>>(
    (resolve, reject) => {
      void killAfter(child, 10, async () => {
        open().openWriter({ standby: new AbortController().signal }).then(resolve, reject);
      });
    },
  );
  const writer = await standby;
  const { highWater } = await writer.extent();
  expect((await writer.append({ facts: [report(post('after'))] })).highWater).toBe(highWater + 1);
  await writer.close();
});

const charge = { bucket: 'a', minuteLimit: 5, quota: 'q', dayLimit: 8, cost: 5 };

it('gives no quota back when the counters restart', async () => {
  const counters = join(folder, 'counters.sqlite');
  const first = sqliteCounters({ file: counters, clock: () => T0 });
  await first.admit(charge);
  await first.close();
  const second = sqliteCounters({ file: counters, clock: () => T0 });
  expect(await second.admit({ ...charge, cost: 1 })).toMatchObject({
    refused: 'rate_limited',
    minuteUsed: 5,
    dayUsed: 5,
  });
  await second.close();
  await expect(second.admit(charge)).rejects.toBeInstanceOf(CountersUnavailable);
  expect(await second.healthy()).toBe(false);
});

it('admits exactly as many calls of several processes as the limit allows', async () => {
  const path = join(folder, 'counters.sqlite');
  const children = await Promise.all(Array.from({ length: 3 }, () => start('counters-child', path)));
  const said = await Promise.all(children.map((child) => text(child.stdout!)));
  const [admitted, limits] = [0, 1].map((i) => said.map((line) => Number(line.split(' ')[i])));
  expect(admitted!.reduce((a, b) => a + b)).toBe(limits![0]);
});

it('clears windows that have ended, and writes nothing when asked to look', async () => {
  const path = join(folder, 'counters.sqlite');
  const clock = testClock();
  const counters = sqliteCounters({ file: path, clock: clock.now });
  const rows = (): unknown => {
    const database = new DatabaseSync(path, { returnArrays: true });
    const [[count]] = database.prepare('SELECT count(*) FROM window').all() as [[number]];
    database.close();
    return count;
  };
  await counters.peek(charge);
  expect(rows()).toBe(0);
  for (let n = 0; n < 50; n++) await counters.admit({ ...charge, bucket: `address ${n}` });
  expect(rows()).toBe(100);
  clock.advance(MINUTE);
  await counters.admit(charge);
  expect(rows()).toBe(52);
  clock.advance(DAY);
  await counters.admit(charge);
  expect(rows()).toBe(2);
  await counters.close();
});
