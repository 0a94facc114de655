// A file of any size is read in the same memory, whatever its lines look like.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DAY } from '../../kernel/instant.js';
import type { FileBytes } from './file-bytes.js';
import { type FactBatch, type FileKind, readFactBytes, readFactFile } from './read-fact-file.js';

const MEBIBYTE = 1024 * 1024;
const clock = (): number => 1_772_483_400_000_000;

function stream(chunks: Iterable<Buffer>): FileBytes {
  async function* each(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  return { total: 0, read: () => 0, chunks: each() };
}

/** How far the memory rises above the start while the batches are thrown away. */
async function rise(
  batches: AsyncIterable<FactBatch>,
): Promise<{ peak: number; rejected: number; taken: number }> {
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const start = used();
  let [peak, rejected, taken] = [0, 0, 0];
  for await (const batch of batches) {
    peak = Math.max(peak, used() - start);
    rejected += batch.rejected.length;
    taken += batch.posts.length + batch.facts.length;
  }
  return { peak, rejected, taken };
}

function* repeated(chunk: Buffer, times: number, last: Buffer = Buffer.alloc(0)): Generator<Buffer> {
  for (let n = 0; n < times; n++) yield chunk;
  yield last;
}

const longPost = `${JSON.stringify({
  id: 'p',
  provider: 'x',
  author_id: 'a',
  created_at: '2026-01-01T00:00:00Z',
  text: 'é 株 x'.repeat(15_000),
})}\n`;
const good = '{"series":"A","date":"2026-01-01","value":1}\n';
const releaseOf = (_: string, day: number): number => (day + 1) * DAY;

it.each<[string, FileKind, () => Generator<Buffer>, number, number]>([
  [
    'one line of a gigabyte',
    'series',
    () => repeated(Buffer.alloc(MEBIBYTE, '{'), 1024, Buffer.from(`\n${good}`)),
    1,
    1,
  ],
  [
    'one quoted CSV field of a quarter of a gigabyte, in lines of a kilobyte',
    'series',
    () =>
      (function* () {
        yield Buffer.from('series,date,value\n"');
        yield* repeated(
          Buffer.from(`${'x'.repeat(1023)}\n`.repeat(256)),
          1024,
          Buffer.from('",,\nA,2026-01-01,1\n'),
        );
      })(),
    1,
    1,
  ],
  [
    'many lines just under the bound, all refused',
    'series',
    () => repeated(Buffer.from(`{"series":"${'x'.repeat(MEBIBYTE - 100)}"}\n`), 400),
    400,
    0,
  ],
  ['long posts, all good', 'posts', () => repeated(Buffer.from(longPost), 1_200), 0, 1_200],
])('reads %s', async (_, kind, chunks, rejected, taken) => {
  const seen = await rise(readFactBytes(stream(chunks()), kind, { clock, releaseOf }));
  expect([seen.rejected, seen.taken]).toEqual([rejected, taken]);
  expect(seen.peak).toBeLessThan(160 * MEBIBYTE);
});

it('unpacks a gzip that is a thousand times larger than its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'barograph-bomb-'));
  try {
    const path = join(folder, 'bomb.gz');
    const member = gzipSync(Buffer.alloc(64 * MEBIBYTE, 'x'));
    await writeFile(path, Buffer.concat([gzipSync('{'), ...Array(8).fill(member), gzipSync(`\n${good}`)]));
    const seen = await rise(readFactFile(path, 'series', { clock, releaseOf }));
    expect([seen.rejected, seen.taken]).toEqual([1, 1]);
    expect(seen.peak).toBeLessThan(160 * MEBIBYTE);
  } finally {
    await rm(folder, { recursive: true });
  }
});
