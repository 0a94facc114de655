// Surface B over HTTP with the real guard: paths, refusals of a batch, quotas, and kept answers that are still counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessGuard } from '../../src/access/guard.js';
import { keySha256, makeKey } from '../../src/access/key-text.js';
import { Keyring } from '../../src/access/keyring.js';
import { anonymousPlan } from '../../src/access/plans.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import { FEEDS } from '../../src/contracts/feeds.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { HOUR, MINUTE } from '../../src/kernel/instant.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { MacroStage, NOW } from '../answers/macro-stage.js';
import { expectRefusal, type Running, start } from './harness.js';

const FREE = makeKey('live');
const WIDE = makeKey('live');
let stage: MacroStage;
let running: Running;

function serve(clock: () => number, perMinute: number) {
  const keyring = new Keyring(clock);
  const record = ({ id, text }: typeof FREE, plan: string) => ({
    id,
    key_sha256: keySha256(text),
    plan,
    scopes: ['usage:read'],
  });
  keyring.load(JSON.stringify({ keys: [record(FREE, 'free'), record(WIDE, 'operator')] }));
  return accessGuard({
    keyring,
    counters: new PrepaidCounters(memoryCounters({ clock }), clock),
    audit: () => undefined,
    clock,
    trustedProxies: [],
    addressSecret: new Uint8Array(32),
    anonymousPlan: anonymousPlan(perMinute, 500),
  });
}

beforeAll(async () => {
  stage = await MacroStage.set();
  await stage.tell(NOW - HOUR);
  const { answers, macro } = await stage.open();
  const guard = serve(() => stage.clock.now(), 60);
  running = await start({ operations: OPERATIONS, answers, guard, spend: guard.spend, feeds: FEEDS });
  macro.live.onChange(() => running.surface.forgetFrame());
}, 120_000);
afterAll(async () => {
  await running.stop();
  await stage.clear();
});
beforeEach(() => stage.clock.advance(MINUTE));

const get = (path: string, key?: string) =>
  fetch(running.url + path, { headers: key === undefined ? {} : { 'X-API-Key': key } });

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${running.url}/v1/check/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': FREE.text, ...headers },
    body,
  });

const batch = (tickers: readonly string[]) => post(JSON.stringify({ tickers }));
const many = (count: number) => Array.from({ length: count }, (_, i) => `A${String.fromCharCode(65 + i)}`);

describe('paths', () => {
  it('takes the colon of an asset as it is and encoded', async () => {
    const bodies = await Promise.all(
      ['equity:XOM', 'equity%3AXOM', 'equity%3axom'].map(async (name) =>
        (await get(`/api/assets/${name}`)).json(),
      ),
    );
    expect(bodies[0]).toHaveProperty('related_themes');
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
    expect((await get('/api/assets/bond:XOM')).status).toBe(404);
  });

  it('answers every operation of the surface', async () => {
    for (const { surface, method, path, example, output } of Object.values(OPERATIONS)) {
      if (surface !== 'macro' || method !== 'GET') continue;
      const members = Object.entries(example as object).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const query = new URLSearchParams(members.filter(([name]) => !path.includes(`{${name}}`)));
      const response = await get(`${path.replace('{ticker}', 'NVDA')}?${query.toString()}`, WIDE.text);
      expect([path, response.status]).toEqual([path, 200]);
      expect(output.safeParse(await response.json()).error?.issues ?? []).toEqual([]);
    }
  });

  it('tells a symbol that is none from one that is not in the catalogue', async () => {
    for (const [symbol, code] of [
      ['NOSUCH', 'unknown_index'],
      ['vix', 'invalid_symbol'],
      ['', 'invalid_symbol'],
    ] as const) {
      const response = await get(`/v1/agent/tools/get_index_detail?symbol=${symbol}`, WIDE.text);
      expectRefusal(response.status, await response.json(), code);
    }
    const none = await get('/v1/agent/tools/get_index_detail', WIDE.text);
    expectRefusal(none.status, await none.json(), 'invalid_symbol');
  });

  it('gives the manifest to everybody, uncounted', async () => {
    const response = await get('/v1/agent/openai-tools');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-quota-limit')).toBeNull();
  });
});

describe('the briefing', () => {
  const briefing = (accept?: string) =>
    fetch(`${running.url}/v1/agent/briefing`, {
      headers: { 'X-API-Key': WIDE.text, ...(accept === undefined ? {} : { Accept: accept }) },
    });

  it('is data for everybody and a page for those who ask for Markdown, by one address', async () => {
    for (let round = 0; round < 2; round += 1) {
      const data = await briefing();
      expect(data.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const { markdown } = (await data.json()) as { markdown: string };
      const page = await briefing('text/markdown, application/json;q=0.5');
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(page.headers.get('vary')).toBe('X-API-Key, Accept');
      expect(page.headers.get('cache-control')).toContain('no-store');
      expect(await page.text()).toBe(markdown);
      expect(markdown).toMatch(/^# Macro briefing 2020-/);
    }
  });
});

/** The standard normal distribution by Simpson's rule. */
function phi(x: number): number {
  const STEPS = 2_000;
  let sum = 0;
  for (let i = 0; i <= STEPS; i += 1) {
    const t = (x * i) / STEPS;
    sum += (i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp((-t * t) / 2);
  }
  return 0.5 + (sum * x) / (3 * STEPS * Math.sqrt(2 * Math.PI));
}

interface Score {
  readonly ticker: string;
  readonly schema_score: number;
  readonly structure_sum: number;
  readonly top_drivers: readonly { index_symbol: string }[];
  readonly drivers?: readonly { index_symbol: string; contribution: number; weight: number }[];
}

describe('the drivers of a score', () => {
  it.each(['/v1/asset/XOM?', '/v1/asset/BRK.B?'])(
    'reproduce the integer of %s from the answer alone',
    async (path) => {
      const response = await get(`${path}drivers=all`, WIDE.text);
      expect(response.status).toBe(200);
      const { schema_score, structure_sum, top_drivers, drivers } = (await response.json()) as Score;
      expect(drivers!.length).toBeGreaterThan(8);
      const sum = drivers!.reduce((total, { contribution }) => total + contribution, 0);
      expect(sum).toBeCloseTo(structure_sum, 9);
      expect(Math.round(100 * phi(1.05 * sum))).toBe(schema_score);
      expect(drivers!.reduce((total, { weight }) => total + weight, 0)).toBeCloseTo(1, 9);
      expect(drivers!.slice(0, 8)).toEqual(top_drivers);
    },
  );

  it('are the strongest alone unless all are asked for', async () => {
    const [plain, top] = await Promise.all(
      ['', '?drivers=top'].map(async (query) => (await get(`/v1/asset/XOM${query}`, WIDE.text)).json()),
    );
    expect(plain).toEqual(top);
    expect(plain).not.toHaveProperty('drivers');
    expect((plain as Score).top_drivers).toHaveLength(8);
    const bad = await get('/v1/asset/XOM?drivers=some', WIDE.text);
    expectRefusal(bad.status, await bad.json(), 'invalid_parameter');
  });
});

describe('the batch', () => {
  it('takes 25 tickers and needs a key', async () => {
    const response = await batch(many(25));
    expect(response.status).toBe(200);
    expect(((await response.json()) as { results: unknown[] }).results).toHaveLength(25);
    expect(response.headers.get('x-quota-limit')).toBe('20');
    const stranger = await fetch(`${running.url}/v1/check/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tickers: ['XOM'] }),
    });
    expectRefusal(stranger.status, await stranger.json(), 'unauthorized');
  });

  it.each([
    ['26 tickers', () => batch(many(26)), 'too_many_tickers'],
    ['none', () => batch([]), 'no_tickers'],
    ['one twice', () => batch(['BRK.B', 'brk-b']), 'duplicate_tickers'],
    ['no ticker', () => batch(['XOM', 'no ticker at all']), 'invalid_ticker'],
    ['a number', () => post('{"tickers":[5]}'), 'invalid_ticker'],
    ['no list', () => post('{"tickers":"XOM"}'), 'invalid_body'],
    ['another member', () => post('{"symbols":["XOM"]}'), 'unknown_parameter'],
    ['half a body', () => post('{"tickers":['), 'invalid_body'],
    ['a list', () => post('["XOM"]'), 'invalid_body'],
    ['another type', () => post('tickers=XOM', { 'Content-Type': 'text/plain' }), 'unsupported_media_type'],
  ] as const)('refuses %s', async (_what, ask, code) => {
    stage.clock.advance(24 * HOUR);
    const response = await ask();
    expectRefusal(response.status, await response.json(), code);
    stage.clock.set(NOW);
  });
});

describe('quotas', () => {
  it('counts every read of a stranger, kept or not, to the exact limit', async () => {
    stage.clock.set(NOW + 2 * MINUTE);
    for (let left = 59; left >= 0; left -= 1) {
      const response = await get('/v1/asset/XOM');
      expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
    }
    const response = await get('/v1/asset/XOM');
    expectRefusal(response.status, await response.json(), 'rate_limited');
    stage.clock.set(NOW);
  });

  it('answers a wide plan from kept bytes, shows each call, and forgets them with a new edition', async () => {
    stage.clock.set(NOW + 3 * MINUTE);
    const before = running.events.length;
    const first = await get('/v1/asset/NVDA', WIDE.text);
    const body = await first.text();
    for (let used = 2; used <= 120; used += 1) {
      const response = await get('/v1/asset/NVDA', WIDE.text);
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(6_000 - used));
      expect(response.headers.get('cache-control')).toBe('private, no-store, max-age=0');
      expect(response.headers.get('vary')).toContain('X-API-Key');
      expect(await response.text()).toBe(body);
    }
    expect(running.events.slice(before).filter(({ kept }) => kept).length).toBeGreaterThan(60);
    const bad = await get('/v1/asset/NVDA', `${WIDE.text}x`);
    expectRefusal(bad.status, await bad.json(), 'unauthorized');
    await stage.tell(NOW - HOUR / 4);
    const after = (await (await get('/v1/asset/NVDA', WIDE.text)).json()) as { as_of: string };
    expect(after.as_of).not.toBe((JSON.parse(body) as { as_of: string }).as_of);
    stage.clock.set(NOW);
  });
});
