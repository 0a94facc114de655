// The command line as a person meets it: a study on one's own files, from import to export.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Result, runBarograph } from './run-barograph.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-cli-'));
const ENVIRONMENT = { BAROGRAPH_DATA: join(folder, 'study'), BAROGRAPH_SOURCES: 'none' };

const barograph = (args: readonly string[], environment: Record<string, string> = {}): Promise<Result> =>
  runBarograph(args, { ...ENVIRONMENT, ...environment });

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const WORDS = 'profit outlook demand chips margin rumour launch factory trial cloud battery orders'.split(
  ' ',
);

function posts(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const minute = new Date(Date.UTC(2026, 0, 5, 12, 0) + i * 60_000).toISOString();
    const words = Array.from({ length: 9 }, (_x, j) => WORDS[(i * (j + 3) + j * j) % WORDS.length]).join(' ');
    return JSON.stringify({
      id: `p${i}`,
      provider: 'myfeed',
      author_id: `a${i % 40}`,
      created_at: minute,
      text: `$${i % 3 ? 'NVDA' : 'BRK-B'} ${words} ${i}`,
    });
  });
  return lines.join('\n');
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a study', () => {
  let postFile: string;
  beforeAll(() => {
    postFile = file('posts.ndjson.gz', gzipSync(`${posts(600)}\nnot json\n{"id":"x"}\n`));
  });

  it('imports assets, prices, shares and posts, and keeps what it refused', async () => {
    const assets = file(
      'assets.csv',
      'ticker,name,sector\nNVDA,NVIDIA Corp.,Information Technology\nBRK-B,Berkshire,Financials\n',
    );
    const prices = file(
      'prices.csv',
      'ticker,date,open,high,low,close,volume\nNVDA,2026-01-02,180,190,179,188,1000\nBRK.B,2026-01-02,490,500,489,495,10\n',
    );
    const shares = file(
      'shares.ndjson',
      '{"ticker":"NVDA","shares":24300000000,"effective_at":"2025-10-31","known_at":"2025-11-20T21:00:00Z"}\n{"ticker":"BRK.B","shares":2150000000,"effective_at":"2025-09-30","known_at":"2025-11-03T21:00:00Z"}\n',
    );
    for (const [kind, path] of [
      ['assets', assets],
      ['prices', prices],
      ['shares', shares],
    ] as const) {
      const { status, err } = await barograph(['import', kind, path]);
      expect(err).toBe('');
      expect(status).toBe(0);
    }
    const { status, out } = await barograph(['import', 'posts', postFile, '--json']);
    expect(status).toBe(3);
    expect(JSON.parse(out)).toEqual([
      { file: postFile, lines: 602, appended: 600, duplicates: 0, rejected: 2 },
    ]);
    const rejected = readFileSync(`${postFile}.rejected`, 'utf8');
    expect(rejected).toMatch(/^line 601: /);
    expect(rejected).toContain('line 602: ');
  });

  it('changes nothing when the same file comes again', async () => {
    const { out } = await barograph(['import', 'posts', postFile, '--json']);
    expect(JSON.parse(out)).toMatchObject([{ appended: 0, duplicates: 600 }]);
  });

  it('replays, verifies, answers and exports', async () => {
    const span = ['--from', '2026-01-05T13:00:00Z', '--to', '2026-01-05T21:00:00Z', '--every', '1h'];
    expect(JSON.parse((await barograph(['replay', ...span, '--json'])).out)).toMatchObject({ frames: 9 });
    const again = await barograph(['replay', ...span]);
    expect(again.status).toBe(1);
    expect(again.err).toContain('frames are already recorded');

    expect(JSON.parse((await barograph(['verify', '--json'])).out)).toMatchObject({
      checked: 9,
      disagreeing: [],
      log: { faults: [] },
    });

    const board = JSON.parse((await barograph(['ask', 'snapshot_leaderboard', '--limit', '2'])).out);
    expect(board.leaderboard.map(({ ticker }: { ticker: string }) => ticker).sort()).toEqual([
      'BRK.B',
      'NVDA',
    ]);
    const packet = JSON.parse(
      (await barograph(['ask', 'snapshot_ticker', '--ticker', '$brk-b', '--as-of', '2026-01-05T18:30:00Z']))
        .out,
    );
    expect(packet).toMatchObject({
      ticker: 'BRK.B',
      state: 'ranked',
      receipt: { recorded: true, lookahead: false },
    });
    expect(packet.denominator.usd_billions).toBeCloseTo(1064.25, 2);

    const tape = (await barograph(['export', 'tape', '--format', 'csv'])).out.trim().split('\n');
    expect(tape[0]).toMatch(/^as_of,known_at,ticker,rank,state,/);
    expect(tape).toHaveLength(1 + 9 * 2);
    const exported = (await barograph(['export', 'posts', '--format', 'ndjson'])).out.trim().split('\n');
    expect(exported).toHaveLength(600);
    expect(JSON.parse(exported[0]!)).not.toHaveProperty('author');
  });

  it('says what is wrong in one sentence and an exit status', async () => {
    const cases: [string[], Record<string, string>, number, RegExp][] = [
      [['ask', 'nonsense'], {}, 2, /there is no operation/],
      [['ask', 'snapshot_leaderboard', '--limit', '1000'], {}, 1, /^barograph: invalid_limit/],
      [['import', 'gold', postFile], {}, 2, /there is no kind/],
      [['import', 'posts', join(folder, 'missing.csv')], {}, 1, /missing\.csv/],
      [['replay', '--from', 'yesterday', '--to', '2026-01-06'], {}, 2, /write an instant/],
      [
        ['verify', '--from', '2026-01-06', '--to', '2026-01-05'],
        {},
        2,
        /^barograph: --to lies before --from\n$/,
      ],
      [['verify'], { BAROGRAPH_DATA: join(folder, 'nowhere') }, 1, /there is no archive at/],
      [
        ['doctor'],
        { BAROGRAPH_PORT: 'high', BAROGRAPH_ROLE: 'king' },
        2,
        /2 faults[\s\S]*BAROGRAPH_PORT[\s\S]*BAROGRAPH_ROLE/,
      ],
      [['dance'], {}, 2, /unknown command/],
    ];
    for (const [args, environment, expected, sentence] of cases) {
      const { status, err } = await barograph(args, environment);
      expect(err, args.join(' ')).toMatch(sentence);
      expect(err).not.toContain('    at ');
      expect(status, args.join(' ')).toBe(expected);
    }
  });

  it('examines itself', async () => {
    const { status, out } = await barograph(['doctor', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(out).map(({ part, ok }: { part: string; ok: boolean }) => [part, ok])).toEqual([
      ['configuration', true],
      ['data folder', true],
      ['archive', true],
      ['limiter', true],
      ['bus', true],
      ['clock', true],
      ['sources', true],
      ['keys', true],
    ]);
  });
});
