// Opens the archive for one command and closes it whatever happens.
import { existsSync } from 'node:fs';
import { systemClock } from '../kernel/instant.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';
import { openStore } from '../storage/open.js';
import type { Config } from './config.js';
import { CommandFault } from './exit.js';

export async function withReader<T>(config: Config, use: (archive: ArchiveReader) => Promise<T>): Promise<T> {
  // Opening would make an empty one; a mistyped folder must not look like an empty archive.
  if (config.archive.kind === 'sqlite' && !existsSync(config.archive.file)) {
    throw new CommandFault(`there is no archive at ${config.archive.file} yet`);
  }
  const store = await openStore(config.archive, systemClock);
  const archive = await store.openReader().catch((error: unknown) => {
    throw new CommandFault(
      `the archive cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return use(archive).finally(() => archive.close());
}

export async function withWriter<T>(config: Config, use: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  const store = await openStore(config.archive, systemClock);
  const archive = await store.openWriter();
  return use(archive).finally(() => archive.close());
}
