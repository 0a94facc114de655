// The archive while its PostgreSQL server dies, stands still, or changes recorders.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, LATEST, systemClock } from '../../src/kernel/instant.js';
import { type ArchiveStore, ArchiveUnavailable, RecorderBusy } from '../../src/ports/archive.js';
import { postgresStore } from '../../src/storage/postgres/archive.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { eventually } from '../servers/loopback.js';
import { askPostgres, type PostgresServer, startPostgres } from '../servers/postgres.js';
import { gather, post, report, T0 } from './samples.js';

const BATCH = 50;
const batch = (n: number) => ({
  facts: Array.from({ length: BATCH }, (_, i) => report(post(`${n}/${i}`))),
  cursor: { connector: 'c', value: String(n) },
});

describe.skipIf(!installed('PostgreSQL', postgresBinaries()))('postgres, hurt', () => {
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

  it('leaves nothing half-written when it is killed in the middle of appends', async () => {
    for (let round = 0; round < 6; round++) {
      const writer = await store.openWriter();
      const before = (await writer.extent()).highWater;
      const first = round * 1_000;
      const acknowledged: number[] = [];
      let failed: number | null = null;
      let kill: Promise<void> = Promise.resolve();
      for (let n = first; failed === null; n++) {
        // From the fourth batch on, at any moment of an append.
        if (n === first + 3)
          setTimeout(
            () => {
              kill = server.kill();
            },
            5 + round * 6,
          );
        try {
          await writer.append(batch(n));
          acknowledged.push(n);
        } catch (error) {
          expect(error).toBeInstanceOf(ArchiveUnavailable);
          failed = n;
        }
      }
      await expect(writer.append(batch(failed))).rejects.toBeInstanceOf(ArchiveUnavailable);
      await writer.close();
      await kill;
      await server.start();

      const next = await store.openWriter();
      const { highWater } = await next.extent();
      const stored = (highWater - before) / BATCH;
      // The last one may have been committed without our hearing of it; but whole or not at all.
      expect([acknowledged.length, acknowledged.length + 1]).toContain(stored);
      const posts = await gather(next.facts('post', { knownBy: LATEST }));
      expect(posts.map((fact) => fact.sequence)).toEqual(Array.from({ length: highWater }, (_, i) => i + 1));
      expect(await next.cursor('c')).toBe(String(first + stored - 1));
      const [rows] = await ask(`SELECT (SELECT count(*) FROM barograph.post_keys) AS keys,
        (SELECT count(*) FROM barograph.post_mentions) AS mentions`);
      expect([Number(rows?.['keys']), Number(rows?.['mentions'])]).toEqual([highWater, highWater]);
      const again = await next.append(batch(failed));
      expect(again.highWater).toBe(before + (acknowledged.length + 1) * BATCH);
      await next.close();
    }
  });

  it('lets a standby take over, and the recorder that lost its session never writes again', async () => {
    const first = await store.openWriter();
    await first.append(batch(1));
    const waiting = store.openWriter({ standby: new AbortController().signal });
    await expect(store.openWriter()).rejects.toBeInstanceOf(RecorderBusy);
    await ask(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
    const second = await waiting;
    await second.append(batch(2));
    await expect(first.append(batch(3))).rejects.toBeInstanceOf(ArchiveUnavailable);
    await expect(first.assignSlots(['NEW'])).rejects.toBeInstanceOf(ArchiveUnavailable);
    expect((await first.extent()).highWater).toBe(2 * BATCH);
    await first.close();
    await second.append(batch(4));
    expect((await second.extent()).highWater).toBe(3 * BATCH);
    await second.close();
  });

  it('stops a recorder that was replaced although its session lives on', async () => {
    const writer = await store.openWriter();
    await writer.append(batch(1));
    await ask('UPDATE barograph.archive_state SET epoch = epoch + 1');
    await expect(writer.append(batch(2))).rejects.toBeInstanceOf(ArchiveUnavailable);
    expect((await writer.extent()).highWater).toBe(BATCH);
    await writer.close();
  });

  it('keeps a standby waiting through a restart of the server', async () => {
    const first = await store.openWriter();
    const waiting = store.openWriter({ standby: new AbortController().signal });
    const asking = `SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_try_advisory_lock%'`;
    await eventually(async () => expect(await ask(asking)).toHaveLength(1));
    await server.kill();
    await server.start();
    const second = await waiting;
    await second.append(batch(1));
    await expect(first.append(batch(2))).rejects.toBeInstanceOf(ArchiveUnavailable);
    await Promise.all([first.close(), second.close()]);
  });

  it('serves readers again when the server is back', async () => {
    const writer = await store.openWriter();
    for (let n = 0; n < 50; n++) await writer.append(batch(n));
    const reader = await store.openReader();
    const reading = reader.facts('post', { knownBy: LATEST })[Symbol.asyncIterator]();
    expect((await reading.next()).done).toBe(false);
    await server.kill();
    const start = performance.now();
    await expect(reading.next()).rejects.toBeInstanceOf(ArchiveUnavailable);
    const asks = [reader.extent(), reader.frameAt(T0), reader.cursor('c'), reader.slots()];
    for (const outcome of await Promise.allSettled(asks)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'ArchiveUnavailable' } });
    }
    expect(performance.now() - start).toBeLessThan(3_000);
    await server.start();
    await eventually(() => reader.extent());
    expect(await gather(reader.facts('post', { knownBy: LATEST }))).toHaveLength(50 * BATCH);
    await Promise.all([reader.close(), writer.close()]);
  });

  it('does not wait for ever for a server that stands still', async () => {
    const impatient = postgresStore({ url, clock: systemClock, patienceMs: 2_000 });
    const writer = await impatient.openWriter();
    const reader = await impatient.openReader();
    await writer.append(batch(1));
    await reader.extent();
    server.pause();
    try {
      const start = performance.now();
      const asks = [reader.extent(), reader.slots(), writer.append(batch(2))];
      for (const outcome of await Promise.allSettled(asks)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'ArchiveUnavailable' } });
      }
      expect(performance.now() - start).toBeLessThan(6_000);
    } finally {
      server.resume();
    }
    await eventually(() => reader.extent());
    await expect(writer.append(batch(2))).rejects.toBeInstanceOf(ArchiveUnavailable);
    await writer.close();
    const next = await impatient.openWriter({ standby: AbortSignal.timeout(20_000) });
    const { highWater } = await next.append(batch(2));
    expect(highWater).toBe(2 * BATCH);
    await Promise.all([next.close(), reader.close()]);
  });

  it('hears what the server has against a batch, and goes on', async () => {
    const writer = await store.openWriter();
    await ask('ALTER TABLE barograph.series ADD CONSTRAINT small CHECK (value < 100)');
    const cpi = (value: number) =>
      report({ kind: 'series', series: 'CPI', date: '2026-01-01', value } as const);
    await expect(writer.append({ facts: [report(post('1')), cpi(1), cpi(200)] })).rejects.toThrow('small');
    expect((await writer.append({ facts: [report(post('1')), cpi(1)] })).highWater).toBe(2);
    await writer.close();
  });

  it('makes its tables once when many start together, and refuses those of a newer program', async () => {
    const readers = await Promise.all(Array.from({ length: 5 }, () => store.openReader()));
    await Promise.all(readers.map((reader) => reader.close()));
    await ask('UPDATE barograph.schema_version SET version = 99');
    await expect(store.openReader()).rejects.toThrow('schema version 99');
    await expect(store.openWriter()).rejects.toThrow('schema version 99');
    await expect(store.openWriter({ standby: new AbortController().signal })).rejects.toThrow(
      'schema version 99',
    );
  });

  it('gives every month its partition, puts the distant past together, and knows a post in all of them', async () => {
    const clock = { at: T0 };
    const writer = await postgresStore({ url, clock: () => clock.at }).openWriter();
    const old = Array.from({ length: 6 }, (_, n) =>
      report(post(`${n}`), { releasedAt: T0 - n * n * 60 * DAY }),
    );
    await writer.append({ facts: [report(post('live')), ...old] });
    clock.at += 45 * DAY;
    await writer.append({ facts: [report(post('later'))] });
    const again = old.map((one, n) => ({ ...one, releasedAt: T0 - n * DAY }));
    expect((await writer.append({ facts: again })).facts).toEqual([]);
    const rows = await ask(
      `SELECT tableoid::regclass::text AS name, count(*)::int AS n FROM barograph.posts GROUP BY 1 ORDER BY 1`,
    );
    expect(rows.map((row) => [row['name'], row['n']])).toEqual([
      ['barograph.posts_2023_07', 1],
      ['barograph.posts_2024_09', 1],
      ['barograph.posts_2025_07', 1],
      ['barograph.posts_2026_01', 1],
      ['barograph.posts_2026_03', 2],
      ['barograph.posts_2026_04', 1],
      ['barograph.posts_other', 1],
    ]);
    expect(await gather(writer.facts('post', { knownBy: LATEST }))).toHaveLength(8);
    expect(await writer.postsAbout('NVDA', { knownBy: LATEST }, 100)).toHaveLength(8);
    await writer.close();
  });

  it('never shows the password or the user', async () => {
    const secret = postgresStore({ url: url.replace('postgres@', 'someone:hunter2@'), clock: systemClock });
    const faults = await Promise.allSettled([secret.openReader(), secret.openWriter()]);
    const reader = await store.openReader();
    expect(reader.location).toBe(url.replace('postgres@', ''));
    await reader.close();
    for (const fault of faults) {
      if (fault.status === 'fulfilled') throw new Error('a stranger was let in');
      expect(fault.reason).toBeInstanceOf(ArchiveUnavailable);
      const { message, stack, cause } = fault.reason as Error;
      const all = [message, stack, JSON.stringify(fault.reason), String(cause), JSON.stringify(cause)].join();
      expect(all).not.toMatch(/hunter2|someone/);
    }
    expect(() => postgresStore({ url: 'postgres://hunter2@:x/', clock: systemClock })).toThrow(
      /^(?!.*hunter2)/,
    );
  });
});
