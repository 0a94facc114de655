// The routes of the attention surface: the scope, the document and the router list the same ones, and keys decide.
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiScope } from '../../src/contracts/attention/api-scope.js';
import { ANONYMOUS, type Caller, hasScope } from '../../src/contracts/caller.js';
import { Failure } from '../../src/contracts/failures.js';
import { FEEDS } from '../../src/contracts/feeds.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import type { Guard } from '../../src/surfaces/http/operation-route.js';
import { leaderboardStreams } from '../../src/surfaces/stream/leaderboard-streams.js';
import { expectRefusal, type Running, start } from '../http/harness.js';
import { post } from '../ports/samples.js';
import { asset, callerOf, Desk, rowOf } from './desk.js';

const CALLERS: Readonly<Record<string, Caller>> = {
  reader: callerOf('one', 'signals:read', 'watchlists:read'),
  writer: callerOf('one', 'watchlists:read', 'watchlists:write'),
  stranger: callerOf('two', 'watchlists:read'),
  judge: callerOf('three', 'realness:verdict'),
};

/** The whole inventory of the surface. */
const ROUTES = [
  '/api/snapshot/leaderboard/stream',
  '/docs',
  '/health',
  '/openapi.json',
  '/redoc',
  '/v1/api-scope',
  '/v1/attestation',
  '/v1/bot-feed/signals',
  '/v1/bot-feed/signals/{ticker}',
  '/v1/core-kpis',
  '/v1/diagnostics',
  '/v1/ontology',
  '/v1/realness/{ticker}',
  '/v1/realness/{ticker}/commitments',
  '/v1/reputation/scorecard',
  '/v1/scorecard',
  '/v1/snapshot/as-of',
  '/v1/snapshot/buckets',
  '/v1/snapshot/leaderboard',
  '/v1/snapshot/leaderboard/ws',
  '/v1/snapshot/state-changes',
  '/v1/snapshot/themes',
  '/v1/snapshot/ticker/{ticker}',
  '/v1/snapshot/watchlists/{watchlist_id}',
];

const guard: Guard = async ({ access }, req) => {
  const caller = CALLERS[String(req.headers['x-api-key'])];
  if (access.kind === 'recognised') return caller ?? ANONYMOUS;
  if (caller === undefined) throw new Failure('unauthorized');
  if (access.kind === 'key' && access.scope !== null && !hasScope(caller, access.scope))
    throw new Failure('insufficient_scope');
  return caller;
};

let desk: Desk;
let running: Running;
let streams: ReturnType<typeof leaderboardStreams>;
beforeAll(async () => {
  desk = await Desk.lay();
  await desk.tell(asset('NVDA'), post('1'));
  await desk.frame(
    [rowOf('NVDA', { rank: 1 })],
    [
      {
        kind: 'gate',
        type: 'realness.commitment',
        ticker: 'NVDA',
        body: {
          verdict: 'veto',
          salt: 'ee'.repeat(32),
          seq: 9,
          commitment: 'aa'.repeat(32),
          measurement_sha256: `sha256:${'bb'.repeat(32)}`,
          policy_sha256: 'cc'.repeat(32),
          coordination_index: 0.9,
        },
      },
      {
        kind: 'signal',
        type: 'attention.first_seen',
        ticker: 'NVDA',
        body: { prev: null, now: 1, evidence: {} },
      },
    ],
  );
  const { answers, live } = await desk.open();
  streams = leaderboardStreams({
    live,
    clock: () => desk.clock.now(),
    authenticate: () => Promise.reject(new Failure('unauthorized')),
    record: () => {},
    metrics: new Registry(),
  });
  running = await start({
    operations: OPERATIONS,
    answers,
    guard,
    feeds: FEEDS,
    upgrade: streams.upgrade,
    extraRoutes: streams.routes,
  });
});
afterAll(async () => {
  streams.close();
  await running.stop();
  await desk.clear();
});

const get = async (path: string, key = '') => {
  const response = await fetch(running.url + path, { headers: { 'x-api-key': key } });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};

describe('the scope', () => {
  it('lists what the document lists and what the router answers', async () => {
    const scope = ApiScope.parse((await get('/v1/api-scope')).body);
    const routes = scope.groups.flatMap(({ routes: own }) => own);
    expect(scope.route_count).toBe(24);
    expect(routes).toHaveLength(24);
    expect(new Set(routes.map(({ path }) => path)).size).toBe(scope.route_count);
    expect(scope.groups.map(({ group, routes: own }) => [group, own.length])).toEqual([
      ['snapshot tape', 9],
      ['signals and coordination', 4],
      ['contract, trust, service', 11],
    ]);
    expect(routes.map(({ path }) => path).toSorted()).toEqual(ROUTES);

    const { paths } = (await get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    const groups = scope.groups.map(({ group }) => group);
    const documented = Object.entries(paths)
      .filter(
        ([path, place]) =>
          !['/livez', '/metrics', '/llms.txt'].includes(path) &&
          groups.includes(Object.values(place)[0]!.tags[0]!),
      )
      .flatMap(([path, place]) => Object.keys(place).map((method) => `${method.toUpperCase()} ${path}`));
    const listed = routes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
    expect(listed.toSorted()).toEqual(documented.toSorted());

    for (const { path, methods } of routes) {
      const address = running.url + path.replace('{ticker}', 'NVDA').replace('{watchlist_id}', 'core');
      const response = await fetch(address, { method: 'DELETE' });
      expect([path, response.status]).toEqual([path, 405]);
      for (const method of methods) expect(response.headers.get('allow')?.split(', ')).toContain(method);
    }
  });

  it('states the policy in full', async () => {
    const { policy } = ApiScope.parse((await get('/v1/api-scope')).body);
    expect(policy).toEqual([
      'Output is measurement, not advice.',
      'Realness is an aggregate coordination measurement, never a named accusation.',
      'Public social authors come only from provider expansions; there are no profile dossiers and no personal-data exports.',
      'Public post excerpts stay bounded by provider and source receipts.',
      'Signals are ranking input, never an execution trigger.',
    ]);
    const response = await fetch(`${running.url}/v1/core-kpis`);
    expect(response.headers.get('x-barograph-policy')).toBe('/v1/api-scope');
  });
});

describe('keys', () => {
  it('open the signal feed, and nothing else does', async () => {
    for (const path of ['/v1/bot-feed/signals', '/v1/bot-feed/signals/NVDA']) {
      const refused = await get(path);
      expectRefusal(refused.status, refused.body, 'unauthorized');
      const narrow = await get(path, 'writer');
      expectRefusal(narrow.status, narrow.body, 'insufficient_scope');
      expect((await get(`${path}?limit=1&kind=attention.first_seen`, 'reader')).status).toBe(200);
      for (const [query, code] of [
        ['limit=201', 'invalid_limit'],
        ['kind=nothing', 'invalid_parameter'],
        ['since=yesterday', 'invalid_parameter'],
        ['cursor=!!', 'invalid_cursor'],
        ['cursor=AAAA', 'invalid_cursor'],
      ] as const) {
        const bad = await get(`${path}?${query}`, 'reader');
        expectRefusal(bad.status, bad.body, code);
      }
    }
  });

  it('save and read watchlists of their own customer', async () => {
    const put = async (key: string, body: unknown) => {
      const response = await fetch(`${running.url}/v1/snapshot/watchlists/core`, {
        method: 'PUT',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const narrow = await put('reader', { tickers: ['NVDA'] });
    expectRefusal(narrow.status, narrow.body, 'insufficient_scope');
    for (const tickers of [[], Array(101).fill('NVDA'), undefined]) {
      const bad = await put('writer', { tickers });
      expectRefusal(bad.status, bad.body, 'invalid_body');
    }
    const misspelt = await put('writer', { tickers: ['NVDA', 'not a ticker'] });
    expectRefusal(misspelt.status, misspelt.body, 'invalid_ticker');
    expect((await put('writer', { name: 'Core', tickers: ['$nvda', 'brk-b'] })).body).toMatchObject({
      tickers: ['NVDA', 'BRK.B'],
    });
    expect((await get('/v1/snapshot/watchlists/core', 'reader')).status).toBe(200);
    const strange = await get('/v1/snapshot/watchlists/core', 'stranger');
    expectRefusal(strange.status, strange.body, 'watchlist_not_found');
    const bad = await get('/v1/snapshot/watchlists/NO', 'reader');
    expectRefusal(bad.status, bad.body, 'invalid_parameter');
  });

  it('with the scope see a verdict, nobody sees the salt, and nothing of it is kept for others', async () => {
    const gate = async (key: string) => {
      const { body } = await get('/v1/realness/NVDA', key);
      expect(JSON.stringify(body)).not.toContain('ee'.repeat(32));
      return (body as unknown as { gate: { state: string; verdict: string | null } }).gate;
    };
    expect(await gate('')).toMatchObject({ state: 'withheld', verdict: null });
    expect(await gate('judge')).toMatchObject({ state: 'released', verdict: 'veto' });
    expect(await gate('wrong')).toMatchObject({ state: 'withheld', verdict: null });
    expect(await gate('reader')).toMatchObject({ state: 'withheld', verdict: null });
  });
});
