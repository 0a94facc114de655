// Reads the transparency log from PostgreSQL.
import type { Stated, StatementQuery } from '../../domain/facts/statement.js';
import type { Instant } from '../../kernel/instant.js';
import type { FrontierState } from '../../kernel/merkle.js';
import { peakPlaces, type TreePlace } from '../../kernel/tree-proofs.js';
import { type KeptText, keptText } from '../kept-text.js';
import { bodyIn } from '../leaves.js';
import { asksForSpan } from '../span.js';
import { inOrder, logEnd, placeNumber, rowNumbers } from '../tree-store.js';
import { run, type Sql, type Value } from './driver.js';

const LEAF = `SELECT place AS index, sequence, known_at AS "knownAt", at, kind, subject, body,
  attachment_sha256 AS "attachmentSha256" FROM barograph.leaves`;

/** The instants of leaves never fall, so the last one known by then has all the others before it. */
const lastKnown = (knownBy: string): string =>
  `SELECT place FROM barograph.leaves WHERE known_at <= ${knownBy} ORDER BY known_at DESC, place DESC LIMIT 1`;

interface LeafRow extends Omit<Stated, 'body'> {
  readonly body: string;
}

const stated = ({ body, ...rest }: LeafRow): Stated => ({ ...rest, body: bodyIn(body) });

export async function readLogSize(sql: Sql, knownBy: Instant): Promise<number> {
  const [last] = await run<{ place: number }>(sql, lastKnown('$1'), [knownBy]);
  return last === undefined ? 0 : last.place + 1;
}

export async function readLeaf(sql: Sql, index: number): Promise<Stated | null> {
  const [row] = await run<LeafRow>(sql, `${LEAF} WHERE place = $1`, [index]);
  return row === undefined ? null : stated(row);
}

export async function readStatements(sql: Sql, query: StatementQuery): Promise<readonly Stated[]> {
  const { text, values } = statementsSql(query);
  const found = (await run<LeafRow>(sql, text, values)).map(stated);
  return query.newest ? found.reverse() : found;
}

export function statementsSql(query: StatementQuery): { readonly text: string; readonly values: Value[] } {
  return asksForSpan(query) ? spanSql(query) : walkSql(query);
}

/**
 * The bounds are pairs and triples, and so is the order. Were the kind asked for by itself, the planner could take the
 * places of all kinds in their order and pass over those of others: a whole log for the one leaf of a rare kind.
 */
function walkSql({ kind, subject, knownBy, afterIndex = -1, from, to, newest, limit }: StatementQuery) {
  const values: Value[] = [];
  const given = (value: Value): string => `$${values.push(value)}`;
  const key = subject === undefined ? ['kind', 'place'] : ['kind', 'subject', 'place'];
  const within = [kind, ...(subject === undefined ? [] : [subject])].map((value) => `${given(value)}::text`);
  const conditions = [
    `(${key.join(', ')}) > (${[...within, given(afterIndex)].join(', ')})`,
    `(${key.join(', ')}) <= (${[...within, `(${lastKnown(given(knownBy))})`].join(', ')})`,
  ];
  if (subject !== undefined) conditions.push('subject IS NOT NULL');
  if (from !== undefined) conditions.push(`at >= ${given(from)}`);
  if (to !== undefined) conditions.push(`at <= ${given(to)}`);
  const order = key.map((column) => `${column} ${newest ? 'DESC' : 'ASC'}`).join(', ');
  const text = `${LEAF} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${given(limit)}`;
  return { text, values };
}

/** Places are looked at only behind the span, or the planner would go by them instead of the instants. */
function spanSql({ kind, knownBy, from, to, newest, limit }: StatementQuery) {
  const order = `ORDER BY place ${newest ? 'DESC' : 'ASC'}`;
  const text = `WITH span AS MATERIALIZED (
      SELECT place FROM barograph.leaves WHERE kind = $1 AND at >= $2 AND at <= $3
    )
    SELECT l.* FROM (
      SELECT place FROM span WHERE place <= (${lastKnown('$4')}) ${order} LIMIT $5
    ) s CROSS JOIN LATERAL (${LEAF} t WHERE t.place = s.place OFFSET 0) l ${order}`;
  return { text, values: [kind, from!, to!, knownBy, limit] };
}

export async function readAttachment(sql: Sql, index: number): Promise<string | null> {
  const [row] = await run<KeptText & { readonly sha256: string }>(
    sql,
    `SELECT a.deflated, a.bytes, l.attachment_sha256 AS sha256
     FROM barograph.leaf_attachments a JOIN barograph.leaves l ON l.place = a.place WHERE a.place = $1`,
    [index],
  );
  return row === undefined ? null : keptText(row, row.sha256);
}

export async function readHashes(sql: Sql, places: readonly TreePlace[]): Promise<readonly Buffer[]> {
  const rows = await run<{ place: number; hash: Buffer }>(
    sql,
    'SELECT place, hash FROM barograph.tree_nodes WHERE place = ANY($1::bigint[])',
    [places.map(placeNumber)],
  );
  return inOrder(places, new Map(rows.map(({ place, hash }) => [place, hash])));
}

export async function readTreeRow(
  sql: Sql,
  level: number,
  from: number,
  count: number,
): Promise<readonly Buffer[]> {
  const rows = await run<{ hash: Buffer }>(
    sql,
    'SELECT hash FROM barograph.tree_nodes WHERE place >= $1 AND place < $2 ORDER BY place',
    rowNumbers(level, from, count),
  );
  return rows.map(({ hash }) => hash);
}

/** Where a writer goes on. */
export async function readLogEnd(sql: Sql): Promise<FrontierState> {
  const size = await readLogSize(sql, Number.MAX_SAFE_INTEGER);
  return logEnd(size, await readHashes(sql, peakPlaces(size)));
}
