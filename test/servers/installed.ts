// Says loudly when a real server is missing: locally its tests are skipped, on CI they must not be.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function redisBinary(): string | null {
  const folders = (process.env['PATH'] ?? '').split(':');
  const places = folders.flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')]);
  return places.find((place) => existsSync(place)) ?? null;
}

/** The folder of the newest installed PostgreSQL. */
export function postgresBinaries(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** True when the tests can run; throws on CI when they cannot. */
export function installed(what: string, place: string | null): boolean {
  if (place !== null) return true;
  const text = `${what} is not installed: the tests against a real server cannot run`;
  if (process.env['CI'] === 'true') throw new Error(text);
  console.warn(`\n!!! SKIPPED: ${text} !!!\n`);
  return false;
}
