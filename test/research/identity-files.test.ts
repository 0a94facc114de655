// Identity events by file: in, refused where they break the register, and out again as they came.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/app/cli.js';

const EXAMPLE = fileURLToPath(new URL('./example/events.ndjson', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'barograph-identities-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

type Taken = (text: string | Uint8Array, done?: () => void) => boolean;

/** The command line within this process: starting one for each step would cost more than all that is tested. */
async function barograph(
  data: string,
  ...args: string[]
): Promise<{ status: number; out: string; err: string }> {
  vi.stubEnv('BAROGRAPH_DATA', join(folder, data));
  vi.stubEnv('BAROGRAPH_SOURCES', 'none');
  const said = { out: '', err: '' };
  const hear =
    (name: 'out' | 'err'): Taken =>
    (text, done) => {
      said[name] += String(text);
      done?.();
      return true;
    };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out') as typeof process.stdout.write),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err') as typeof process.stderr.write),
  ];
  try {
    const status = await main(['node', 'barograph', ...args]);
    return { status, ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const POINT_NAMES = ['--as_of', '2026-02-12T00:00:00Z', '--as_known_at', '2026-03-20T00:00:00Z'];
const packet = async (data: string): Promise<string> =>
  (await barograph(data, 'ask', 'hub_pit_identity_cohort', ...POINT_NAMES)).out;

describe('identity events by file', () => {
  it('go in once, and come out as what makes the same packet elsewhere', async () => {
    const file = join(folder, 'events.ndjson');
    writeFileSync(file, readFileSync(EXAMPLE));
    const first = await barograph('one', 'import', 'identities', file, '--json');
    expect(first).toMatchObject({ status: 0 });
    expect(JSON.parse(first.out)).toMatchObject([{ lines: 14, appended: 14, duplicates: 0, rejected: 0 }]);
    const again = await barograph('one', 'import', 'identities', file, '--json');
    expect(JSON.parse(again.out)).toMatchObject([{ appended: 0, duplicates: 14, rejected: 0 }]);

    const out = join(folder, 'exported.ndjson');
    expect((await barograph('one', 'export', 'identities', '--out', out)).status).toBe(0);
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(14);
    expect((await barograph('two', 'import', 'identities', out)).status).toBe(0);
    const shown = await packet('two');
    expect(JSON.parse(shown)).toMatchObject({ status: 'partial', coverage: { bindings: { context: 1 } } });
    expect(shown).toBe(await packet('one'));
    expect((await barograph('two', 'export', 'identities')).out).toBe(readFileSync(out, 'utf8'));
  });

  it('are refused line by line, with the reason, and the good ones are stored', async () => {
    const line = (over: object) =>
      JSON.stringify({
        event: 'membership',
        event_id: 'y-1',
        known_at: '2026-03-30T00:00:00Z',
        basket_id: 'bsk_000000000000000a',
        instrument_id: 'ins_000000000000000b',
        role: 'PRIMARY',
        effective: { from: '2026-02-25T00:00:00Z' },
        source_refs: ['src_000000000000000b'],
        ...over,
      });
    const instrument = {
      event: 'instrument',
      instrument_id: 'ins_000000000000000b',
      issuer_id: 'iss_000000000000000a',
      kind: 'common_share',
      share_class_label: 'Class B',
      basket_id: undefined,
      role: undefined,
    };
    const identifier = (value: string) => ({
      event: 'identifier',
      owner_id: 'ins_000000000000000b',
      scheme: 'figi_share_class',
      value,
      source_ref: 'src_000000000000000a',
      basket_id: undefined,
      instrument_id: undefined,
      role: undefined,
      source_refs: undefined,
    });
    const file = join(folder, 'refused.ndjson');
    const lines = [
      line({ ...instrument, event_id: 'y-0' }),
      line({}),
      line({ event_id: 'y-2', role: 'CONTEXT' }),
      line({ event_id: 'y-3', role: 'CONTEXT', known_at: '2026-03-30T00:00:00Z' }),
      line({ event_id: 'y-4', known_at: '2026-01-01T00:00:00Z' }),
      line({ ...identifier('BBG000BLNNH7'), event_id: 'y-5' }),
      line({ ...identifier('BBG000BLNNH6'), event_id: 'y-6' }),
      line({ event_id: 'x-10', known_at: '2026-03-31T00:00:00Z' }),
      line({ event_id: 'y-7', effective: { from: '2026-03-01T00:00:00Z', to: '2026-03-01T00:00:00Z' } }),
      line({ event_id: 'y-8', known_at: '2200-01-01T00:00:00Z' }),
      line({ event_id: 'y-9', weight: 0.5 }),
      line({ event_id: 'y-10', basket_id: 'bsk_000000000000000z' }),
      line({
        ...instrument,
        event_id: 'y-11',
        share_class_label: '\ud800',
        known_at: '2026-03-31T00:00:00Z',
      }),
      'not json',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { status, out } = await barograph('one', 'import', 'identities', file, '--json');
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject([{ lines: 14, appended: 2, rejected: 12 }]);
    const rejected = readFileSync(`${file}.rejected`, 'utf8');
    for (const [number, reason] of [
      [2, 'two PRIMARY instruments'],
      [4, 'not later than that of the last event about the same subject'],
      [5, 'before what the register already knows'],
      [6, 'check digits are wrong'],
      [7, 'names something else at that time'],
      [8, 'event_id is taken by another event'],
      [9, 'ends before it begins'],
      [10, 'known_at lies in the future'],
      [11, 'a member that it should not have'],
      [12, 'the basket is not known'],
      [13, 'half a surrogate pair'],
      [14, 'not JSON'],
    ] as const)
      expect(rejected).toMatch(new RegExp(`\\b${number}\\b[^\\n]*${reason}`));
  });

  it('are no table', async () => {
    const file = join(folder, 'events.csv');
    writeFileSync(file, 'event,event_id\nsource,1\n');
    const { status, err } = await barograph('one', 'import', 'identities', file);
    expect([status, err]).toEqual([1, expect.stringContaining('one JSON object a line')]);
    expect(existsSync(`${file}.rejected`)).toBe(false);
  });

  it('without a known_at are known from the import on', async () => {
    const file = join(folder, 'now.ndjson');
    const lines = readFileSync(EXAMPLE, 'utf8').trim().split('\n').slice(0, 9);
    writeFileSync(file, lines.map((line) => line.replace(/"known_at":"[^"]*",/, '')).join('\n'));
    const before = Date.now();
    expect((await barograph('three', 'import', 'identities', file)).status).toBe(0);
    const exported = (await barograph('three', 'export', 'identities')).out.trim().split('\n');
    const known = exported.map((line) => Date.parse((JSON.parse(line) as { known_at: string }).known_at));
    expect(known.every((at) => at >= before - 1 && at <= Date.now())).toBe(true);
    expect((await barograph('three', 'import', 'identities', file, '--json')).out).toContain(
      '"duplicates":9',
    );
  });
});
