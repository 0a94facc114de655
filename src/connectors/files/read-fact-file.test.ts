// Whole files of every kind in both formats, plain and packed: what comes out, which lines are refused, and why.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, parseInstant } from '../../kernel/instant.js';
import { FactFileError } from './fact-file-error.js';
import {
  type FactBatch,
  type FactFileOptions,
  FILE_KINDS,
  type FileKind,
  readFactFile,
} from './read-fact-file.js';

const clock = (): number => parseInstant('2026-03-02T20:30:00Z')!;
const releaseOf = (_: string, day: number): number => (day + 1) * DAY;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Outcome {
  readonly batches: FactBatch[];
  readonly posts: unknown[];
  readonly facts: unknown[];
  readonly rejected: (readonly [line: number, reason: string])[];
  readonly error: unknown;
}

async function importing(
  content: string | Buffer,
  kind: FileKind,
  over: Partial<FactFileOptions> = {},
  // The usual name says nothing of the format: then only the content counts.
  name = 'facts.parquet',
): Promise<Outcome> {
  const path = join(folder, name);
  await writeFile(path, content);
  const batches: FactBatch[] = [];
  let error: unknown = null;
  try {
    for await (const batch of readFactFile(path, kind, { clock, releaseOf, ...over })) batches.push(batch);
  } catch (thrown) {
    error = thrown;
  }
  return {
    batches,
    posts: batches.flatMap(({ posts }) => posts),
    facts: batches.flatMap(({ facts }) => facts),
    rejected: batches.flatMap(({ rejected }) => rejected.map(({ line, reason }) => [line, reason] as const)),
    error,
  };
}

/** Identity events are no tables: they are read in a test of their own. */
type TableKind = Exclude<FileKind, 'identities'>;
const TABLES = FILE_KINDS.filter((kind): kind is TableKind => kind !== 'identities');

/** The same two records of each kind, as CSV with its columns in any order and a stranger among them, and as JSON. */
const SAMPLES: Readonly<Record<TableKind, { readonly csv: string; readonly json: readonly object[] }>> = {
  assets: {
    csv: 'name,x,TICKER,kind,sector\n"Alphabet, Inc.",1,GOOGL,,Tech\nSPDR,,spy,etf,\n',
    json: [
      { ticker: 'GOOGL', name: 'Alphabet, Inc.', sector: 'Tech', extra: [1] },
      { ticker: 'SPY', name: 'SPDR', kind: 'etf', sector: null },
    ],
  },
  posts: {
    csv: 'text,provider,id,author_id,created_at,tickers,urls,likes,x\n"Say ""hi"",\nworld",reddit,1,a,2026-03-01T10:00:00Z,$GME|BRK-B,https://a.b/c https://d.e,3,\n,reddit,2,b,1772359200,,,,\n',
    json: [
      {
        id: '1',
        provider: 'reddit',
        author_id: 'a',
        created_at: '2026-03-01T10:00:00Z',
        text: 'Say "hi",\nworld',
        tickers: ['gme', 'BRK.B'],
        urls: ['https://a.b/c', 'https://d.e'],
        likes: 3,
      },
      { id: 2, provider: 'reddit', author_id: 'b', created_at: 1772359200, text: '' },
    ],
  },
  counts: {
    csv: 'posts,ticker,x,bucket_seconds,bucket_start,provider,authors\n4,GME,,3600,2026-03-01T10:00:00Z,apewisdom,\n0,AMC,,60,2026-03-01,apewisdom,0\n',
    json: [
      {
        ticker: 'GME',
        provider: 'apewisdom',
        bucket_start: '2026-03-01T10:00:00Z',
        bucket_seconds: 3600,
        posts: 4,
      },
      {
        ticker: 'AMC',
        provider: 'apewisdom',
        bucket_start: '2026-03-01T00:00:00Z',
        bucket_seconds: '60',
        posts: 0,
        authors: 0,
      },
    ],
  },
  prices: {
    csv: 'Date,Open,High,Low,Close,Volume,Ticker\n2026-02-27,1,2,0.5,1.5,100,NVDA\n2025-07-01,3,3,3,3,0,AMD\n',
    json: [
      { ticker: 'NVDA', date: '2026-02-27', open: 1, high: 2, low: 0.5, close: 1.5, volume: 100 },
      { ticker: 'AMD', date: '2025-07-01', open: 3, high: 3, low: 3, close: 3, volume: 0 },
    ],
  },
  shares: {
    csv: 'ticker,shares,effective_at,known_at,basis\nAAPL,15000000000,2025-12-31,2026-01-30T21:30:00Z,\nBRK.B,1e9,2025-12-31,2026-02-21,per_class_sum\n',
    json: [
      { ticker: 'AAPL', shares: 15e9, effective_at: '2025-12-31', known_at: '2026-01-30T16:30:00-05:00' },
      {
        ticker: 'BRK-B',
        shares: 1e9,
        effective_at: '2025-12-31',
        known_at: '2026-02-21',
        basis: 'per_class_sum',
      },
    ],
  },
  splits: {
    csv: 'ticker,ratio,effective_at,known_at\nNVDA,10,2024-06-10,2024-05-22T20:20:00Z\nGE,0.125,2021-08-02,\n',
    json: [
      { ticker: 'NVDA', ratio: 10, effective_at: '2024-06-10', known_at: '2024-05-22T20:20:00Z' },
      { ticker: 'GE', ratio: 0.125, effective_at: '2021-08-02' },
    ],
  },
  series: {
    csv: 'series,date,value,known_at\nDGS10,2026-02-26,4.05,\nCPIAUCSL,2026-01-01,3.2e2,2026-02-13T13:30:00Z\n',
    json: [
      { series: 'DGS10', date: '2026-02-26', value: 4.05 },
      { series: 'CPIAUCSL', date: '2026-01-01', value: 320, known_at: '2026-02-13T13:30:00Z' },
    ],
  },
};

const ndjson = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe.each(TABLES)('a file of %s', (kind) => {
  const { csv, json } = SAMPLES[kind];

  it('says the same as CSV and as JSON, plain and packed, with any line ending and with a byte order mark', async () => {
    const plain = await importing(ndjson(json), kind);
    expect([plain.error, plain.rejected, plain.posts.length + plain.facts.length]).toEqual([null, [], 2]);
    for (const content of [
      gzipSync(ndjson(json)),
      `\uFEFF${ndjson(json).replaceAll('\n', '\r\n')}`,
      `\n \r\n${ndjson(json).trimEnd()}`,
      csv,
      gzipSync(csv),
      gzipSync(`\uFEFF${csv.trimEnd()}`),
      // Inside quotes a line ending is data, so only the ones between records change here.
      csv.includes('"') ? csv : csv.replaceAll('\n', '\r\n'),
    ]) {
      const other = await importing(content, kind);
      expect([other.error, other.rejected]).toEqual([null, []]);
      expect({ posts: other.posts, facts: other.facts }).toEqual({ posts: plain.posts, facts: plain.facts });
    }
  });

  it('keeps what is there twice: telling what is known is not its work', async () => {
    const { posts, facts } = await importing(ndjson([...json, ...json]), kind);
    expect(posts.length + facts.length).toBe(4);
  });
});

it('gives facts of no provider the source it is told', async () => {
  const { facts } = await importing('series,date,value\nX,2026-02-01,1\n', 'series', { source: 'fred_file' });
  expect(facts).toMatchObject([{ source: 'fred_file' }]);
});

describe('refused lines', () => {
  it('take the rest of a CSV with them when a quote is never closed, and nothing before it', async () => {
    const seen = await importing(
      'series,date,value\nA,2026-01-01,1\nB,"2026-01-01,1\nC,2026-01-01,1\n',
      'series',
    );
    expect([seen.error, seen.facts.length]).toEqual([null, 1]);
    expect(seen.rejected).toEqual([
      [3, 'a quoted field does not end, so nothing is read from here to line 4, the last'],
    ]);
    const header = await importing('series,"date,value\nA,2026-01-01,1\n', 'series');
    expect((header.error as Error).message).toMatch(/^line 1: the header cannot be read: a quoted field/);
  });

  it('carry the number of the line on which the record begins, and its text', async () => {
    const content =
      'series,date,value\nA,2026-01-01,1\n\n"B\nC",2026-01-01,.\nD,2026-01-01\nE,2026-01-01,x\n';
    const { facts, rejected, batches } = await importing(content, 'series');
    expect(facts).toHaveLength(1);
    expect(rejected).toEqual([
      [4, 'no value'],
      [6, 'the record has 2 fields, the header has 3'],
      [7, 'value is not a number'],
    ]);
    expect(batches[0]!.rejected[0]!.text).toBe('"B\nC",2026-01-01,.');
    expect(batches.at(-1)!.lines).toBe(7);
  });

  it('of JSON say whether it is JSON at all', async () => {
    const good = '{"series":"A","date":"2026-01-01","value":1e0}';
    const bad = [
      '{',
      '[1]',
      'null',
      '"x"',
      `${good} ${good}`,
      '{"series":"A"}',
      '{"series":"A","date":"2026-01-01","value":1e400}',
      '{"series":"A","date":"2026-01-01","value":1,"value":2}',
    ];
    const { facts, rejected } = await importing([good, ...bad, good].join('\n'), 'series');
    expect(facts).toHaveLength(2);
    expect(rejected).toEqual([
      [2, 'the line is not JSON'],
      [3, 'the line is not a JSON object'],
      [4, 'the line is not a JSON object'],
      [5, 'the line is not a JSON object'],
      [6, 'the line is not JSON'],
      [7, 'date is missing'],
      [8, 'value is not a finite number'],
      [9, 'a member is named twice'],
    ]);
  });

  it('include what is not UTF-8 and what escapes try to hide', async () => {
    const post = (text: string): string =>
      `{"id":1,"provider":"x","author_id":1,"created_at":1772359200,"text":"${text}"}\n`;
    const latin = Buffer.from(post('caf\xe9'), 'latin1');
    const surrogate = Buffer.from(post('<>')).toString('latin1').replace('<>', '\xed\xa0\x80');
    const content = Buffer.concat([
      Buffer.from(post('fine \\ud83d\\ude80 🚀 \u202E\u0000'.replace('\u0000', ''))),
      latin,
      Buffer.from(surrogate, 'latin1'),
      Buffer.from(post('\\ud83d') + post('\\u0000') + post('raw \0') + post('\\uFFFD \uFFFD \uFFFF')),
    ]);
    const { posts, rejected } = await importing(content, 'posts');
    expect(posts).toMatchObject([{ text: 'fine 🚀 🚀 \u202E' }, { text: '\uFFFD \uFFFD \uFFFF' }]);
    expect(rejected).toEqual([
      [2, 'the line is not UTF-8'],
      [3, 'the line is not UTF-8'],
      [4, 'text holds half a surrogate pair'],
      [5, 'text holds a NUL'],
      [6, 'the line is not JSON'],
    ]);
  });

  it('do not reach into the prototype', async () => {
    const line = '{"__proto__":{"series":"A","date":"2026-01-01","value":1},"constructor":1}';
    expect((await importing(`${line}\n`, 'series')).rejected).toEqual([[1, 'date is missing']]);
    const csv = 'series,date,value,__proto__,constructor\nA,2026-01-01,1,x,y\n';
    expect((await importing(csv, 'series')).facts).toHaveLength(1);
  });

  it('are cut for showing, between characters', async () => {
    const { batches } = await importing(`{"series":"${'🚀'.repeat(2_000)}"}\n`, 'series');
    const { text } = batches[0]!.rejected[0]!;
    expect(text.length).toBe(1_999);
    expect(text.endsWith('🚀')).toBe(true);
  });
});

describe('a first line that is broken', () => {
  const line = '{"series":"A","date":"2026-01-01","value":1}\n';

  it.each(['facts.ndjson', 'facts.jsonl', 'FACTS.NDJSON', 'facts.ndjson.gz', 'facts.jsonl.gz'])(
    'is refused alone when the name is %s',
    async (name) => {
      for (const first of ['not json', '[1]', '"', 'a,b', '\0']) {
        const content = `${first}\n${line}${line}`;
        const seen = await importing(name.endsWith('.gz') ? gzipSync(content) : content, 'series', {}, name);
        expect([seen.error, seen.facts.length]).toEqual([null, 2]);
        expect(seen.rejected).toEqual([[1, expect.stringMatching(/^the line is not /)]]);
      }
    },
  );

  it('says what the file is where the name does not', async () => {
    for (const name of ['facts', 'facts.json', 'facts.ndjson.bak', 'ndjson', 'facts.txt.gz']) {
      const seen = await importing(`not json\n${line}`, 'series', {}, name);
      expect((seen.error as Error).message).toMatch(/^line 1: the header lacks/);
      expect((await importing(line, 'series', {}, name)).facts).toHaveLength(1);
    }
  });

  it('is a header where the name ends in csv, and identities are refused there', async () => {
    const seen = await importing('{"series",date,value\n', 'series', {}, 'facts.csv');
    expect((seen.error as Error).message).toMatch(/^line 1: the header cannot be read/);
    const identities = await importing('{}\n', 'identities', {}, 'facts.csv.gz');
    expect((identities.error as Error).message).toMatch(/do not fit into CSV/);
  });
});

describe('batches', () => {
  const line = '{"series":"A","date":"2026-01-01","value":1}\n';

  it('hold a thousand lines, and tell how far the file is read', async () => {
    const seen: number[] = [];
    const { batches } = await importing(line.repeat(2_500), 'series', { onLine: (n) => seen.push(n) });
    expect(batches.map(({ facts }) => facts.length)).toEqual([1_000, 1_000, 500]);
    expect(batches.map(({ lines }) => lines)).toEqual([1_000, 2_000, 2_500]);
    const last = batches.at(-1)!;
    expect([last.bytesRead, last.bytesTotal]).toEqual([2_500 * line.length, 2_500 * line.length]);
    expect(seen).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1));
  });

  it('come also from an empty file: one, with nothing in it', async () => {
    for (const content of ['', '\n\n', 'series,date,value\n', gzipSync('')]) {
      const { batches, error } = await importing(content, 'series');
      expect([batches.length, batches[0]!.facts, error]).toEqual([1, [], null]);
    }
  });

  it('stop when the signal says so, after what was read', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const seen = await importing(line.repeat(50_000), 'series', {
      signal: stop.signal,
      onLine: (n) => n === 10 && stop.abort(reason),
    });
    expect(seen.error).toBe(reason);
    expect(seen.facts.length).toBeGreaterThanOrEqual(10);
    expect(seen.facts.length).toBeLessThan(50_000);
  });
});

describe('one clear error', () => {
  const message = async (content: string | Buffer, kind: FileKind = 'series'): Promise<string> => {
    const { error } = await importing(content, kind);
    expect(error).toBeInstanceOf(FactFileError);
    return (error as Error).message;
  };

  it('tells what is wrong with a header', async () => {
    expect(await message('date,price\n')).toBe('line 1: the header lacks series, value');
    expect(await message('\nseries,date,value,Date\n')).toBe('line 2: the header names date twice');
    expect(await message('series,"date"x,value\n')).toMatch(
      /^line 1: the header cannot be read: text follows/,
    );
  });

  it('tells what is not a file of lines', async () => {
    expect(await message('[{"series":"A"}]')).toBe('the file is a JSON array; write one object a line');
    const utf16 = Buffer.from('\uFEFFseries,date,value\n', 'utf16le');
    expect(await message(utf16)).toMatch(/not UTF-8/);
    expect(await message(Buffer.from('PAR1\0\0'))).toBe('the file is neither UTF-8 text nor gzip');
  });

  it('comes after the good lines of a truncated gzip; the line that was cut is not one of them', async () => {
    const lines = Array.from(
      { length: 5_000 },
      (_, n) => `{"series":"S${n}","date":"2026-01-01","value":${n * n}}\n`,
    );
    const packed = gzipSync(lines.join(''));
    const seen = await importing(packed.subarray(0, packed.length >> 1), 'series');
    expect((seen.error as Error).message).toBe('the gzip data end too early');
    expect(seen.facts.length).toBeGreaterThan(1_500);
    expect(seen.rejected).toEqual([]);
  });

  it('says that there is no file', async () => {
    const absent = readFactFile(join(folder, 'absent'), 'posts', { clock });
    await expect(absent.next()).rejects.toThrow('there is no such file');
  });
});
