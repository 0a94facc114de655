// Signals and gate records: stored with their frame, read back in the order of their sequence.
import type { EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import type { Column } from './binary-copy.js';
import { copyInto } from './copy.js';
import { run, type Sql, type Value } from './driver.js';

const COLUMNS: readonly Column[] = [
  ['sequence', 'int8'],
  ['known_at', 'int8'],
  ['at', 'int8'],
  ['kind', 'text'],
  ['type', 'text'],
  ['ticker', 'text'],
  ['body', 'text'],
];

/** Finds the last event of a kind about a ticker without a walk through the others. */
export const EMISSION_TYPES = 'CREATE INDEX ON barograph.emissions (kind, type, ticker, sequence);';

export async function writeEmissions(sql: Sql, emitted: readonly Emitted[]): Promise<void> {
  const rows = emitted.map((e) => [
    e.sequence,
    e.knownAt,
    e.at,
    e.kind,
    e.type,
    e.ticker,
    JSON.stringify(e.body),
  ]);
  await copyInto(sql, 'emissions', COLUMNS, rows);
}

export async function readEmissions(sql: Sql, query: EmissionQuery): Promise<readonly Emitted[]> {
  const values: Value[] = [];
  const given = (value: Value): string => `$${values.push(value)}`;
  const conditions = [`kind = ${given(query.kind)}`, `known_at <= ${given(query.knownBy)}`];
  if (query.ticker === null) conditions.push('ticker IS NULL');
  else if (query.ticker !== undefined) conditions.push(`ticker = ${given(query.ticker)}`);
  if (query.afterSequence !== undefined) conditions.push(`sequence > ${given(query.afterSequence)}`);
  if (query.beforeSequence !== undefined) conditions.push(`sequence < ${given(query.beforeSequence)}`);
  // Frames and their emissions grow together, so that a bound in time is one in the sequence.
  const firstFrame = (condition: string, at: number): string =>
    `coalesce((SELECT sequence FROM barograph.frames WHERE at ${condition} ${given(at)} ORDER BY at LIMIT 1), ${Number.MAX_SAFE_INTEGER})`;
  if (query.from !== undefined) conditions.push(`sequence > ${firstFrame('>=', query.from)}`);
  if (query.to !== undefined) conditions.push(`sequence < ${firstFrame('>', query.to)}`);
  if (query.types?.length === 1) conditions.push(`type = ${given(query.types[0]!)}`);
  else if (query.types !== undefined) conditions.push(`type = ANY(${given(query.types)}::text[])`);
  const rows = await run<Omit<Emitted, 'body'> & { readonly body: string }>(
    sql,
    `SELECT sequence, known_at AS "knownAt", at, kind, type, ticker, body FROM barograph.emissions
     WHERE ${conditions.join(' AND ')}
     ORDER BY sequence ${query.newest ? 'DESC' : 'ASC'} LIMIT ${given(query.limit)}`,
    values,
  );
  const emitted = rows.map(({ body, ...rest }) => ({ ...rest, body: JSON.parse(body) as Emitted['body'] }));
  return query.newest ? emitted.reverse() : emitted;
}
