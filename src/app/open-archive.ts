// Opens the archive for one command and closes it whatever happens.
import { systemClock } from '../kernel/instant.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';
import { openStore } from '../storage/open.js';
import type { Config } from './config.js';
import { CommandFault } from './exit.js';

export async function withReader<T>(config: Config, use: (archive: ArchiveReader) => Promise<T>): Promise<T> {
  const archive = await openStore(config.archive, systemClock)
    .openReader()
    .catch((error: unknown) => {
      throw new CommandFault(
        `the archive cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  return use(archive).finally(() => archive.close());
}

export async function withWriter<T>(config: Config, use: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  const archive = await openStore(config.archive, systemClock).openWriter();
  return use(archive).finally(() => archive.close());
}
