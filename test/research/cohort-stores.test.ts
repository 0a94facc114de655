// The cohort from every store: the same bytes as from the events themselves, and a database that refuses overlaps.
import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cohortAnswer } from '../../src/answers/research/cohort.js';
import { cohortBytes } from '../../src/domain/research/cohort.js';
import {
  GROUND,
  type Known,
  lastWord,
  replayed,
  STEP,
  subjectsOf,
  taken,
  toldEvents,
  WORLD_START,
} from '../../src/domain/research/event-world.suite.js';
import type { Point } from '../../src/domain/research/standing.js';
import { DAY, formatInstant } from '../../src/kernel/instant.js';
import { jsonBody } from '../../src/kernel/json-body.js';
import type { ArchiveStore } from '../../src/ports/archive.js';
import { postgresStore } from '../../src/storage/postgres/archive.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { type PostgresServer, startPostgres } from '../servers/postgres.js';
import { reportsOf, store, withStore } from './shelf.js';

const NOW = WORLD_START + 100 * DAY;
const POINTS: readonly Point[] = [-1, 3, 8, 15, 30, 60].flatMap((known) =>
  [-1, 2, 7, 12, 19].map((asOf) => ({
    asOf: WORLD_START + asOf * STEP,
    knownAt: WORLD_START + known * STEP,
  })),
);

/** The archive is read while it grows: the first half is asked before the second is stored. */
async function agrees(archives: ArchiveStore, log: readonly Known[]): Promise<void> {
  const writer = await archives.openWriter();
  const reader = await archives.openReader();
  const answer = cohortAnswer({ archive: reader, clock: () => NOW });
  const half = Math.floor(log.length / 2);
  const compare = async (stored: readonly Known[]): Promise<void> => {
    const { holdings } = replayed(stored);
    for (const point of POINTS) {
      const packet = await answer({
        as_of: formatInstant(point.asOf),
        as_known_at: formatInstant(point.knownAt),
      });
      expect(String(jsonBody(packet))).toBe(cohortBytes(holdings, point).toString());
    }
  };
  await store(writer, log.slice(0, half));
  await compare(log.slice(0, half));
  await store(writer, log.slice(half));
  await writer.append({ facts: reportsOf(log) });
  await compare(log);
  await reader.close();
  await writer.close();
}

describe.each(['memory', 'sqlite'] as const)('the cohort from %s', (kind) => {
  it('is what its events say, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(toldEvents(50), (told) =>
        withStore(kind, NOW, (archives) => agrees(archives, taken(told).log)),
      ),
      { seed: 21, numRuns: 8 },
    );
  });
});

describe.skipIf(!installed('PostgreSQL', postgresBinaries()))('the cohort from postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server?.stop());

  const inDatabase = async (
    use: (archives: ArchiveStore, sql: postgres.Sql) => Promise<void>,
  ): Promise<void> => {
    const url = await server.createDatabase();
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      await use(postgresStore({ url, clock: () => NOW }), sql);
    } finally {
      await sql.end();
    }
  };

  it('is what its events say, to the byte, and so are the rectangles in the database', async () => {
    await fc.assert(
      fc.asyncProperty(toldEvents(60), (told) =>
        inDatabase(async (archives, sql) => {
          const { log } = taken(told);
          await agrees(archives, log);
          const subjects = ['membership', 'pending', 'identifier', 'symbol', 'basket', 'instrument'].flatMap(
            (kind) => subjectsOf(log, kind),
          );
          for (const { asOf, knownAt } of POINTS) {
            const rows = await sql<{ name: string; event: string }[]>`
              SELECT s.name, i.event FROM barograph.identity_assertions a
              JOIN barograph.identity_subjects s ON s.id = a.subject
              JOIN barograph.identities i ON i.sequence = a.sequence
              WHERE a.effective @> ${asOf}::int8 AND a.known @> ${knownAt}::int8`;
            const found = new Map(rows.map(({ name, event }) => [name, JSON.parse(event) as unknown]));
            for (const subject of subjects)
              expect(found.get(subject) ?? null).toEqual(lastWord(log, subject, asOf, knownAt));
          }
        }),
      ),
      { seed: 22, numRuns: 2 },
    );
  });

  it('refuses an overlap, also from somebody who writes past the register', () =>
    inDatabase(async (archives, sql) => {
      const { log } = taken([]);
      const writer = await archives.openWriter();
      await store(writer, log);
      const [{ count }] = await sql<[{ count: string }]>`SELECT count(*) FROM barograph.identity_assertions`;
      expect(Number(count)).toBe(GROUND.length);
      const insert = sql`
        INSERT INTO barograph.identity_assertions (subject, effective, known, sequence)
        SELECT subject, effective, int8range(${NOW}, ${NOW + 1}), sequence FROM barograph.identity_assertions LIMIT 1`;
      await expect(insert).rejects.toThrow('identity_assertions_apart');
      const empty = sql`
        INSERT INTO barograph.identity_assertions (subject, effective, known, sequence)
        SELECT subject, 'empty', known, sequence FROM barograph.identity_assertions LIMIT 1`;
      await expect(empty).rejects.toThrow('check constraint');

      // The same through the archive: an event that is dated before what stands, and never went through the gate.
      const [first] = reportsOf(log.slice(-1));
      const late = { ...first!, releasedAt: WORLD_START - DAY, body: { ...log.at(-1)!.body, id: 'late' } };
      const before = await writer.extent();
      await expect(writer.append({ facts: [late] })).rejects.toThrow();
      expect(await writer.extent()).toEqual(before);
      await writer.close();
    }));
});
