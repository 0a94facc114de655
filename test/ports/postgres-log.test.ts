// The log in PostgreSQL: how older tables get it, who may go on with it, and what its reads cost.
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leafText, type Statement, type StatementQuery } from '../../src/domain/facts/statement.js';
import { LATEST, systemClock } from '../../src/kernel/instant.js';
import { leafHash, MerkleFrontier, merkleRoot } from '../../src/kernel/merkle.js';
import { peakPlaces, storedRoot } from '../../src/kernel/tree-proofs.js';
import { type ArchiveReader, type ArchiveStore, ArchiveUnavailable } from '../../src/ports/archive.js';
import { postgresStore } from '../../src/storage/postgres/archive.js';
import { statementsSql } from '../../src/storage/postgres/log-reads.js';
import { SCHEMA_VERSIONS } from '../../src/storage/postgres/schema.js';
import { placeNumber } from '../../src/storage/tree-store.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { askPostgres, type PostgresServer, startPostgres } from '../servers/postgres.js';
import { boundary, frameOf, statement, T0 } from './samples.js';

const BATCH: readonly Statement[] = [
  statement('attention_frame'),
  statement('commitments', { attachment: 'beside it' }),
  statement('hypothesis', { subject: 'h1' }),
];

/** The whole log, checked against itself: texts, hashes and the tree agree. */
async function expectSound(reader: ArchiveReader): Promise<number> {
  const size = await reader.logSize(LATEST);
  const hashes = [];
  for (let index = 0; index < size; index++) hashes.push(leafHash(leafText((await reader.leaf(index))!)));
  expect(await reader.treeRow(0, 0, size + 9)).toEqual(hashes);
  expect(await storedRoot(size, (places) => reader.treeHashes(places))).toEqual(merkleRoot(hashes));
  return size;
}

describe.skipIf(!installed('PostgreSQL', postgresBinaries()))('postgres, the log', () => {
  let server: PostgresServer;
  let url: string;
  let store: ArchiveStore;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    url = await server.createDatabase();
    store = postgresStore({ url, clock: systemClock });
  });

  const ask = (...texts: readonly string[]) => askPostgres(url, ...texts);

  it('comes to tables of the version before it, and leaves what they hold', async () => {
    await ask(
      ...SCHEMA_VERSIONS.slice(0, 2),
      `UPDATE barograph.schema_version SET version = 2;
       UPDATE barograph.archive_state SET sequence = 7, live_at = ${T0};
       INSERT INTO barograph.cursors VALUES ('c', 'v')`,
    );
    const reader = await store.openReader();
    expect(await reader.logSize(LATEST)).toBe(0);
    expect([await reader.cursor('c'), (await reader.extent()).highWater]).toEqual(['v', 7]);
    const writer = await store.openWriter();
    expect((await writer.state([statement('genesis')]))[0]).toMatchObject({ index: 0, sequence: 8 });
    expect(await reader.leaf(0)).toMatchObject({ kind: 'genesis' });
    await Promise.all([reader.close(), writer.close()]);
  });

  it('is continued by whoever takes over, and by nobody else', async () => {
    const first = await store.openWriter();
    await first.state(BATCH);
    const waiting = store.openWriter({ standby: new AbortController().signal });
    await ask(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`);
    const second = await waiting;
    await second.state(BATCH);
    await expect(first.state(BATCH)).rejects.toBeInstanceOf(ArchiveUnavailable);
    await expect(first.appendFrame(frameOf(T0, []), [], BATCH)).rejects.toBeInstanceOf(ArchiveUnavailable);
    const [next] = await second.state([statement('universe')]);
    expect(next).toMatchObject({ index: 6, sequence: 7 });
    expect(await expectSound(second)).toBe(7);
    // Replaced although its session lives on.
    await ask('UPDATE barograph.archive_state SET epoch = epoch + 1');
    await expect(second.state(BATCH)).rejects.toBeInstanceOf(ArchiveUnavailable);
    expect(await second.logSize(LATEST)).toBe(7);
    await Promise.all([first.close(), second.close()]);
  });

  it('leaves nothing half-written when the server is killed in the middle', async () => {
    for (let round = 0; round < 3; round++) {
      const writer = await store.openWriter();
      const before = await writer.logSize(LATEST);
      let acknowledged = 0;
      let kill: Promise<void> = Promise.resolve();
      for (let alive = true; alive; ) {
        if (acknowledged === 3)
          setTimeout(
            () => {
              kill = server.kill();
            },
            3 + round * 5,
          );
        try {
          const at = boundary(round * 1_000_000 + acknowledged);
          await writer.appendFrame(frameOf(at, []), [], BATCH);
          acknowledged += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ArchiveUnavailable);
          alive = false;
        }
      }
      await writer.close();
      await kill;
      await server.start();

      const next = await store.openWriter();
      const batches = ((await expectSound(next)) - before) / BATCH.length;
      // The last one may have been committed without our hearing of it; but whole or not at all.
      expect([acknowledged, acknowledged + 1]).toContain(batches);
      const [counts] = await ask(`SELECT (SELECT count(*) FROM barograph.frames)::int AS frames,
        (SELECT count(*) FROM barograph.leaf_attachments)::int AS attachments`);
      expect(counts?.['attachments']).toBe(counts?.['frames']);
      await next.close();
    }
  });

  it('hears what the server has against a statement, and goes on', async () => {
    const writer = await store.openWriter();
    await ask(`ALTER TABLE barograph.leaves ADD CONSTRAINT fit CHECK (subject IS DISTINCT FROM 'unfit')`);
    const unfit = statement('hypothesis', { subject: 'unfit' });
    await expect(writer.state([...BATCH, unfit])).rejects.toThrow('fit');
    await expect(writer.appendFrame(frameOf(T0, []), [], [...BATCH, unfit])).rejects.toThrow('fit');
    expect(await writer.frameAt(LATEST)).toBeNull();
    await writer.state(BATCH);
    expect(await expectSound(writer)).toBe(BATCH.length);
    await writer.close();
  });

  it('seeks statements in an index, however rare their kind, and passes over nothing', async () => {
    const reader = await store.openReader();
    await reader.close();
    const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { enable_sort: false, jit: false } });
    await sql.unsafe(`INSERT INTO barograph.leaves SELECT n, n, ${T0} + n, ${T0} + n,
        CASE WHEN n = 9000 THEN 'genesis' WHEN n % 2 = 0 THEN 'attention_frame' ELSE 'hypothesis' END,
        CASE WHEN n % 2 = 1 THEN 'h' || n % 100 END, '{}', NULL FROM generate_series(0, 9999) n`);
    await sql.unsafe('VACUUM ANALYZE barograph.leaves');
    const plan = async (query: Partial<StatementQuery>): Promise<string> => {
      const whole: StatementQuery = { kind: 'attention_frame', knownBy: LATEST, limit: 10, ...query };
      const { text, values } = statementsSql(whole);
      const rows = await sql.unsafe(`EXPLAIN (ANALYZE, TIMING off) ${text}`, values as never[]);
      return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    };
    const all = [
      await plan({ newest: true }),
      await plan({ kind: 'genesis', afterIndex: 5 }),
      await plan({ kind: 'hypothesis', subject: 'h7', from: T0 }),
      await plan({ from: T0 + 50, to: T0 + 60 }),
    ];
    expect(all.map((text) => /leaves_kind_\w+/.exec(text)?.[0])).toEqual([
      'leaves_kind_place_at_idx',
      'leaves_kind_place_at_idx',
      'leaves_kind_subject_place_at_idx',
      'leaves_kind_at_place_idx',
    ]);
    expect(all.join()).not.toMatch(/Seq Scan|Removed by Filter|Bitmap/);
    await sql.end();
  });

  it('goes on far beyond 2^32 leaves', async () => {
    const size = 2 ** 40 + 2 ** 32 + 3;
    const writer = await store.openWriter();
    await writer.state([statement('genesis')]);
    await writer.close();
    // A log that has grown for ages: the last leaf, and the subtrees that a writer goes on from.
    const peaks = peakPlaces(size).map((place) => ({
      ...place,
      hash: leafHash(`${place.level}`).toString('hex'),
    }));
    await ask(
      `UPDATE barograph.leaves SET place = ${size - 1}`,
      'DELETE FROM barograph.tree_nodes',
      ...peaks.map(
        (peak) => `INSERT INTO barograph.tree_nodes VALUES (${placeNumber(peak)}, '\\x${peak.hash}')`,
      ),
    );
    const next = await store.openWriter();
    const stated = await next.state([statement('ontology'), statement('ontology', { subject: 'o' })]);
    expect(stated.map(({ index }) => index)).toEqual([size, size + 1]);
    const frontier = MerkleFrontier.restore({ size, peaks: peaks.map(({ hash }) => hash) });
    for (const leaf of stated) frontier.append(leafHash(leafText(leaf)));
    expect(await storedRoot(size + 2, (places) => next.treeHashes(places))).toEqual(frontier.root());
    expect(await next.treeRow(0, size, 9)).toEqual(stated.map((leaf) => leafHash(leafText(leaf))));
    const last: StatementQuery = { kind: 'ontology', knownBy: LATEST, afterIndex: size, limit: 9 };
    expect(await next.statements(last)).toEqual([stated[1]]);
    await next.close();
  });
});
