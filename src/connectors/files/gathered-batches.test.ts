import { expect, it } from 'vitest';
import { gathered } from './gathered-batches.js';
import type { FactBatch } from './read-fact-file.js';

const batch = (lines: number, size: number): FactBatch => ({
  posts: [],
  facts: [],
  rejected: Array.from({ length: size }, (_, i) => ({ line: lines - size + i + 1, reason: 'r', text: '' })),
  lines,
  bytesRead: lines,
  bytesTotal: 9000,
});

it('joins small batches and loses nothing, also before a fault', async () => {
  async function* source(): AsyncGenerator<FactBatch> {
    for (let lines = 1000; lines <= 9000; lines += 1000) yield batch(lines, 1000);
    throw new Error('cut');
  }
  const seen: number[] = [];
  const sizes: number[] = [];
  const reading = (async () => {
    for await (const one of gathered(source())) {
      sizes.push(one.rejected.length);
      seen.push(...one.rejected.map(({ line }) => line));
    }
  })();
  await expect(reading).rejects.toThrow('cut');
  expect(sizes).toEqual([4000, 4000, 1000]);
  expect(seen).toEqual(Array.from({ length: 9000 }, (_, i) => i + 1));
});
