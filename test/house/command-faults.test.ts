// What the command line says when something is wrong: on which stream, in which form, and what it leaves behind.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../src/contracts/failures.js';
import { type Result, runBarograph } from './run-barograph.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-faults-'));
const STUDY = join(folder, 'study');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const barograph = (args: readonly string[], environment: Record<string, string> = {}): Promise<Result> =>
  runBarograph(args, { BAROGRAPH_DATA: STUDY, BAROGRAPH_SOURCES: 'none', ...environment });

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const line = (n: number): string =>
  `{"series":"S${n}","date":"2026-01-05","value":${n * 7919},"known_at":"2026-01-06T00:00:00Z"}\n`;
const lines = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => line(from + n)).join('');

describe('an import', () => {
  const good = file('good.ndjson', lines(5));
  const packed = gzipSync(lines(20_000, 100));

  it('stores nothing when one of its files is not there', async () => {
    const absent = [join(folder, 'absent.csv'), join(folder, 'absent.ndjson')];
    const { status, out, err } = await barograph(['import', 'series', good, ...absent, folder, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: 'command_failed' });
    for (const path of absent) expect(err).toContain(`${path}: there is no such file`);
    expect(err).toContain(`${folder}: this is a folder`);
    expect(readdirSync(folder)).not.toContain('study');
  });

  it('accounts for what it stored before a file broke off', async () => {
    const cut = file('cut.ndjson.gz', packed.subarray(0, packed.length >> 1));
    const broken = await barograph(['import', 'series', good, cut, good, '--json']);
    expect(broken.status).toBe(1);
    const [first, second, ...others] = JSON.parse(broken.out);
    expect(first).toEqual({ file: good, lines: 5, appended: 5, duplicates: 0, rejected: 0 });
    expect(second).toMatchObject({ file: cut, rejected: 0, error: 'the gzip data end too early' });
    expect(second.appended).toBeGreaterThan(1_000);
    expect(others).toEqual([]);
    expect(broken.err).toContain(`barograph: ${cut}: the gzip data end too early`);

    const again = await barograph(['import', 'series', cut]);
    expect(again.status).toBe(1);
    expect(again.out).toContain(`0 new facts, ${second.appended} known already; not read to its end: `);

    const stored = await barograph(['export', 'series', '--format', 'ndjson']);
    expect(stored.out.trim().split('\n')).toHaveLength(5 + second.appended);
  });

  it('refuses a broken first line alone', async () => {
    const first = file('first.jsonl', `not json\n${lines(3, 50_000)}`);
    const { status, out } = await barograph(['import', 'series', first, '--json']);
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject([{ lines: 4, appended: 3, rejected: 1 }]);
    expect(readFileSync(`${first}.rejected`, 'utf8')).toBe('line 1: the line is not JSON\tnot json\n');
  });

  it('keeps what stands before a quote that is never closed', async () => {
    const rows =
      'series,date,value,known_at\nQ1,2026-01-05,1,2026-01-06\nQ2,"2026-01-05,1,2026-01-06\nQ3,x\n';
    const { status, out } = await barograph(['import', 'series', file('quote.csv', rows), '--json']);
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject([{ lines: 4, appended: 1, rejected: 1 }]);
    expect(readFileSync(join(folder, 'quote.csv.rejected'), 'utf8')).toMatch(
      /^line 3: a quoted field does not end/,
    );
  });
});

describe('with --json', () => {
  beforeAll(async () => {
    expect((await barograph(['import', 'series', file('some.ndjson', lines(2, 70_000))])).status).toBe(0);
  });

  const NOWHERE = { BAROGRAPH_DATA: join(folder, 'nowhere') };
  it.each<[string, number, string, Record<string, string>?]>([
    ['ask nonsense', 2, 'invalid_parameter'],
    ['ask snapshot_leaderboard --limit 1000', 1, 'invalid_limit'],
    ['ask snapshot_leaderboard', 1, 'command_failed', NOWHERE],
    ['import gold x', 2, 'invalid_parameter'],
    ['keys revoke key_none', 1, 'command_failed'],
    ['keys create --plan gold', 2, 'invalid_parameter'],
    ['export tape', 1, 'command_failed', NOWHERE],
    ['export tape --from 2026-02-01 --to 2026-01-01', 2, 'invalid_parameter'],
    ['verify --from 2026-02-01 --to 2026-01-01', 2, 'invalid_parameter'],
    ['validate', 1, 'command_failed', NOWHERE],
    ['replay --from 2026-02-01', 2, 'invalid_parameter'],
    ['doctor', 2, 'invalid_parameter', { BAROGRAPH_PORT: 'high' }],
    ['dance', 2, 'invalid_parameter'],
  ])(
    '%s fails with exit status %i and the one error envelope',
    async (command, expected, code, environment) => {
      const { status, out, err } = await barograph([...command.split(' '), '--json'], environment);
      expect(status).toBe(expected);
      expect(ErrorEnvelope.parse(JSON.parse(out)).error).toBe(code);
      expect(err).not.toBe('');
      expect(readdirSync(folder)).not.toContain('nowhere');
    },
  );

  it('an export tells how much it wrote, beside its data and never among them', async () => {
    const out = join(folder, 'series.csv');
    const summary = { table: 'series', format: 'csv', file: null };
    const plain = await barograph(['export', 'series', '--json']);
    const { rows, ...rest } = JSON.parse(plain.err);
    expect([plain.status, rest]).toEqual([0, summary]);
    expect(plain.out.trim().split('\n')).toHaveLength(1 + rows);
    const filed = await barograph(['export', 'series', '--json', '--out', out]);
    expect([filed.err, JSON.parse(filed.out)]).toEqual(['', { ...summary, rows, file: out }]);
    expect(readFileSync(out, 'utf8')).toBe(plain.out);
    const identities = await barograph(['export', 'identities', '--json']);
    expect(JSON.parse(identities.err)).toEqual({
      table: 'identities',
      format: 'ndjson',
      rows: 0,
      file: null,
    });
  });
});

describe('doctor', () => {
  type Findings = Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
  async function findings(environment: Record<string, string>): Promise<[number, Findings]> {
    const { status, out, err } = await barograph(['doctor', '--json'], environment);
    expect(err).toBe('');
    const found = JSON.parse(out) as { part: string; ok: boolean; detail: string }[];
    return [status, Object.fromEntries(found.map(({ part, ...rest }) => [part, rest]))];
  }
  const listing = (path: string): string[] => readdirSync(path).sort();

  it('makes nothing where nothing is', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const data of [empty, join(empty, 'further', 'down')]) {
      const [status, found] = await findings({ BAROGRAPH_DATA: data });
      expect([status, Object.values(found).every(({ ok }) => ok)]).toEqual([0, true]);
      expect(found['archive']!.detail).toContain('there is no archive at');
    }
    expect(listing(empty)).toEqual([]);
  });

  it('makes nothing beside an archive and counters that were closed', async () => {
    const data = join(folder, 'closed');
    const environment = { BAROGRAPH_DATA: data };
    await barograph(['import', 'series', file('closed.ndjson', lines(3))], environment);
    const counters = new DatabaseSync(join(data, 'counters.sqlite'));
    counters.exec(`PRAGMA journal_mode = WAL; CREATE TABLE window(bucket TEXT NOT NULL, quota TEXT NOT NULL,
      reset_at INTEGER NOT NULL, used REAL NOT NULL, PRIMARY KEY (bucket, quota)) STRICT, WITHOUT ROWID`);
    counters.close();
    const contents = () => listing(data).map((name) => [name, readFileSync(join(data, name), 'hex')]);
    const before = contents();
    expect(listing(data)).not.toContain('archive.sqlite-wal');
    const [status, found] = await findings({ ...environment, BAROGRAPH_SOURCES: 'fixture' });
    expect(status).toBe(0);
    expect(contents()).toEqual(before);
    expect(found['limiter']).toEqual({ ok: true, detail: 'on this machine' });
    expect(found['archive']!.detail).toMatch(/: facts from 2026-01-06T\S+ to \S+, no frame yet$/);
    expect(found['sources']!.detail).toMatch(/fixture has delivered nothing yet/);
  });

  it('finds what it cannot open, and goes on', async () => {
    const data = join(file('not-a-folder', ''), 'data');
    const [status, found] = await findings({ BAROGRAPH_DATA: data });
    expect(status).toBe(1);
    for (const part of ['data folder', 'archive', 'limiter', 'keys']) {
      expect(found[part], part).toEqual({
        ok: false,
        detail: expect.stringMatching(/is a file, not a folder$/),
      });
    }
    expect(found['bus']!.ok).toBe(true);
    const { out } = await barograph(['doctor'], { BAROGRAPH_DATA: data });
    expect(out).toMatch(/^BAD {2}data folder: /m);
  });

  it('finds a damaged archive, servers that are away, and shows no secrets', async () => {
    const damaged = join(folder, 'damaged');
    mkdirSync(damaged);
    writeFileSync(
      join(damaged, 'archive.sqlite'),
      'this is no database, although it is long enough. '.repeat(99),
    );
    expect((await findings({ BAROGRAPH_DATA: damaged }))[1]['archive']).toMatchObject({ ok: false });
    const [status, found] = await findings({
      BAROGRAPH_ARCHIVE: 'postgres://someone:swordfish@127.0.0.1:1/none',
      BAROGRAPH_REDIS: 'redis://:swordfish@127.0.0.1:1',
    });
    expect(status).toBe(1);
    for (const part of ['archive', 'limiter', 'bus']) expect(found[part], part).toMatchObject({ ok: false });
    expect(JSON.stringify(found)).not.toContain('swordfish');
  });

  it('names the key records that are ignored, and why, without their hashes', async () => {
    const sha256 = (digit: string): string => digit.repeat(64);
    const keys = [
      { id: 'key_good', key_sha256: sha256('a') },
      { id: 'key_typo', key_sha256: sha256('b'), scopes: ['signals:raed'] },
      { id: 'not an id', key_sha256: sha256('c') },
    ];
    const path = file('keys.json', JSON.stringify({ keys }));
    const [status, { keys: found }] = await findings({ BAROGRAPH_KEYS: path });
    expect(status).toBe(1);
    expect(found).toEqual({
      ok: false,
      detail: `1 key in ${path}; ignored: record 2 (key_typo) unknown_scope, record 3 bad_id`,
    });
    const unreadable = await findings({ BAROGRAPH_KEYS: file('no-keys.json', '{"keys":') });
    expect(unreadable[1]['keys']).toMatchObject({ ok: false });
  });
});
