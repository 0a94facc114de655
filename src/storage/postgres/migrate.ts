// Brings the tables to the version that this program knows, once, however many processes start together.
import { ArchiveUnready } from '../../ports/archive.js';
import { run, type Sql } from './driver.js';
import { SCHEMA_LOCK } from './locks.js';
import { SCHEMA_VERSIONS } from './schema.js';
import type { Session } from './session.js';

export class NewerArchive extends Error {
  constructor(version: number) {
    super(`the archive has schema version ${version}; this program knows ${SCHEMA_VERSIONS.length}`);
    this.name = 'NewerArchive';
  }
}

export async function migrate(session: Session): Promise<void> {
  // Most starts find the tables as they should be, and a reader may lack the right to make any.
  if ((await session.run(versionOf)) === SCHEMA_VERSIONS.length) return;
  // Before the transaction, not in it: one that began earlier may not see the tables that another has just made.
  await session.run((sql) => sql.unsafe(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`));
  await session.transaction(async (sql) => {
    const version = await versionOf(sql);
    for (const text of SCHEMA_VERSIONS.slice(version)) await sql.unsafe(text);
    await sql.unsafe(`UPDATE barograph.schema_version SET version = ${SCHEMA_VERSIONS.length}`);
  });
  await session.run((sql) => sql.unsafe(`SELECT pg_advisory_unlock(${SCHEMA_LOCK})`));
}

export async function requireMigrated(session: Session, location: string): Promise<void> {
  const version = await session.run(versionOf);
  if (version === SCHEMA_VERSIONS.length) return;
  throw new ArchiveUnready(location, version === 0 ? null : version, SCHEMA_VERSIONS.length);
}

async function versionOf(sql: Sql): Promise<number> {
  const [table] = await run<{ name: string | null }>(
    sql,
    `SELECT to_regclass('barograph.schema_version') AS name`,
  );
  if (table?.name == null) return 0;
  const [row] = await run<{ version: number }>(sql, 'SELECT version FROM barograph.schema_version');
  const version = row?.version ?? 0;
  if (version > SCHEMA_VERSIONS.length) throw new NewerArchive(version);
  return version;
}
