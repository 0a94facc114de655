// The examinations of `barograph doctor`: each returns what it saw, or throws what is wrong.
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readKeyRecords } from '../../access/key-records.js';
import { makeConnectors } from '../../connectors/list.js';
import { formatInstant, LATEST, MINUTE, systemClock } from '../../kernel/instant.js';
import { type ArchiveReader, ArchiveUnready } from '../../ports/archive.js';
import { openBus, openCounters } from '../../storage/open.js';
import type { Config } from '../config.js';

export interface Examined {
  readonly config: Config;
  /** Rejects where it cannot be opened, or is not there yet. */
  readonly archive: Promise<ArchiveReader>;
}

export type Examination = (examined: Examined) => Promise<string>;

export const EXAMINATIONS: Readonly<Record<string, Examination>> = {
  configuration: async ({ config: { role, surfaces } }) => `role ${role}, surfaces ${surfaces.join(', ')}`,
  'data folder': async ({ config }) => examineFolder(config.dataFolder),
  archive: examineArchive,
  limiter: async ({ config }) => examineCounters(config),
  bus: async ({ config }) => examineBus(config),
  clock: examineClock,
  sources: examineSources,
  keys: async ({ config }) => examineKeys(config.keysFile),
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Null where there is nothing of this name. */
async function whatIsAt(path: string): Promise<'folder' | 'file' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ENOTDIR') throw new Error(`a part of ${path} is a file, not a folder`);
    throw error;
  }
}

async function examineFolder(folder: string): Promise<string> {
  let standing = folder;
  let found = await whatIsAt(standing);
  while (found === null) {
    standing = dirname(standing);
    found = await whatIsAt(standing);
  }
  if (found === 'file') throw new Error(`${standing} is a file, not a folder`);
  await access(standing, constants.W_OK | constants.X_OK).catch(() => {
    throw new Error(`${standing} may not be written to`);
  });
  return standing === folder ? folder : `${folder}, not there yet`;
}

async function examineArchive({ config, archive }: Examined): Promise<string> {
  if (config.archive.kind === 'sqlite') await whatIsAt(config.archive.file);
  const reader = await archive.catch(unlessUnready);
  if (typeof reader === 'string') return reader;
  const { firstKnownAt, lastKnownAt } = await reader.extent();
  const facts =
    firstKnownAt === null || lastKnownAt === null
      ? 'no facts yet'
      : `facts from ${formatInstant(firstKnownAt)} to ${formatInstant(lastKnownAt)}`;
  const frame = await reader.frameAt(LATEST);
  const newest = frame ? `newest frame ${formatInstant(frame.at)}` : 'no frame yet';
  return `${reader.location}: ${facts}, ${newest}`;
}

/** An archive that the next start will make is no fault. */
function unlessUnready(error: unknown): string {
  if (error instanceof ArchiveUnready) return error.message;
  throw error;
}

async function examineCounters({ redisUrl, dataFolder }: Config): Promise<string> {
  const kind = redisUrl === null ? 'on this machine' : 'shared';
  if (redisUrl === null && (await whatIsAt(join(dataFolder, 'counters.sqlite'))) === null)
    return `${kind}, nothing counted yet`;
  const counters = await openCounters(redisUrl, dataFolder, systemClock);
  const answers = await counters.healthy().catch(() => false);
  await counters.close();
  if (!answers) throw new Error(`${kind}, does not answer`);
  return kind;
}

async function examineBus({ redisUrl }: Config): Promise<string> {
  const bus = await openBus(redisUrl);
  try {
    // Listening is enough to see whether it answers; publishing would be heard by others.
    await bus.subscribe('recorder.status', () => {});
    if (!bus.healthy()) throw new Error('shared, does not answer');
    return redisUrl === null ? 'inside the process' : 'shared';
  } finally {
    await bus.close();
  }
}

/** A clock behind the newest fact would have to wait for it: live facts carry the instant of their append. */
async function examineClock({ archive }: Examined): Promise<string> {
  const now = systemClock();
  const extent = await archive.then((reader) => reader.extent()).catch(() => null);
  const newest = extent?.lastKnownAt ?? null;
  if (newest === null) return `${formatInstant(now)}, nothing to compare it with`;
  if (newest - now > MINUTE)
    throw new Error(`behind the newest fact by ${Math.round((newest - now) / MINUTE)} minutes`);
  return formatInstant(now);
}

/** The names are checked with the configuration; what the archive holds of them tells whether they ever delivered. */
async function examineSources({ config, archive }: Examined): Promise<string> {
  if (config.sources.length === 0) return 'none: facts come by import';
  const reader = await archive.catch(() => null);
  const names = makeConnectors(config.sources, config).map(({ name }) => name);
  if (reader === null) return `${names.join(', ')}: nothing recorded yet`;
  const states: string[] = [];
  for (const name of names) {
    const cursor = await reader.cursor(name);
    states.push(`${name} ${cursor === null ? 'has delivered nothing yet' : 'goes on where it stopped'}`);
  }
  const warming = (await reader.frameAt(LATEST))?.sourceSet.warming ?? [];
  const waiting = warming.length > 0 ? `; still warming up: ${warming.join(', ')}` : '';
  return `${states.join(', ')}${waiting}`;
}

/** A key that is ignored opens nothing, and its owner wonders why. Hashes are never shown. */
async function examineKeys(file: string): Promise<string> {
  const text = (await whatIsAt(file)) === null ? null : await readFile(file, 'utf8');
  const { records, ignored, fault } = readKeyRecords(text);
  if (fault === 'missing') return `none yet at ${file}`;
  if (fault === 'unreadable') throw new Error(`${file} is not a file of key records`);
  const keys = `${records.length} ${records.length === 1 ? 'key' : 'keys'} in ${file}`;
  if (ignored.length === 0) return keys;
  const reasons = ignored.map(
    ({ index, id, because }) => `record ${index + 1}${id ? ` (${id})` : ''} ${because}`,
  );
  throw new Error(`${keys}; ignored: ${reasons.join(', ')}`);
}
