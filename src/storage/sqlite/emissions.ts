// Signals and gate records in the archive file.
import type { EmissionKind, EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import { type Cell, type Connection, numberIn, textIn } from './connection.js';

export const EMISSION_TABLE = `
CREATE TABLE emission(sequence INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  type TEXT NOT NULL, ticker TEXT, body TEXT NOT NULL) STRICT;
CREATE INDEX emission_kind ON emission(kind, sequence);
CREATE INDEX emission_ticker ON emission(kind, ticker, sequence) WHERE ticker IS NOT NULL;
`;

/** Finds the last event of a kind about a ticker without a walk through the others. */
export const EMISSION_TYPES = 'CREATE INDEX emission_type ON emission(kind, type, ticker, sequence);';

/** Frames and their emissions grow together, so that a bound in time is one in the sequence. */
const firstFrame = (condition: string): string =>
  `ifnull((SELECT sequence FROM frame WHERE at ${condition} ? ORDER BY at LIMIT 1), ${Number.MAX_SAFE_INTEGER})`;

export function writeEmission(connection: Connection, emitted: Emitted): void {
  const { sequence, knownAt, at, kind, type, ticker, body } = emitted;
  connection
    .prepare('INSERT INTO emission VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(sequence, knownAt, at, kind, type, ticker, JSON.stringify(body));
}

export function readEmissions(connection: Connection, query: EmissionQuery): Emitted[] {
  const conditions = ['kind = ?', 'known_at <= ?'];
  const values: Cell[] = [query.kind, query.knownBy];
  const require = (condition: string, value: Cell): void => {
    conditions.push(condition);
    values.push(value);
  };
  if (query.ticker === null) conditions.push('ticker IS NULL');
  else if (query.ticker !== undefined) require('ticker = ?', query.ticker);
  if (query.afterSequence !== undefined) require('sequence > ?', query.afterSequence);
  if (query.beforeSequence !== undefined) require('sequence < ?', query.beforeSequence);
  if (query.from !== undefined) require(`sequence > ${firstFrame('>=')}`, query.from);
  if (query.to !== undefined) require(`sequence < ${firstFrame('>')}`, query.to);
  const [only, ...others] = query.types ?? [];
  if (query.ticker !== undefined && only !== undefined && others.length === 0) require('type = ?', only);
  // The plus keeps to the indexes that are in the order of the answer.
  else if (query.types) require('+type IN (SELECT value FROM json_each(?))', JSON.stringify(query.types));
  const rows = connection
    .prepare(
      `SELECT sequence, known_at, at, kind, type, ticker, body FROM emission WHERE ${conditions.join(' AND ')}
       ORDER BY sequence ${query.newest ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    .all(...values, query.limit);
  const emitted = rows.map(([sequence, knownAt, at, kind, type, ticker, body]) => ({
    sequence: numberIn(sequence),
    knownAt: numberIn(knownAt),
    at: numberIn(at),
    kind: textIn(kind) as EmissionKind,
    type: textIn(type),
    ticker: ticker as string | null,
    body: JSON.parse(textIn(body)) as Emitted['body'],
  }));
  return query.newest ? emitted.reverse() : emitted;
}
