// Rows as CSV and as JSON, and a writer that waits for its reader.
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type TableRow, writeRows } from './write-rows.js';

async function* each(rows: Iterable<TableRow>): AsyncGenerator<TableRow> {
  yield* rows;
}

async function written(
  rows: readonly TableRow[],
  format: 'csv' | 'ndjson',
  columns: readonly string[],
): Promise<string> {
  const to = new PassThrough();
  const all = text(to);
  expect(await writeRows(each(rows), { format, columns, to })).toBe(rows.length);
  to.end();
  return all;
}

const row = {
  ticker: 'BRK.B',
  rank: 1,
  share: 0.1,
  ambiguous: false,
  name: 'A "B", C\nD',
  sector: null,
  more: '=1+1',
};
const columns = ['ticker', 'name', 'rank', 'share', 'ambiguous', 'sector', 'more', 'absent'];

it('writes a header and quotes only where it must', async () => {
  expect(await written([row, { ticker: '' }], 'csv', columns)).toBe(
    'ticker,name,rank,share,ambiguous,sector,more,absent\n' +
      'BRK.B,"A ""B"", C\nD",1,0.1,false,,=1+1,\n' +
      '"",,,,,,,\n',
  );
});

it('writes one JSON object a line with the columns in their order', async () => {
  expect(await written([row], 'ndjson', columns)).toBe(
    '{"ticker":"BRK.B","name":"A \\"B\\", C\\nD","rank":1,"share":0.1,"ambiguous":false,"sector":null,"more":"=1+1","absent":null}\n',
  );
});

it('writes a header for no rows, and no blank line for a lone null', async () => {
  expect(await written([], 'csv', ['a', 'b,c'])).toBe('a,"b,c"\n');
  expect(await written([], 'ndjson', ['a'])).toBe('');
  expect(await written([{ a: null }, { a: 1 }], 'csv', ['a'])).toBe('a\n""\n1\n');
});

it('keeps every digit of a number and refuses what is none', async () => {
  const numbers = [0.1 + 0.2, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, -1.5];
  const lines = (
    await written(
      numbers.map((n) => ({ n })),
      'csv',
      ['n'],
    )
  )
    .trimEnd()
    .split('\n')
    .slice(1);
  expect(lines.map(Number)).toEqual(numbers);
  for (const n of [Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(written([{ n }], 'ndjson', ['n'])).rejects.toThrow('n is not a finite number');
  }
});

describe('the writer', () => {
  it('takes rows no faster than the reader takes bytes', async () => {
    let made = 0;
    async function* many(): AsyncGenerator<TableRow> {
      for (; made < 100_000; made++) yield { text: 'x'.repeat(100) };
    }
    const to = new PassThrough({ highWaterMark: 1024 });
    const done = writeRows(many(), { format: 'csv', columns: ['text'], to });
    await once(to, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBeLessThan(2_000);
    let bytes = 0;
    to.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    expect(await done).toBe(100_000);
    to.end();
    await once(to, 'end');
    expect(bytes).toBe(100_000 * 101 + 5);
  });

  it('fails, and lets go of the rows, when the reader goes away or the stream breaks', async () => {
    for (const break_ of [
      (to: Writable) => to.destroy(),
      (to: Writable) => to.destroy(new Error('broken pipe')),
    ]) {
      let released = false;
      async function* endless(): AsyncGenerator<TableRow> {
        try {
          for (;;) yield { text: 'x'.repeat(1_000) };
        } finally {
          released = true;
        }
      }
      let blocks = 0;
      const to: Writable = new Writable({
        write(_chunk, _encoding, done) {
          blocks += 1;
          if (blocks === 3) break_(to);
          else done();
        },
      });
      await expect(writeRows(endless(), { format: 'ndjson', columns: ['text'], to })).rejects.toThrow();
      expect(released).toBe(true);
    }
  });
});
