// The tables of the archive file, and the number that says which program may read them.
import { type Connection, numberIn } from './connection.js';
import { EMISSION_TABLE, EMISSION_TYPES } from './emissions.js';
import { KIND_TABLES, type VersionedKind } from './kind-tables.js';
import { LOG_TABLES } from './log-table.js';
import { FIRST_POST_TABLE, packStoredPosts } from './post-columns.js';

/** Every fact carries these before the columns of its kind. */
const STAMP = `sequence INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, effective_at INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES name, backfilled INTEGER NOT NULL`;

const tableText = ({ table, columns, key }: (typeof KIND_TABLES)[VersionedKind]): string => `
CREATE TABLE ${table}(${STAMP}, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')}) STRICT;
CREATE INDEX ${table}_key ON ${table}(${key.join(', ')});
CREATE INDEX ${table}_known ON ${table}(known_at);`;

/** Identity events came after the first version. */
const { identity, ...firstKinds } = KIND_TABLES;

/**
 * What brings a file from version i + 1 to version i + 2. A released one is never changed: what comes later is a further
 * one, and a new file goes through all of them.
 */
const MIGRATIONS: readonly (string | ((connection: Connection) => void))[] = [
  LOG_TABLES,
  packStoredPosts,
  tableText(identity),
  EMISSION_TYPES,
];

export const SCHEMA_VERSION = 1 + MIGRATIONS.length;

export class SchemaTooNew extends Error {
  constructor(file: string, found: number) {
    super(
      `${file} has schema version ${found}; this program knows versions up to ${SCHEMA_VERSION}. Update it.`,
    );
    this.name = 'SchemaTooNew';
  }
}

/**
 * `tail` is the end of the archive. `mention_log` holds the newest mentions of large batches until they are sorted in.
 * `source_start` grows only when a source's first `knownAt` moves back, so that the first one as of any sequence is
 * among few rows. A version of a page is found under page * 2^32 + frame number.
 */
export const FIRST_SCHEMA = `
CREATE TABLE schema_version(version INTEGER NOT NULL) STRICT;
INSERT INTO schema_version VALUES (1);
CREATE TABLE tail(one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL, live_at INTEGER,
  first_known_at INTEGER, last_known_at INTEGER) STRICT;
INSERT INTO tail VALUES (1, 0, NULL, NULL, NULL);
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE ticker(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE cursor(connector TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
${Object.values(firstKinds).map(tableText).join('')}
${FIRST_POST_TABLE}
CREATE TABLE mention(ticker INTEGER NOT NULL, known_at INTEGER NOT NULL, sequence INTEGER NOT NULL,
  source INTEGER NOT NULL, PRIMARY KEY (ticker, known_at, sequence)) STRICT, WITHOUT ROWID;
CREATE TABLE mention_log(ticker INTEGER NOT NULL, known_at INTEGER NOT NULL, sequence INTEGER NOT NULL,
  source INTEGER NOT NULL) STRICT;
CREATE TABLE source_start(source INTEGER NOT NULL, sequence INTEGER NOT NULL, known_at INTEGER NOT NULL,
  PRIMARY KEY (source, sequence)) STRICT, WITHOUT ROWID;
CREATE TABLE frame(number INTEGER PRIMARY KEY, at INTEGER NOT NULL UNIQUE, sequence INTEGER NOT NULL,
  known_at INTEGER NOT NULL, high_water INTEGER NOT NULL, fingerprint TEXT NOT NULL, header TEXT NOT NULL) STRICT;
CREATE TABLE page(id INTEGER PRIMARY KEY, key_frame INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE denominator(ref INTEGER PRIMARY KEY, state INTEGER NOT NULL, usd_billions REAL, shares REAL,
  shares_known_at INTEGER, shares_source INTEGER, close REAL, close_date TEXT) STRICT;
${EMISSION_TABLE}`;

/** The version in the file; null while it holds no tables of ours. */
export function storedVersion(connection: Connection): number | null {
  const found = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'`).get();
  return found === undefined
    ? null
    : numberIn(connection.prepare('SELECT version FROM schema_version').get()?.[0]);
}

export function requireKnownVersion(connection: Connection, file: string): void {
  const version = storedVersion(connection);
  if (version !== null && version > SCHEMA_VERSION) throw new SchemaTooNew(file, version);
}

/** Brings the tables to the version that this program knows. Safe to call from several processes at once. */
export function prepareFile(connection: Connection, file: string): void {
  requireKnownVersion(connection, file);
  if (storedVersion(connection) === SCHEMA_VERSION) return;
  connection.exec('PRAGMA journal_mode = WAL');
  connection.transaction(() => {
    // Another program may have been faster, and a newer one too.
    requireKnownVersion(connection, file);
    if (storedVersion(connection) === null) connection.exec(FIRST_SCHEMA);
    const version = storedVersion(connection) ?? SCHEMA_VERSION;
    for (const migration of MIGRATIONS.slice(version - 1)) {
      if (typeof migration === 'string') connection.exec(migration);
      else migration(connection);
    }
    connection.exec(`UPDATE schema_version SET version = ${SCHEMA_VERSION}`);
  });
}
