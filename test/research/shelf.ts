// Archives of every kind with identity events in them, and the answer that reads them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cohortAnswer } from '../../src/answers/research/cohort.js';
import type { Report } from '../../src/domain/facts/fact.js';
import type { Known } from '../../src/domain/research/event-world.suite.js';
import type { Clock, Instant } from '../../src/kernel/instant.js';
import { jsonBody } from '../../src/kernel/json-body.js';
import type { ArchiveReader, ArchiveStore, ArchiveWriter } from '../../src/ports/archive.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';

export function reportsOf(log: readonly Known[]): Report[] {
  return log.map(({ body, knownAt }) => ({
    source: 'test',
    effectiveAt: knownAt,
    releasedAt: knownAt,
    body,
  }));
}

/** In several batches, as events arrive. */
export async function store(writer: ArchiveWriter, log: readonly Known[], batch = 7): Promise<void> {
  for (let i = 0; i < log.length; i += batch)
    await writer.append({ facts: reportsOf(log.slice(i, i + batch)) });
}

/** The bytes that the packet has on the wire. */
export async function packetText(
  archive: ArchiveReader,
  clock: Clock,
  input: { as_of?: string; as_known_at?: string },
): Promise<string> {
  return String(jsonBody(await cohortAnswer({ archive, clock })(input)));
}

export async function withStore<T>(
  kind: 'memory' | 'sqlite',
  now: Instant,
  use: (store: ArchiveStore) => Promise<T>,
): Promise<T> {
  const clock = () => now;
  if (kind === 'memory') return use(memoryStore({ clock }));
  const folder = await mkdtemp(join(tmpdir(), 'barograph-cohort-'));
  try {
    return await use(sqliteStore({ file: join(folder, 'archive.sqlite'), clock }));
  } finally {
    await rm(folder, { recursive: true });
  }
}
