// Series imported without release times: each value is known from its usual release on, and from no day before.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isTradingDay } from '../../src/domain/facts/trading-days.js';
import { formatDay, systemClock } from '../../src/kernel/instant.js';
import { dayOf, writeDay } from '../../src/kernel/new-york-time.js';
import { callBarograph } from './run-barograph.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-release-'));
const path = join(folder, 'series.csv');
beforeAll(() => {
  vi.stubEnv('BAROGRAPH_DATA', join(folder, 'study'));
  vi.stubEnv('BAROGRAPH_SOURCES', 'none');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

interface Detail {
  readonly status: string;
  readonly observed_on: string | null;
  readonly released_at: string | null;
  readonly known_at: string | null;
  readonly vintage: string | null;
  readonly sources: string[];
  readonly fallback: boolean;
}

async function detail(symbol: string, asOf: string): Promise<Detail> {
  const { out } = await callBarograph('ask', 'get_index_detail', '--symbol', symbol, '--as_of', asOf);
  return JSON.parse(out) as Detail;
}

/** As FRED gives them: months dated by their first day, no release time. */
function rows(): string[] {
  const lines: string[] = [];
  for (let month = 1; month <= 72; month += 1) {
    const date = writeDay(dayOf(2018, month, 1));
    for (const series of ['INDPRO', 'CPIAUCSL', 'PCOPPUSDM'])
      lines.push(`${series},${date},${(100 + month + Math.sin(month)).toFixed(3)}`);
  }
  for (let day = dayOf(2021, 1, 4); day <= dayOf(2024, 1, 31); day += 1)
    if (isTradingDay(day)) lines.push(`VIXCLS,${writeDay(day)},${(18 + 4 * Math.sin(day / 9)).toFixed(2)}`);
  return lines;
}

it('takes what has a rule, and says of the rest that it needs known_at', async () => {
  const thisMonth = `${formatDay(systemClock()).slice(0, 7)}-01`;
  const good = rows();
  const bad = ['BOGUS_ID,2023-12-01,1', `INDPRO,${thisMonth},103.1`];
  writeFileSync(path, `${['series,date,value', ...good, ...bad].join('\n')}\n`);
  const { status, out } = await callBarograph('import', 'series', path, '--json');
  expect(status).toBe(3);
  expect(JSON.parse(out)).toMatchObject([{ appended: good.length, rejected: 2 }]);
  const rejected = readFileSync(`${path}.rejected`, 'utf8');
  expect(rejected).toContain('known_at is needed: no release rule is known for');
  expect(rejected).toContain('BOGUS_ID');
  expect(rejected).toContain('the usual release of INDPRO for this date lies in the future');
});

it.each([
  // Industrial production of December comes out in the middle of January.
  ['INDPRO', '2024-01-03T21:00:00Z', '2023-11-01', '2023-12-18T14:15:00.000Z'],
  ['INDPRO', '2024-01-16T14:14:59Z', '2023-11-01', '2023-12-18T14:15:00.000Z'],
  ['INDPRO', '2024-01-16T14:15:00Z', '2023-12-01', '2024-01-16T14:15:00.000Z'],
  ['CPI', '2024-01-12T13:29:59Z', '2023-11-01', '2023-12-12T13:30:00.000Z'],
  ['CPI', '2024-01-12T13:30:00Z', '2023-12-01', '2024-01-12T13:30:00.000Z'],
  ['VIX', '2024-01-03T21:29:59Z', '2024-01-02', '2024-01-02T21:30:00.000Z'],
  ['VIX', '2024-01-03T21:30:00Z', '2024-01-03', '2024-01-03T21:30:00.000Z'],
])('%s as of %s is the value of %s', async (symbol, asOf, observedOn, releasedAt) => {
  expect(await detail(symbol, asOf)).toMatchObject({
    observed_on: observedOn,
    released_at: releasedAt,
    known_at: releasedAt,
    fallback: false,
  });
});

it('calls one file without release times what it is, and names the source that it reads', async () => {
  const asOf = '2024-01-31T22:00:00Z';
  // Revised later, so that the past knows too much; the VIX is never revised.
  expect(await detail('INDPRO', asOf)).toMatchObject({ vintage: 'latest_only', sources: ['INDPRO'] });
  expect(await detail('VIX', asOf)).toMatchObject({ vintage: 'native', sources: ['VIXCLS'] });
  expect(await detail('COPPER', asOf)).toMatchObject({
    status: 'live',
    observed_on: '2023-12-01',
    fallback: true,
    sources: ['PCOPPUSDM'],
  });
  expect(await detail('EQWCAP', asOf)).toMatchObject({
    status: 'unavailable',
    fallback: false,
    sources: ['CLOSE:RSP', 'CLOSE:SPY'],
  });
});

it('keeps the release time as a backfilled fact, and finds the file known when it comes again', async () => {
  const table = join(folder, 'table.ndjson');
  await callBarograph('export', 'series', '--format', 'ndjson', '--out', table);
  const december = readFileSync(table, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ series, date }) => series === 'INDPRO' && date === '2023-12-01');
  expect(december).toMatchObject({ known_at: '2024-01-16T14:15:00.000Z', backfilled: true });
  const { out } = await callBarograph('import', 'series', path, '--json');
  expect(JSON.parse(out)).toMatchObject([{ appended: 0, duplicates: rows().length, rejected: 2 }]);
});
