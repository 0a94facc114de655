// Signals and gate records in the archive file.
import type { EmissionKind, EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import { type Cell, type Connection, numberIn, textIn } from './connection.js';

export const EMISSION_TABLE = `
CREATE TABLE emission(sequence INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  type TEXT NOT NULL, ticker TEXT, body TEXT NOT NULL) STRICT;
CREATE INDEX emission_kind ON emission(kind, sequence);
CREATE INDEX emission_ticker ON emission(kind, ticker, sequence) WHERE ticker IS NOT NULL;
`;

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
  if (query.ticker !== undefined) require('ticker = ?', query.ticker);
  if (query.afterSequence !== undefined) require('sequence > ?', query.afterSequence);
  if (query.from !== undefined) require('at >= ?', query.from);
  if (query.to !== undefined) require('at <= ?', query.to);
  if (query.types) require('type IN (SELECT value FROM json_each(?))', JSON.stringify(query.types));
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
