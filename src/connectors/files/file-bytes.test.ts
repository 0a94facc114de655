// Bytes come out plain whatever is inside the file, and a fault comes after all the bytes before it.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FactFileError } from './fact-file-error.js';
import { openFileBytes } from './file-bytes.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-bytes-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(
  content: Buffer,
): Promise<{ text: string; error: unknown; read: number; total: number }> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const bytes = await openFileBytes(path);
  let text = '';
  let error: unknown = null;
  try {
    for await (const chunk of bytes.chunks) text += chunk.toString('latin1');
  } catch (thrown) {
    error = thrown;
  }
  return { text, error, read: bytes.read(), total: bytes.total };
}

const words = Array.from({ length: 200_000 }, (_, n) => `line ${(n * 7_919) % 100_003}\n`).join('');
const packed = gzipSync(words);

it('reads plain files, empty ones, and files of one byte', async () => {
  for (const text of [words, '', 'x', '\x1f']) {
    const { length } = text;
    expect(await readAll(Buffer.from(text, 'latin1'))).toEqual({
      text,
      error: null,
      read: length,
      total: length,
    });
  }
});

it('unpacks gzip, also several members after one another, and counts the packed bytes', async () => {
  const result = await readAll(packed);
  expect(result.text === words).toBe(true);
  expect([result.error, result.read, result.total]).toEqual([null, packed.length, packed.length]);
  expect((await readAll(Buffer.concat([gzipSync('one '), gzipSync('two')]))).text).toBe('one two');
});

it('passes over what follows the gzip data, little or much', async () => {
  for (const padding of [1, 512, 300_000]) {
    const { text, error } = await readAll(Buffer.concat([packed, Buffer.alloc(padding)]));
    expect([text === words, error]).toEqual([true, null]);
  }
});

it('delivers everything before the cut of a truncated gzip, then one clear error', async () => {
  for (const kept of [
    packed.length - 1,
    packed.length - 8,
    packed.length - 9,
    packed.length >> 1,
    40_000,
    3,
  ]) {
    const { text, error } = await readAll(packed.subarray(0, kept));
    expect(error).toBeInstanceOf(FactFileError);
    expect((error as Error).message).toBe('the gzip data end too early');
    expect(words.startsWith(text)).toBe(true);
    // Deflate needs few packed bytes more than what it gives back.
    expect(text.length).toBeGreaterThanOrEqual(Math.floor((words.length * (kept - 2_000)) / packed.length));
    if (kept >= packed.length - 8) expect(text.length).toBe(words.length);
  }
});

it('delivers what comes before damaged data', async () => {
  const damaged = Buffer.from(packed);
  for (let at = packed.length >> 1; at < (packed.length >> 1) + 100; at++) damaged[at]! ^= 0x55;
  const { text, error } = await readAll(damaged);
  expect((error as Error).message).toBe('the gzip data are damaged');
  const sound = words.length >> 2;
  expect(text.length).toBeGreaterThan(sound);
  expect(text.startsWith(words.slice(0, sound))).toBe(true);
});

it('says plainly why a file cannot be opened or read', async () => {
  await expect(openFileBytes(join(folder, 'absent'))).rejects.toThrow(
    new FactFileError('there is no such file'),
  );
  const folderBytes = await openFileBytes(folder);
  await expect(folderBytes.chunks[Symbol.asyncIterator]().next()).rejects.toThrow(
    new FactFileError('this is a folder'),
  );
});

it('closes the file when reading stops early', async () => {
  const path = join(folder, 'early');
  await writeFile(path, packed);
  const probe = await open(path);
  const free = probe.fd;
  await probe.close();
  for await (const _ of (await openFileBytes(path)).chunks) break;
  for await (const _ of (await openFileBytes(path)).chunks) break;
  const again = await open(path);
  expect(again.fd).toBe(free);
  await again.close();
});
