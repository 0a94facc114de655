// The log in the archive file: how an older file gets it, what its reads cost, and that it cannot be bent unseen.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leafText, type StatementQuery } from '../../src/domain/facts/statement.js';
import { LATEST } from '../../src/kernel/instant.js';
import { leafHash, MerkleFrontier } from '../../src/kernel/merkle.js';
import { peakPlaces, storedRoot } from '../../src/kernel/tree-proofs.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { statementsSql } from '../../src/storage/sqlite/log-reads.js';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/schema.js';
import { placeNumber } from '../../src/storage/tree-store.js';
import { boundary, frameOf, gather, KINDS, statement, T0 } from './samples.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-log-'));
  file = join(folder, 'data', 'archive.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => sqliteStore({ file, clock: () => T0 });

/** Behind the archive's back. */
function ask(text: string): unknown[] {
  const database = new DatabaseSync(file, { returnArrays: true });
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}

async function versionOne(): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(await readFile(join(import.meta.dirname, 'golden', 'archive-1.sql'), 'utf8'));
  database.close();
}

async function expectVersionOneData(reader: ArchiveReader): Promise<void> {
  expect((await reader.extent()).highWater).toBe(24);
  let facts = 0;
  for (const kind of KINDS) facts += (await gather(reader.facts(kind, { knownBy: LATEST }))).length;
  expect(facts).toBe(20);
  expect(await reader.cursor('c')).toBe('v');
  expect(await reader.boardAt(boundary(1))).toHaveLength(2);
  const signals = await reader.emissions({ kind: 'signal', knownBy: LATEST, limit: 9 });
  expect(signals.map(({ sequence, body }) => [sequence, body])).toEqual([
    [22, { n: 0 }],
    [24, { n: 1 }],
  ]);
}

describe('a file of version 1', () => {
  it('is brought up to date by a reader, with all its data and an empty log', async () => {
    await versionOne();
    expect(ask('SELECT version FROM schema_version')).toEqual([[1]]);
    const reader = await open().openReader();
    await expectVersionOneData(reader);
    expect(await reader.logSize(LATEST)).toBe(0);
    expect(ask('SELECT version FROM schema_version')).toEqual([[SCHEMA_VERSION]]);
    await reader.close();
  });

  it('is brought up to date by the writer, which goes on in its sequence', async () => {
    await versionOne();
    const writer = await open().openWriter();
    await writer.appendFrame(frameOf(boundary(2), []), [], [statement('attention_frame')]);
    expect(await writer.leaf(0)).toMatchObject({ index: 0, sequence: 26 });
    await writer.close();
    const again = await open().openReader();
    expect(await again.logSize(LATEST)).toBe(1);
    await again.close();
  });

  it('stays as it was when the change fails half-way', async () => {
    await versionOne();
    ask('CREATE TABLE tree_node(in_the_way INTEGER)');
    await expect(open().openReader()).rejects.toThrow('tree_node already exists');
    await expect(open().openWriter()).rejects.toThrow('tree_node already exists');
    expect(
      ask(`SELECT version, (SELECT count(*) FROM sqlite_schema WHERE name = 'leaf') FROM schema_version`),
    ).toEqual([[1, 0]]);
    ask('DROP TABLE tree_node');
    const writer = await open().openWriter();
    await expectVersionOneData(writer);
    await writer.close();
  });
});

it('seeks statements in an index and reads no more than it gives out', async () => {
  await (await open().openWriter()).close();
  const plan = (query: Partial<StatementQuery>): string => {
    const text = statementsSql({ kind: 'hypothesis', knownBy: 0, limit: 1, ...query });
    return JSON.stringify(ask(`EXPLAIN QUERY PLAN ${text.replaceAll('?', '1')}`));
  };
  const subject = plan({ subject: 'h', afterIndex: 1, newest: true });
  expect(subject).toContain('COVERING INDEX leaf_subject (kind=? AND subject=? AND place>? AND place<?)');
  const kind = plan({ afterIndex: 1, newest: true, to: 5 });
  expect(kind).toContain('COVERING INDEX leaf_kind (kind=? AND place>? AND place<?)');
  expect(subject + kind).not.toContain('TEMP B-TREE');
  expect(plan({ from: 1, to: 5 })).toContain('COVERING INDEX leaf_at (kind=? AND at>? AND at<?)');
});

it('never gives out a text or a place that is not what its leaf says', async () => {
  const writer = await open().openWriter();
  await writer.state([statement('macro_frame', { attachment: 'as it was' })]);
  await writer.close();
  ask(`UPDATE leaf_attachment SET bytes = CAST('as it is' AS BLOB), deflated = 0`);
  const reader = await open().openReader();
  await expect(reader.attachment(0)).rejects.toThrow('damaged');
  await reader.close();
});

it('goes on far beyond 2^32 leaves', async () => {
  const size = 2 ** 40 + 2 ** 32 + 3;
  const writer = await open().openWriter();
  const [first] = await writer.state([statement('genesis')]);
  await writer.close();
  // A log that has grown for ages: the last leaf, and the subtrees that a writer goes on from.
  const database = new DatabaseSync(file);
  const peaks = peakPlaces(size).map((place) => ({ ...place, hash: leafHash(`${place.level}`) }));
  database.exec(`UPDATE leaf SET place = ${size - 1}`);
  database.exec('DELETE FROM tree_node');
  const insert = database.prepare('INSERT INTO tree_node VALUES (?, ?)');
  for (const peak of peaks) insert.run(placeNumber(peak), peak.hash);
  database.close();

  const next = await open().openWriter();
  expect(await next.logSize(LATEST)).toBe(size);
  const frontier = MerkleFrontier.restore({ size, peaks: peaks.map(({ hash }) => hash.toString('hex')) });
  const stated = await next.state([statement('ontology'), statement('ontology', { subject: 'o' })]);
  expect(stated.map(({ index }) => index)).toEqual([size, size + 1]);
  for (const leaf of stated) frontier.append(leafHash(leafText(leaf)));
  expect(await storedRoot(size + 2, (places) => next.treeHashes(places))).toEqual(frontier.root());
  expect(await next.treeRow(0, size, 9)).toEqual(stated.map((leaf) => leafHash(leafText(leaf))));
  expect(await next.leaf(size + 1)).toEqual(stated[1]);
  expect(await next.statements({ kind: 'ontology', knownBy: LATEST, afterIndex: size, limit: 9 })).toEqual([
    stated[1],
  ]);
  expect(await next.statements({ kind: 'genesis', knownBy: LATEST, limit: 9 })).toEqual([
    { ...first, index: size - 1 },
  ]);
  await next.close();
});
