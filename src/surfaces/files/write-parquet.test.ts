// A table says the same in all three formats, and a long one is written no faster than it is read.
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { type Column, writeParquet } from './write-parquet.js';
import { type Cell, type TableRow, writeRows } from './write-rows.js';

const COLUMNS = [
  { name: 'ticker', type: 'string' },
  { name: 'note', type: 'string', nullable: true },
  { name: 'rank', type: 'int32', nullable: true },
  { name: 'sequence', type: 'int64' },
  { name: 'share', type: 'double', nullable: true },
  { name: 'backfilled', type: 'boolean' },
  { name: 'ambiguous', type: 'boolean', nullable: true },
] as const satisfies readonly Column[];

async function* each(rows: Iterable<TableRow>): AsyncGenerator<TableRow> {
  yield* rows;
}

async function parquetOf(
  rows: Iterable<TableRow>,
  columns: readonly Column[] = COLUMNS,
  groupRows?: number,
): Promise<ArrayBuffer> {
  const to = new PassThrough();
  const bytes = buffer(to);
  await writeParquet(each(rows), { columns, to, ...(groupRows === undefined ? {} : { groupRows }) });
  to.end();
  const all = await bytes;
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength) as ArrayBuffer;
}

async function textOf(rows: readonly TableRow[], format: 'csv' | 'ndjson'): Promise<string> {
  const to = new PassThrough();
  const all = text(to);
  await writeRows(each(rows), { format, columns: COLUMNS.map(({ name }) => name), to });
  to.end();
  return all;
}

/** What a reader gets, as the cells that were written. */
const asCells = (read: Record<string, unknown>): TableRow =>
  Object.fromEntries(
    Object.entries(read).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : (value as Cell),
    ]),
  );

const rowsOfParquet = async (file: ArrayBuffer): Promise<TableRow[]> =>
  ((await parquetReadObjects({ file })) as Record<string, unknown>[]).map(asCells);

const rowsOfJson = (lines: string): TableRow[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TableRow);

/** An empty cell is null and two quotes are an empty text, so the columns' types are all that is missing. */
function rowsOfCsv(file: string): TableRow[] {
  const records: string[][] = [[]];
  for (const [, cell = '', end] of file.matchAll(/("(?:[^"]|"")*"|[^,\r\n"]*)(,|\n)/g)) {
    records.at(-1)!.push(cell);
    if (end === '\n') records.push([]);
  }
  return records.slice(1, -1).map((record) => {
    expect(record).toHaveLength(COLUMNS.length);
    return Object.fromEntries(COLUMNS.map(({ name, type }, i) => [name, csvCell(record[i]!, type)]));
  });
}

function csvCell(cell: string, type: Column['type']): Cell {
  if (cell === '') return null;
  if (type === 'string') return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  return type === 'boolean' ? cell === 'true' : Number(cell);
}

const characters = fc.oneof(
  fc.constantFrom('"', ',', '\n', '\r\n', ' ', 'é', '漢', '🙂'),
  fc.stringMatching(/^[ -~]$/),
);
const someText = fc.string({ unit: characters, maxLength: 40 });
const row = fc.record({
  ticker: someText,
  note: fc.option(someText),
  rank: fc.option(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 })),
  sequence: fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  share: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
  backfilled: fc.boolean(),
  ambiguous: fc.option(fc.boolean()),
});

describe('the three formats', () => {
  it('give the same values, nulls and types back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        async (rows, size) => {
          expect(await rowsOfParquet(await parquetOf(rows, COLUMNS, size))).toEqual(rows);
          expect(rowsOfJson(await textOf(rows, 'ndjson'))).toEqual(rows);
          expect(rowsOfCsv(await textOf(rows, 'csv'))).toEqual(rows);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('agree where a column is all null, all alike, or longer than a page', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({
      ticker: i % 2 === 0 ? 'NVDA' : 'BRK.B',
      note: i === 2_999 ? 'x'.repeat(2_000_000) : null,
      rank: null,
      sequence: 2 ** 40 + i,
      share: i / 7,
      backfilled: true,
      ambiguous: i % 5 === 0 ? null : i % 3 === 0,
    }));
    expect(await rowsOfParquet(await parquetOf(rows))).toEqual(rows);
    expect(rowsOfCsv(await textOf(rows, 'csv'))).toEqual(rows);
  });
});

describe('a Parquet file', () => {
  it('states the type of every column and which may be empty', async () => {
    const { schema, num_rows } = parquetMetadata(await parquetOf([]));
    expect(num_rows).toBe(0n);
    expect(
      schema
        .slice(1)
        .map(({ name, type, converted_type, repetition_type }) => [
          name,
          type,
          converted_type ?? null,
          repetition_type,
        ]),
    ).toEqual([
      ['ticker', 'BYTE_ARRAY', 'UTF8', 'REQUIRED'],
      ['note', 'BYTE_ARRAY', 'UTF8', 'OPTIONAL'],
      ['rank', 'INT32', null, 'OPTIONAL'],
      ['sequence', 'INT64', null, 'REQUIRED'],
      ['share', 'DOUBLE', null, 'OPTIONAL'],
      ['backfilled', 'BOOLEAN', null, 'REQUIRED'],
      ['ambiguous', 'BOOLEAN', null, 'OPTIONAL'],
    ]);
  });

  it('is cut into row groups, also by long texts', async () => {
    const columns: Column[] = [{ name: 'a', type: 'string' }];
    const rows = Array.from({ length: 10 }, (_, i) => ({ a: String(i) }));
    const groups = async (file: Promise<ArrayBuffer>): Promise<number[]> =>
      parquetMetadata(await file).row_groups.map((group) => Number(group.num_rows));
    expect(await groups(parquetOf(rows, columns, 4))).toEqual([4, 4, 2]);
    const long = 'x'.repeat(6 * 1024 * 1024);
    expect(await groups(parquetOf([{ a: long }, { a: long }, { a: long }, { a: 'y' }], columns))).toEqual([
      3, 1,
    ]);
  });

  it('holds no value of another type and no hole where there may be none', async () => {
    const faults: [Column, Cell][] = [
      [{ name: 'a', type: 'string' }, null],
      [{ name: 'a', type: 'string' }, 1],
      [{ name: 'a', type: 'boolean' }, 'true'],
      [{ name: 'a', type: 'double' }, '1'],
      [{ name: 'a', type: 'double' }, Number.NaN],
      [{ name: 'a', type: 'int32' }, 2 ** 31],
      [{ name: 'a', type: 'int32' }, 0.5],
      [{ name: 'a', type: 'int64' }, 2 ** 53],
    ];
    for (const [column, value] of faults) {
      await expect(parquetOf([{ a: value }], [column])).rejects.toThrow(/^a is /);
    }
  });
});

describe('the writer', () => {
  const columns: Column[] = [{ name: 'n', type: 'int64' }];

  it('takes rows no faster than the reader takes bytes', async () => {
    let made = 0;
    async function* many(): AsyncGenerator<TableRow> {
      for (; made < 20_000; made++) yield { n: made };
    }
    const to = new PassThrough({ highWaterMark: 1024 });
    const done = writeParquet(many(), { columns, to, groupRows: 500 });
    await once(to, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBeLessThan(3_000);
    const read = buffer(to);
    expect(await done).toBe(20_000);
    to.end();
    const all = await read;
    const file = all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength) as ArrayBuffer;
    expect((await rowsOfParquet(file)).map(({ n }) => n)).toEqual(
      Array.from({ length: 20_000 }, (_, i) => i),
    );
  });

  it('fails, and lets go of the rows, when the reader goes away', async () => {
    let released = false;
    async function* endless(): AsyncGenerator<TableRow> {
      try {
        for (let n = 0; ; n++) yield { n };
      } finally {
        released = true;
      }
    }
    const to: Writable = new Writable({
      write() {
        to.destroy();
      },
    });
    await expect(writeParquet(endless(), { columns, to, groupRows: 10 })).rejects.toThrow();
    expect(released).toBe(true);
  });
});
