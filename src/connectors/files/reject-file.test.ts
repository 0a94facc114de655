// The file of refused lines: one line each, made only when needed, and never a mixture of two imports.
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRejectFile } from './reject-file.js';

let folder: string;
let imported: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-rejects-'));
  imported = join(folder, 'posts.csv');
});
afterEach(() => rm(folder, { recursive: true }));

it('writes one line a reject, whatever the record holds', async () => {
  const rejects = createRejectFile(imported);
  await rejects.add({ line: 3, reason: 'id is missing', text: '"a\r\nb",1\r' });
  await rejects.add({ line: 9, reason: 'the line is not JSON', text: `{${'x'.repeat(5_000)}` });
  expect(await rejects.close()).toBe(2);
  expect(await readFile(`${imported}.rejected`, 'utf8')).toBe(
    `line 3: id is missing\t"a\\r\\nb",1\nline 9: the line is not JSON\t{${'x'.repeat(1_999)}\n`,
  );
});

it('makes no file when nothing is refused, and takes away the one of an earlier import', async () => {
  expect(await createRejectFile(imported).close()).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(`${imported}.rejected`, 'old');
  await createRejectFile(imported).close();
  expect(await readdir(folder)).toEqual([]);
});

it('replaces the file of an earlier import and does not write through a link', async () => {
  await writeFile(join(folder, 'precious'), 'keep');
  await symlink(join(folder, 'precious'), `${imported}.rejected`);
  const rejects = createRejectFile(imported);
  await rejects.add({ line: 1, reason: 'no value', text: 'x' });
  await rejects.close();
  expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('keep');
  expect(await readFile(rejects.path, 'utf8')).toBe('line 1: no value\tx\n');
});

it('keeps the order of very many rejects', async () => {
  const rejects = createRejectFile(imported);
  for (let line = 1; line <= 5_000; line++)
    await rejects.add({ line, reason: 'no value', text: 'x'.repeat(50) });
  await rejects.close();
  const lines = (await readFile(rejects.path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => Number.parseInt(line.slice(5), 10))).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n + 1),
  );
});
