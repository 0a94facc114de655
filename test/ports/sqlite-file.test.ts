// What only a file can promise: it outlives its process, however that ends, and knows its own version.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { leafText } from '../../src/domain/facts/statement.js';
import { DAY, LATEST, MINUTE } from '../../src/kernel/instant.js';
import { leafHash, merkleRoot } from '../../src/kernel/merkle.js';
import { storedRoot, type TreePlace } from '../../src/kernel/tree-proofs.js';
import { RecorderBusy } from '../../src/ports/archive.js';
import { CountersUnavailable } from '../../src/ports/counters.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { sqliteCounters } from '../../src/storage/sqlite/counters.js';
import { laterSql, sameInstantSql } from '../../src/storage/sqlite/fact-reads.js';
import { FIRST_SCHEMA, SCHEMA_VERSION } from '../../src/storage/sqlite/schema.js';
import { boundary, gather, KINDS, post, report, statement, T0, testClock } from './samples.js';

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

it('opens as it is without making, changing or leaving anything', async () => {
  const asItIs = () => open().openReader({ asItIs: true });
  await expect(asItIs()).rejects.toThrow(`there is no archive at ${file} yet`);
  expect(existsSync(join(folder, 'data'))).toBe(false);
  const writer = await open().openWriter();
  await writer.append({ facts: [report(post('1'))] });
  // While somebody writes, what is only in the log is seen too.
  const beside = await asItIs();
  expect((await beside.extent()).highWater).toBe(1);
  await beside.close();
  await writer.close();
  // Connections of this process may linger until they are collected; a copy has none.
  const copy = join(folder, 'a copy #1.sqlite');
  await copyFile(file, copy);
  const database = new DatabaseSync(copy);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const before = readdirSync(folder);
  const still = await sqliteStore({ file: copy, clock: () => T0 }).openReader({ asItIs: true });
  expect((await still.extent()).highWater).toBe(1);
  await still.close();
  expect(readdirSync(folder)).toEqual(before);
});

it('tells an earlier version from the present one, and lets it be when asked to', async () => {
  await (await open().openWriter()).close();
  const database = new DatabaseSync(file);
  database.exec('UPDATE schema_version SET version = 2');
  await expect(open().openReader({ asItIs: true })).rejects.toThrow(
    `${file} has schema version 2; the next start brings it to ${SCHEMA_VERSION}`,
  );
  expect(database.prepare('SELECT version FROM schema_version').get()).toEqual({ version: 2 });
  database.close();
});

it('refuses a file of a newer program, in words', async () => {
  await (await open().openWriter()).close();
  const database = new DatabaseSync(file);
  database.exec('UPDATE schema_version SET version = 99');
  database.close();
  const known = `this program knows versions up to ${SCHEMA_VERSION}`;
  await expect(open().openWriter()).rejects.toThrow(`schema version 99; ${known}`);
  await expect(open().openReader()).rejects.toThrow('schema version 99');
  // A refusal must not keep the recorder's lock.
  const mended = new DatabaseSync(file);
  mended.exec(`UPDATE schema_version SET version = ${SCHEMA_VERSION}`);
  mended.close();
  await (await open().openWriter()).close();
});

it('takes over the posts of a first file as they were', async () => {
  mkdirSync(join(folder, 'data'));
  const database = new DatabaseSync(file);
  database.exec(FIRST_SCHEMA);
  database.exec(`INSERT INTO name VALUES (0, 'stocktwits'), (1, 'en'); INSERT INTO ticker VALUES (0, 'GME'), (1, 'BRK.B');
    UPDATE tail SET sequence = 9, live_at = ${T0}, first_known_at = ${T0 - 5}, last_known_at = ${T0}`);
  const insert = database.prepare(`INSERT INTO post VALUES (${'?, '.repeat(19)}?)`);
  const [shingles, objects] = [Uint32Array.of(3, 70_000, 4_000_000_000), Float64Array.of(2 ** 51 + 1)];
  const mentions = Uint8Array.of(4 + 1, 2);
  // Sequence, known, effective, source, backfilled, provider, id, author, narrative, flags and the rest.
  const older = [4, T0 - 5, T0 - 9, 0, 1, 0, 'a', 2 ** 51, 77, 3, mentions, shingles, objects, 'né', 1];
  const newer = [9, T0, T0 - 2, 0, 0, 0, 'b', 1, 78, 0, new Uint8Array(0), new Uint8Array(0), null, '', null];
  insert.run(...older, T0 - DAY, 5, 0, 1, 2);
  insert.run(...newer, null, null, null, null, null);
  database.close();
  for (const archive of [await open().openReader(), await open().openWriter()]) {
    const [first, second, ...more] = await gather(archive.facts('post', { knownBy: LATEST }));
    expect(more).toEqual([]);
    expect(first).toMatchObject({ sequence: 4, knownAt: T0 - 5, effectiveAt: T0 - 9, backfilled: true });
    expect(first!.source).toBe('stocktwits');
    expect(first!.body).toEqual({
      kind: 'post',
      provider: 'stocktwits',
      id: 'a',
      author: 2 ** 51,
      narrative: 77,
      providerTags: true,
      financeContext: true,
      mentions: [
        { ticker: 'BRK.B', form: 'cashtag' },
        { ticker: 'GME', form: 'bare' },
      ],
      shingles,
      objects: [2 ** 51 + 1],
      excerpt: 'né',
      lang: 'en',
      authorCreatedAt: T0 - DAY,
      followers: 5,
      likes: 0,
      reposts: 1,
      replies: 2,
    });
    expect(second).toMatchObject({
      sequence: 9,
      backfilled: false,
      body: { id: 'b', lang: null, likes: null },
    });
    expect(await archive.seenPosts([{ provider: 'stocktwits', id: 'b' }])).toEqual([true]);
    await archive.close();
  }
});

it('stores a batch in which posts repeat one another and the archive', async () => {
  const writer = await open().openWriter();
  await writer.append({ facts: [report(post('7'))] });
  const ids = Array.from({ length: 100 }, (_, i) => String(i % 60));
  const { facts, duplicates, highWater } = await writer.append({ facts: ids.map((id) => report(post(id))) });
  expect(facts.map(({ body }) => (body as { id: string }).id)).toEqual(
    [...new Set(ids)].filter((id) => id !== '7'),
  );
  expect(facts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 59 }, (_, i) => i + 2));
  expect({ duplicates, highWater }).toEqual({ duplicates: 41, highWater: 60 });
  expect(await gather(writer.facts('post', { knownBy: LATEST }))).toHaveLength(60);
  await writer.close();
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
  for (const [round, lines] of [5, 40].entries()) {
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
    // Two statements with every frame, one of the last round, and a tree over them that a new writer goes on from.
    const size = await writer.logSize(LATEST);
    expect(size).toBe(2 * frames.length + round);
    expect(posts.length + frames.length + size).toBe(highWater);
    const [more] = await writer.state([statement('universe')]);
    expect(more!.index).toBe(size);
    const fetch = (places: readonly TreePlace[]) => writer.treeHashes(places);
    expect(await storedRoot(size + 1, fetch)).toEqual(merkleRoot(await writer.treeRow(0, 0, size + 1)));
    expect(await writer.treeRow(0, size, 9)).toEqual([leafHash(leafText(more!))]);
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
