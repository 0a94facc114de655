// `barograph export`: each table says the same in its three formats, into a file and into a pipe.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/app/cli.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import { sealFrame } from '../../src/domain/facts/seal.js';
import { formatInstant, type Instant, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { openStore } from '../../src/storage/open.js';
import type { Cell } from '../../src/surfaces/files/write-rows.js';
import { rowOf } from '../answers/desk.js';
import { denominator, post, testClock } from '../ports/samples.js';

const BIN = fileURLToPath(new URL('../../bin/barograph.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'barograph-export-'));
const data = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENVIRONMENT = { BAROGRAPH_DATA: data, BAROGRAPH_SOURCES: 'none' };
beforeAll(() => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
});
afterAll(() => vi.unstubAllEnvs());

/** Runs the command here, where no process has to start, and gives what it wrote into its file. */
async function exported(...args: string[]): Promise<Buffer> {
  const path = join(folder, 'table');
  expect(await main(['node', 'barograph', 'export', ...args, '--out', path])).toBe(0);
  return readFileSync(path);
}

function piped(...args: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [BIN, 'export', ...args],
      { env: { PATH: process.env['PATH'], ...ENVIRONMENT }, encoding: 'buffer', maxBuffer: 1 << 26 },
      (error, out) => (error ? reject(error) : resolve(out)),
    );
  });
}

const emission = (n: number): Emission => ({
  kind: 'signal',
  type: 'attention.band_changed',
  ticker: n % 5 === 0 ? null : 'NVDA',
  body: { prev: n % 2 === 0 ? null : 'normal', now: { band: 'high', n }, evidence: { reason: 'a "b",\nc' } },
});
const gate: Emission = {
  kind: 'gate',
  type: 'realness.commitment',
  ticker: 'NVDA',
  body: { verdict: 'veto' },
};

const boundaries: Instant[] = [];
const SIGNALS = 2_100;

beforeAll(async () => {
  mkdirSync(data);
  const clock = testClock();
  const address = { kind: 'sqlite', file: join(data, 'archive.sqlite') } as const;
  const archive = await (await openStore(address, () => clock.now())).openWriter();
  await archive.append({
    facts: ['1', '2', '3'].map((id) => ({
      source: 'bluesky',
      effectiveAt: clock.now(),
      body: post(id),
    })),
  });
  const slots = await archive.assignSlots(['NVDA', 'QUIET']);
  for (const [i, signals] of [SIGNALS - 1, 1, 0].entries()) {
    const at = Math.floor(clock.now() / MINUTE) * MINUTE + i * MINUTE;
    boundaries.push(at);
    const { highWater } = await archive.extent();
    const rows = [
      { ...rowOf('NVDA', { rank: 1, density: 0.1 + i / 3 }), slot: slots.get('NVDA')! },
      {
        ...rowOf('QUIET', {
          state: 'insufficient',
          band: 'insufficient',
          activity: null,
          density: null,
          share: null,
          velocity: null,
          surprise: null,
          independence: null,
          entityPrecision: null,
          posts: 0,
          denominator: denominator({ state: 'unavailable', usdBillions: null }),
        }),
        slot: slots.get('QUIET')!,
      },
    ];
    const sourceSet = { version: 1, sources: ['bluesky'], warming: [], level: 1 };
    await archive.appendFrame(
      sealFrame(
        {
          at,
          cycleSeconds: 60,
          highWater,
          newestKnownAt: at - SECOND,
          postsUsed: 3,
          postsBackfilled: 0,
          rowCount: rows.length,
          sourceSet,
        },
        rows,
      ),
      [...Array.from({ length: signals }, (_, n) => emission(n)), gate],
    );
  }
  await archive.close();
});

type Read = Record<string, Cell>;

const rowsOfJson = (bytes: Buffer): Read[] =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);

async function rowsOfParquet(bytes: Buffer): Promise<Read[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return ((await parquetReadObjects({ file })) as Read[]).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
  );
}

/** The cells as CSV has them: nothing is empty, and an empty text is two quotes. */
const asCsv = (value: Cell): string => {
  if (value === null) return '';
  const text = String(value);
  return typeof value === 'string' && (text === '' || /[",\r\n]/.test(text))
    ? `"${text.replaceAll('"', '""')}"`
    : text;
};

describe.each(['tape', 'signals', 'posts'])('%s', (table) => {
  it('is the same table in all formats', async () => {
    const rows = rowsOfJson(await exported(table, '--format', 'ndjson'));
    expect(rows).toHaveLength({ tape: 6, signals: SIGNALS, posts: 3 }[table]!);
    expect(await rowsOfParquet(await exported(table, '--format', 'parquet'))).toEqual(rows);
    const lines = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row).map(asCsv))];
    expect((await exported(table)).toString()).toBe(`${lines.map((cells) => cells.join(',')).join('\n')}\n`);
  });
});

it('writes the same bytes to standard output as into a file', async () => {
  const bytes = await piped('signals', '--format', 'parquet');
  expect(bytes.equals(await exported('signals', '--format', 'parquet'))).toBe(true);
});

it.each(['csv', 'ndjson', 'parquet'])('is done when its reader has seen enough (%s)', async (format) => {
  const child = spawn(process.execPath, [BIN, 'export', 'signals', '--format', format], {
    env: { PATH: process.env['PATH'], ...ENVIRONMENT },
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  // Closed before anything is read: whatever is written then breaks the pipe.
  child.stdout.destroy();
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([said, status]).toEqual(['', 0]);
});

it('exports signals with their change and evidence, and no gate record', async () => {
  const rows = rowsOfJson(await exported('signals', '--format', 'ndjson'));
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['attention.band_changed']));
  const sequences = rows.map(({ seq }) => seq as number);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  expect(rows[1]).toMatchObject({
    ticker: 'NVDA',
    as_of: formatInstant(boundaries[0]!),
    prev: '"normal"',
    now: '{"band":"high","n":1}',
    evidence: JSON.stringify({ reason: 'a "b",\nc' }),
  });
  expect(rows[0]).toMatchObject({ ticker: null, prev: null });
});

it('keeps to the span that was asked for', async () => {
  const second = formatInstant(boundaries[1]!);
  const span = ['--format', 'ndjson', '--from', second, '--to', second];
  expect(rowsOfJson(await exported('signals', ...span))).toHaveLength(1);
  expect(rowsOfJson(await exported('tape', ...span)).map(({ as_of }) => as_of)).toEqual([second, second]);
});

it('says in one sentence that a file cannot be written, and keeps an earlier one without an archive', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const path = join(folder, 'earlier.csv');
  writeFileSync(path, 'kept');
  try {
    expect(await main(['node', 'barograph', 'export', 'tape', '--out', join(folder, 'no', 'tape.csv')])).toBe(
      1,
    );
    expect(said.mock.lastCall?.[0]).toMatch(/^barograph: .*tape\.csv cannot be written: [^\n]*\n$/);
    vi.stubEnv('BAROGRAPH_DATA', join(folder, 'nowhere'));
    expect(await main(['node', 'barograph', 'export', 'tape', '--out', path])).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('kept');
  } finally {
    vi.stubEnv('BAROGRAPH_DATA', data);
    said.mockRestore();
  }
});
