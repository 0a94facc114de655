// A macro study on one's own files: import, weekly replay over two years, tables, verification and the scorecard.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { economyReports } from '../../src/connectors/fixture/economy/economy.js';
import { ECONOMY_FUNDS, type EconomyAsset } from '../../src/connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../../src/connectors/fixture/economy/returns.js';
import { UNIVERSE } from '../../src/connectors/fixture/universe.js';
import { DAY, formatDay, formatInstant } from '../../src/kernel/instant.js';
import { dayOf } from '../../src/kernel/new-york-time.js';
import { normalCdf } from '../../src/kernel/statistics/normal.js';
import { callBarograph } from './run-barograph.js';

const SEED = 9;
const FROM = dayOf(2014, 10, 1);
const TO = dayOf(2020, 1, 10);
/** Left out of the files: one index is made from it and from nothing else. */
const MISSING = 'ICSA';
const SPAN = ['--from', '2018-01-06T12:00:00Z', '--to', '2020-01-04T12:00:00Z'];
const WEEKS = 105;

const folder = mkdtempSync(join(tmpdir(), 'barograph-macro-'));
beforeAll(() => {
  vi.stubEnv('BAROGRAPH_DATA', join(folder, 'study'));
  vi.stubEnv('BAROGRAPH_SOURCES', 'none');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const STOCKS: readonly EconomyAsset[] = UNIVERSE.filter(({ sector }) => sector !== null)
  .slice(0, 24)
  .map(({ ticker, sector, beta }) => ({ ticker, sector, beta: Math.min(2, beta), spread: 0.014 }));
const ASSETS = [...ECONOMY_FUNDS.slice(0, 19), ...STOCKS];

function writeFiles(): Record<'assets' | 'prices' | 'series', string> {
  const series = ['series,date,value,known_at'];
  for (const { body, releasedAt } of economyReports(SEED, FROM, TO)) {
    if (body.series === MISSING) continue;
    series.push(`${body.series},${body.date},${body.value},${formatInstant(releasedAt!)}`);
  }
  const returns = economyReturns(SEED, FROM, TO);
  const prices = ['ticker,date,open,high,low,close,volume'];
  for (const asset of ASSETS) {
    let level = Math.log(100);
    returns.of(asset).forEach((move, i) => {
      level += move;
      const close = Math.exp(level).toFixed(4);
      prices.push(
        `${asset.ticker},${formatDay(returns.days[i]! * DAY)},${close},${close},${close},${close},1000`,
      );
    });
  }
  const assets = ASSETS.map(({ ticker, sector }) => `${ticker},Asset ${ticker},${sector ?? ''},2014-10-01`);
  return {
    assets: file('assets.csv', ['ticker,name,sector,known_at', ...assets]),
    prices: file('prices.csv', prices),
    series: file('series.csv', series),
  };
}

type Row = Record<string, string | number | boolean | null>;

async function exported(table: string, ...span: string[]): Promise<Row[]> {
  const path = join(folder, `${table}.ndjson`);
  expect(await callBarograph('export', table, '--format', 'ndjson', '--out', path, ...span)).toMatchObject({
    status: 0,
    err: '',
  });
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

describe('a macro study', () => {
  beforeAll(async () => {
    for (const [kind, path] of Object.entries(writeFiles()))
      expect(await callBarograph('import', kind, path), kind).toMatchObject({ status: 0, err: '' });
  }, 120_000);

  it('replays weekly, states its editions once, and refuses to state them again', async () => {
    const replay = ['replay', '--only', 'macro', ...SPAN, '--every', '1w'];
    const { out } = await callBarograph(...replay, '--json');
    expect(JSON.parse(out)).toMatchObject({ frames: 0, editions: WEEKS });
    const again = await callBarograph(...replay);
    expect(again.status).toBe(1);
    expect(again.err).toContain('already recorded');
  }, 120_000);

  it('exports every table, and says which index is missing and what that costs', async () => {
    const indices = await exported('indices');
    expect(indices).toHaveLength(62 * WEEKS);
    const unavailable = new Set(
      indices.filter(({ status }) => status === 'unavailable').map((row) => row['index_symbol']),
    );
    expect([...unavailable]).toEqual(['CLAIMS']);
    expect(indices.filter((row) => row['index_symbol'] === 'CLAIMS' && row['z_score'] !== null)).toEqual([]);

    const regimes = await exported('regimes');
    expect(regimes).toHaveLength(WEEKS);
    for (const { coverage } of regimes) expect(coverage).toBeLessThan(1);
    expect(regimes.at(-1)!['coverage']).toBeGreaterThan(0.9);
    expect(regimes.at(-1)!['as_of']).toBe('2020-01-04T12:00:00.000Z');

    expect(await exported('gauges')).toHaveLength(14 * WEEKS);
    expect(await exported('narratives')).toHaveLength(33 * WEEKS);
    const scores = await exported('scores');
    expect(scores).toHaveLength(ASSETS.length * WEEKS);
    expect(scores.every((row) => row['state'] === 'scored' && row['basis'] === 'estimated')).toBe(true);
    const drivers = JSON.parse(scores.at(-1)!['top_drivers'] as string) as { weight: number }[];
    expect(drivers.length).toBeGreaterThan(3);
    for (const row of scores) {
      const terms = JSON.parse(row['contributions'] as string) as Record<string, number>;
      const sum = Object.values(terms).reduce((total, term) => total + term, 0);
      expect(sum).toBeCloseTo(row['structure_sum'] as number, 9);
      expect(Math.round(100 * normalCdf(1.05 * sum))).toBe(row['schema_score']);
    }

    const one = ['--from', '2019-06-01T12:00:00Z', '--to', '2019-06-01T12:00:00Z'];
    expect(await exported('scores', ...one)).toHaveLength(ASSETS.length);
    const values = await exported('series', '--to', '2015-01-01T00:00:00Z');
    expect(values.every((row) => row['known_at']! <= '2015-01-01T00:00:00.000Z' && row['backfilled'])).toBe(
      true,
    );
    expect(values.length).toBeGreaterThan(1_000);

    const csv = join(folder, 'scores.csv');
    await callBarograph('export', 'scores', '--out', csv, ...one);
    expect(readFileSync(csv, 'utf8').split('\n')[0]).toMatch(
      /^as_of,known_at,ticker,sector,state,schema_score,/,
    );
  }, 120_000);

  it('recomputes its editions from the facts', async () => {
    const { status, out } = await callBarograph('verify', '--sample', '6', '--json');
    expect(JSON.parse(out)).toMatchObject({ macro: { checked: 6, disagreeing: [] }, log: { faults: [] } });
    expect(status).toBe(0);
  }, 120_000);

  it('prints a scorecard that promises nothing', async () => {
    const { out } = await callBarograph('validate', '--only', 'macro', '--json');
    const { macro } = JSON.parse(out) as {
      macro: {
        weeks: number;
        horizons: { direction: string; weeks: number; sections: number; mean_ic: number }[];
      };
    };
    expect(macro.weeks).toBe(WEEKS);
    const [past4, past13, next1, next4, next13] = macro.horizons;
    expect([past4, past13, next1].map((one) => one!.sections)).toEqual([WEEKS, WEEKS, WEEKS]);
    // Prices end a week after the last edition: returns that are not complete are left out.
    expect(next4!.sections).toBe(WEEKS - 3);
    expect(next13!.sections).toBe(WEEKS - 12);
    const text = (await callBarograph('validate', '--only', 'macro')).out;
    expect(text).toContain('describes structure, it does not forecast');
    expect(text).toMatch(/past 13 weeks\s+105/);
  }, 120_000);
});
