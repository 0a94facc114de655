// Kills the recorder at random moments under full ingest: what was acknowledged is there, once, and every frame verifies.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/instant.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { verifyFrames } from '../../src/pipeline/verify.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { type ArchiveAddress, openStore } from '../../src/storage/open.js';
import { installed, postgresBinaries } from '../servers/installed.js';
import { type PostgresServer, startPostgres } from '../servers/postgres.js';

const CHILD = fileURLToPath(new URL('./ingest-child.mjs', import.meta.url));
const ROUNDS = 20;
const ENDLESS = 10_000_000;

/** Lets one recorder live until it has acknowledged a few batches more, then kills it without warning. */
async function oneLife(address: ArchiveAddress, batches: number, delay: number): Promise<number> {
  const place = address.kind === 'sqlite' ? address.file : address.url;
  const child: ChildProcess = spawn(process.execPath, [CHILD, address.kind, place, String(ENDLESS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let faults = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    faults += chunk.toString();
  });
  const gone = once(child, 'exit');
  let acknowledged = 0;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /^ack (\d+)$/.exec(line);
    if (!match) continue;
    acknowledged = Number(match[1]);
    // The kill falls somewhere inside the work on a later batch; what is still acknowledged until then counts too.
    if (++seen === batches) setTimeout(() => child.kill('SIGKILL'), delay);
  }
  await gone;
  if (acknowledged === 0) throw new Error(`the recorder stored nothing: ${faults}`);
  return acknowledged;
}

async function storedPosts(archive: ArchiveReader): Promise<number[]> {
  const numbers: number[] = [];
  for await (const facts of archive.facts('post', { knownBy: Number.MAX_SAFE_INTEGER })) {
    for (const { body } of facts) numbers.push(Number(body.id.slice('post-'.length)));
  }
  return numbers.sort((a, b) => a - b);
}

function survives(name: string, addressOf: () => ArchiveAddress): void {
  it(`loses and doubles nothing in ${ROUNDS} rounds of kill -9 on ${name}`, {
    timeout: 240_000,
  }, async () => {
    const random = seededRandom(`durability ${name}`);
    const address = addressOf();
    let frames = 0;
    let stored = 0;
    let verifiedUntil = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await oneLife(address, random.integer(2, 12), random.uniform() * 40);
      const archive = await (await openStore(address, systemClock)).openReader();
      const posts = await storedPosts(archive);
      expect(posts.length).toBeGreaterThanOrEqual(acknowledged);
      expect(posts).toEqual(Array.from({ length: posts.length }, (_, i) => i));
      for await (const check of verifyFrames(archive, { from: verifiedUntil, to: Number.MAX_SAFE_INTEGER })) {
        expect(check.agrees).toBe(true);
        verifiedUntil = check.at + 1;
        frames++;
      }
      stored = posts.length;
      await archive.close();
    }
    expect(frames).toBeGreaterThan(ROUNDS / 2);
    console.log(
      `durability on ${name}: ${ROUNDS} kills, ${stored} posts, 0 lost, 0 doubled, ${frames} frames verified`,
    );
  });
}

describe('durability', () => {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-durability-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  survives('SQLite', () => ({ kind: 'sqlite', file: join(folder, 'archive.sqlite') }));
});

describe.runIf(installed('PostgreSQL', postgresBinaries()))('durability with PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
    url = await server.createDatabase();
  });
  afterAll(() => server?.stop());
  survives('PostgreSQL', () => ({ kind: 'postgres', url }));
});
