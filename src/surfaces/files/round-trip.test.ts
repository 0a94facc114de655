// What is written as rows is read back as the same facts, in both formats.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FactBatch, type FileKind, readFactFile } from '../../connectors/files/read-fact-file.js';
import { formatInstant } from '../../kernel/instant.js';
import { type TableRow, writeRows } from './write-rows.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-round-trip-'));
});
afterAll(() => rm(folder, { recursive: true }));

const clock = (): number => 1_772_483_400_000_000;

async function throughFile(
  rows: readonly TableRow[],
  columns: readonly string[],
  kind: FileKind,
  format: 'csv' | 'ndjson',
): Promise<FactBatch[]> {
  const path = join(folder, 'rows');
  const to = createWriteStream(path);
  async function* each(): AsyncGenerator<TableRow> {
    yield* rows;
  }
  await writeRows(each(), { format, columns, to });
  to.end();
  await finished(to);
  const batches: FactBatch[] = [];
  for await (const batch of readFactFile(path, kind, { clock })) batches.push(batch);
  return batches;
}

const character = fc.oneof(
  fc.constantFrom('"', '""', ',', '\n', '\r', '\r\n', ' ', '|', '\uFEFF', '\u2028', '=', "'"),
  fc.integer({ min: 1, max: 0x10f7ff }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800)),
);
const post = fc.record({
  id: fc.stringMatching(/^[!-~]{1,40}$/),
  author_id: fc.stringMatching(/^[!-~]{1,40}$/),
  provider: fc.constantFrom('reddit', 'x', 'my_file'),
  created_at: fc.integer({ min: 0, max: clock() }).map(formatInstant),
  text: fc.string({ unit: character, maxLength: 300 }),
  likes: fc.option(fc.nat()),
  lang: fc.option(fc.constantFrom('en', 'ja')),
});

it('gives posts back to the letter', async () => {
  const columns = ['text', 'id', 'author_id', 'provider', 'created_at', 'likes', 'lang'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(post, { maxLength: 20 }),
      fc.constantFrom('csv', 'ndjson'),
      async (rows, format) => {
        const batches = await throughFile(rows, columns, 'posts', format);
        expect(batches.flatMap(({ rejected }) => rejected)).toEqual([]);
        const back = batches.flatMap(({ posts }) => posts);
        expect(
          back.map(({ id, authorId, provider, createdAt, text, likes, lang }) => ({
            id,
            author_id: authorId,
            provider,
            created_at: formatInstant(createdAt),
            text,
            likes,
            lang,
          })),
        ).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});

it('gives numbers back to the last bit', async () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 50 }),
      fc.constantFrom('csv', 'ndjson'),
      async (values, format) => {
        const rows = values.map((x, n) => ({
          series: `S${n}`,
          date: '2026-01-01',
          value: x,
          known_at: '2026-01-02',
        }));
        const batches = await throughFile(rows, ['series', 'date', 'value', 'known_at'], 'series', format);
        const back = batches
          .flatMap(({ facts }) => facts)
          .map(({ body }) => body.kind === 'series' && body.value);
        expect(back).toEqual(values);
      },
    ),
    { numRuns: 40 },
  );
});
