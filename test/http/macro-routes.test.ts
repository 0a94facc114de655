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

  it('gives the manifest to everybody, uncounted', async () => {
    const response = await get('/v1/agent/openai-tools');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-quota-limit')).toBeNull();
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
    ['no ticker', () => batch(['no ticker at all']), 'invalid_body'],
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
