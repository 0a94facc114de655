// Reads facts as known by an instant, and the tape, from PostgreSQL.
import type { EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import type { FactKind, FactOf } from '../../domain/facts/fact.js';
import type { Row as BoardRow, RecordedHeader } from '../../domain/facts/frame.js';
import type { Knowledge, MentionCount, SourceStart } from '../../domain/facts/knowledge.js';
import type { Stated, StatementQuery } from '../../domain/facts/statement.js';
import type { Instant } from '../../kernel/instant.js';
import type { TreePlace } from '../../kernel/tree-proofs.js';
import type { ArchiveReader, Extent, SlotRange } from '../../ports/archive.js';
import { wholeRow } from '../coded-row.js';
import { run, type Value } from './driver.js';
import { readEmissions } from './emissions.js';
import type { Row } from './fact-table.js';
import { columnsOf, factOf, tableOf } from './fact-tables.js';
import { KNOWN, knownValues } from './knowledge-clause.js';
import {
  readAttachment,
  readHashes,
  readLeaf,
  readLogSize,
  readStatements,
  readTreeRow,
} from './log-reads.js';
import { NameBook } from './names.js';
import type { Pool } from './pool.js';
import { readBoard, readFrameAt, readFrames, readRow } from './tape-reads.js';

const READ_BATCH = 2_000;

export class PostgresReader implements ArchiveReader {
  protected readonly pool: Pool;
  readonly #names = new NameBook();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  get location(): string {
    return this.pool.location;
  }

  async extent(): Promise<Extent> {
    const [state] = await this.#ask<{ first: Instant | null; last: Instant | null; sequence: number }>(
      'SELECT first_known_at AS first, last_known_at AS last, sequence FROM barograph.archive_state',
    );
    return {
      firstKnownAt: state?.first ?? null,
      lastKnownAt: state?.last ?? null,
      highWater: state?.sequence ?? 0,
    };
  }

  /**
   * Each batch goes on behind the last fact of the one before. Facts are only ever added, under growing sequences, so
   * the high water at the start is a snapshot that needs no transaction to stay open while the caller thinks.
   */
  async *facts<K extends FactKind>(kind: K, knowledge: Knowledge): AsyncGenerator<readonly FactOf<K>[]> {
    const { highWater } = await this.extent();
    const [knownBy, after, upTo] = knownValues(knowledge);
    const columns = columnsOf(kind).map(([name]) => name);
    const text = `SELECT ${columns.join(', ')} FROM barograph.${tableOf(kind).table}
      WHERE ${KNOWN} AND known_at >= $4 AND (known_at, sequence) > ($4, $5)
      ORDER BY known_at, sequence LIMIT ${READ_BATCH}`;
    let last: readonly [Instant, number] = [after, Number.MAX_SAFE_INTEGER];
    for (;;) {
      const facts = await this.#facts(kind, text, [knownBy, after, Math.min(upTo, highWater), ...last]);
      const final = facts.at(-1);
      if (final === undefined) return;
      yield facts;
      if (facts.length < READ_BATCH) return;
      last = [final.knownAt, final.sequence];
    }
  }

  async postsAbout(ticker: string, knowledge: Knowledge, limit: number): Promise<readonly FactOf<'post'>[]> {
    const columns = columnsOf('post').map(([name]) => name);
    // OFFSET keeps the planner from reading whole partitions: one index seek for each of the few posts.
    const text = `SELECT p.* FROM (
        SELECT known_at, sequence FROM barograph.post_mentions
        WHERE ${KNOWN} AND slot = (SELECT slot FROM barograph.slots WHERE ticker = $4)
        ORDER BY known_at DESC, sequence DESC LIMIT $5
      ) m CROSS JOIN LATERAL (
        SELECT ${columns.join(', ')} FROM barograph.posts t
        WHERE t.known_at = m.known_at AND t.sequence = m.sequence OFFSET 0
      ) p ORDER BY p.known_at DESC, p.sequence DESC`;
    return this.#facts('post', text, [...knownValues(knowledge), ticker, limit]);
  }

  async mentionCounts(knowledge: Knowledge, bucket: number): Promise<readonly MentionCount[]> {
    // The remainder of a negative instant is negative; adding the bucket once more rounds towards the past there too.
    const text = `SELECT slot, source, known_at - (known_at % $4 + $4) % $4 AS bucket, count(*) AS posts
      FROM barograph.post_mentions WHERE ${KNOWN} GROUP BY 1, 2, 3`;
    return this.pool.read(async (sql) => {
      const values = [...knownValues(knowledge), bucket];
      const rows = await run<{ slot: number; source: number; bucket: Instant; posts: number }>(
        sql,
        text,
        values,
      );
      // The server groups in any order; an answer must not depend on its mood.
      const ordered = rows.toSorted((a, b) => a.bucket - b.bucket || a.slot - b.slot || a.source - b.source);
      return this.#names.decode(sql, (names) =>
        ordered.map((row) => ({
          ticker: names.ticker(row.slot),
          source: names.source(row.source),
          bucketStart: row.bucket,
          posts: row.posts,
        })),
      );
    });
  }

  async sourceStarts(knowledge: Knowledge): Promise<readonly SourceStart[]> {
    const first = (table: string): string =>
      `(SELECT known_at FROM barograph.${table} WHERE source = s.id AND ${KNOWN} ORDER BY known_at LIMIT 1)`;
    return this.#ask<SourceStart>(
      `SELECT source, least(post, count) AS "firstKnownAt" FROM (
         SELECT s.id, s.name AS source, ${first('posts')} AS post, ${first('counts')} AS count FROM barograph.sources s
       ) starts WHERE post IS NOT NULL OR count IS NOT NULL ORDER BY id`,
      knownValues(knowledge),
    );
  }

  async seenPosts(posts: readonly { provider: string; id: string }[]): Promise<readonly boolean[]> {
    if (posts.length === 0) return [];
    const rows = await this.#ask<{ n: number }>(
      `SELECT n FROM unnest($1::text[], $2::text[]) WITH ORDINALITY asked (provider, id, n)
       CROSS JOIN LATERAL (
         SELECT 1 FROM barograph.sources s JOIN barograph.post_keys k ON k.provider = s.id
         WHERE s.name = asked.provider AND k.id = asked.id LIMIT 1
       ) found`,
      [posts.map(({ provider }) => provider), posts.map(({ id }) => id)],
    );
    const seen = new Set(rows.map(({ n }) => n));
    return posts.map((_, i) => seen.has(i + 1));
  }

  async changesOf(
    posts: readonly { provider: string; id: string }[],
    knownBy: Instant,
  ): Promise<readonly (FactOf<'post_change'> | null)[]> {
    if (posts.length === 0) return [];
    const columns = columnsOf('post_change').map(([name]) => `c.${name}`);
    const text = `SELECT n, newest.* FROM unnest($2::text[], $3::text[]) WITH ORDINALITY asked (provider, id, n)
      CROSS JOIN LATERAL (
        SELECT ${columns.join(', ')} FROM barograph.sources s JOIN barograph.post_changes c ON c.provider = s.id
        WHERE s.name = asked.provider AND c.id = asked.id AND c.known_at <= $1
        ORDER BY (c.change = 'deleted') DESC, c.known_at DESC, c.sequence DESC LIMIT 1
      ) newest`;
    const values = [knownBy, posts.map(({ provider }) => provider), posts.map(({ id }) => id)];
    return this.pool.read(async (sql) => {
      const rows = await run<Row & { readonly n: number }>(sql, text, values);
      const found: (FactOf<'post_change'> | null)[] = posts.map(() => null);
      return this.#names.decode(sql, (names) => {
        for (const row of rows) found[row.n - 1] = factOf('post_change', row, names);
        return found;
      });
    });
  }

  async cursor(connector: string): Promise<string | null> {
    const text = 'SELECT value FROM barograph.cursors WHERE connector = $1';
    const [row] = await this.#ask<{ value: string }>(text, [connector]);
    return row?.value ?? null;
  }

  frameAt(at: Instant): Promise<RecordedHeader | null> {
    return this.pool.read((sql) => readFrameAt(sql, at));
  }

  rowAt(at: Instant, ticker: string): Promise<BoardRow | null> {
    return this.pool.read((sql) => readRow(sql, at, ticker));
  }

  boardAt(at: Instant, within?: SlotRange): Promise<readonly BoardRow[] | null> {
    return this.pool.read(async (sql) => {
      const board = await readBoard(sql, at, within);
      if (board === null) return null;
      return this.#names.decode(sql, (names) =>
        board.map(({ row, denominator }) => wholeRow(row, names.ticker(row.slot), denominator)),
      );
    });
  }

  async *frames(from: Instant, to: Instant): AsyncGenerator<readonly RecordedHeader[]> {
    let next = from;
    for (;;) {
      const headers = await this.pool.read((sql) => readFrames(sql, next, to, READ_BATCH));
      const final = headers.at(-1);
      if (final === undefined) return;
      yield headers;
      if (headers.length < READ_BATCH) return;
      next = final.at + 1;
    }
  }

  emissions(query: EmissionQuery): Promise<readonly Emitted[]> {
    return this.pool.read((sql) => readEmissions(sql, query));
  }

  logSize(knownBy: Instant): Promise<number> {
    return this.pool.read((sql) => readLogSize(sql, knownBy));
  }

  leaf(index: number): Promise<Stated | null> {
    return this.pool.read((sql) => readLeaf(sql, index));
  }

  statements(query: StatementQuery): Promise<readonly Stated[]> {
    return this.pool.read((sql) => readStatements(sql, query));
  }

  attachment(index: number): Promise<string | null> {
    return this.pool.read((sql) => readAttachment(sql, index));
  }

  treeHashes(places: readonly TreePlace[]): Promise<readonly Buffer[]> {
    return this.pool.read((sql) => readHashes(sql, places));
  }

  treeRow(level: number, from: number, count: number): Promise<readonly Buffer[]> {
    return this.pool.read((sql) => readTreeRow(sql, level, from, count));
  }

  async slots(): Promise<ReadonlyMap<string, number>> {
    await this.pool.read((sql) => this.#names.refresh(sql));
    return new Map(this.#names.slots);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  #ask<R>(text: string, values: readonly Value[] = []): Promise<readonly R[]> {
    return this.pool.read((sql) => run<R>(sql, text, values));
  }

  #facts<K extends FactKind>(kind: K, text: string, values: readonly Value[]): Promise<FactOf<K>[]> {
    return this.pool.read(async (sql) => {
      const rows = await run<Row>(sql, text, values);
      return this.#names.decode(sql, (names) => rows.map((row) => factOf(kind, row, names)));
    });
  }
}
