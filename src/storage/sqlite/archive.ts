// The archive in one SQLite file: a reader per caller, one writer for all.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../kernel/instant.js';
import { type ArchiveStore, ArchiveUnready } from '../../ports/archive.js';
import { type Access, Connection } from './connection.js';
import { SqliteReader } from './reader.js';
import { lockRecorder } from './recorder-lock.js';
import { prepareFile, requireKnownVersion, SCHEMA_VERSION, storedVersion } from './schema.js';
import { SqliteWriter } from './writer.js';

/** Every commit reaches the disk before it is acknowledged. */
const WRITER_SETTINGS = `PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 16000;
PRAGMA journal_size_limit = 67108864`;
const READER_SETTINGS = 'PRAGMA cache_size = -8192';

export function sqliteStore({ file, clock }: { readonly file: string; readonly clock: Clock }): ArchiveStore {
  const location = resolve(file);

  const openForWriting = (): Connection => {
    const connection = new Connection(location);
    try {
      prepareFile(connection, location);
      connection.exec(WRITER_SETTINGS);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const openForReading = (access: Access = 'read'): Connection => {
    const connection = new Connection(location, access);
    try {
      requireKnownVersion(connection, location);
      connection.exec(READER_SETTINGS);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  const openAsItIs = (): Connection => {
    if (!existsSync(location)) throw new ArchiveUnready(location, null, SCHEMA_VERSION);
    // Who reads beside no log would make one, and leave it behind.
    const connection = openForReading(existsSync(`${location}-wal`) ? 'read' : 'read still');
    const version = storedVersion(connection);
    if (version === SCHEMA_VERSION) return connection;
    connection.close();
    throw new ArchiveUnready(location, version, SCHEMA_VERSION);
  };

  return {
    async openReader({ asItIs = false } = {}) {
      if (asItIs) return new SqliteReader(openAsItIs(), location);
      mkdirSync(dirname(location), { recursive: true });
      // A reader may come before the first writer has laid out the file, or brought it up to date; it then does so itself.
      if (!existsSync(location)) openForWriting().close();
      let connection = openForReading();
      if (storedVersion(connection) !== SCHEMA_VERSION) {
        connection.close();
        openForWriting().close();
        connection = openForReading();
      }
      return new SqliteReader(connection, location);
    },
    async openWriter({ standby } = {}) {
      mkdirSync(dirname(location), { recursive: true });
      const lock = await lockRecorder(`${location}.recorder`, location, standby);
      try {
        return new SqliteWriter(openForWriting(), location, clock, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    },
  };
}
