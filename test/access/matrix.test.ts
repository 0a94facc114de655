// Every operation and feed of the service with every kind of caller; those still to come join by themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admit, keyAccount } from '../../src/access/admission.js';
import { audit } from '../../src/access/audit.js';
import { accessGuard } from '../../src/access/guard.js';
import { Keyring } from '../../src/access/keyring.js';
import { ANONYMOUS_PLAN, PLANS } from '../../src/access/plans.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import { isScope, SCOPE_NAMES } from '../../src/access/scopes.js';
import { keyProtocol, SNAPSHOT_PROTOCOL } from '../../src/access/websocket-key.js';
import type { Feed } from '../../src/contracts/feed.js';
import { FEEDS } from '../../src/contracts/feeds.js';
import { type AnswersTo, type Operation, pathParameters } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { type Counters, CountersUnavailable } from '../../src/ports/counters.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { handshakeKey } from '../../src/surfaces/stream/handshake-key.js';
import { TurnedClock } from '../house/studio.js';
import { expectRefusal, type Running, start } from '../http/harness.js';
import { record, textOf } from './gate.js';

const clock = new TurnedClock();
const HOLDERS = ['none', ...SCOPE_NAMES, 'everything'] as const;
type Holder = (typeof HOLDERS)[number];
const idOf = (holder: Holder) => holder.replace(':', '-');
const has = (holder: Holder, scope: string) => holder === 'everything' || holder === scope;

const state = { down: false };
const memory = memoryCounters({ clock: clock.now });
const unlessDown = <T>(ask: () => Promise<T>): Promise<T> =>
  state.down ? Promise.reject(new CountersUnavailable(new Error('gone'))) : ask();
const mortal: Counters = {
  ...memory,
  admit: (charge) => unlessDown(() => memory.admit(charge)),
  peek: (charge) => unlessDown(() => memory.peek(charge)),
};
const counters = new PrepaidCounters(mortal, clock.now);
const keyring = new Keyring(clock.now);
const lines: string[] = [];
const write = audit((line) => lines.push(line), clock.now);

let running: Running;
beforeAll(async () => {
  keyring.load(
    JSON.stringify({
      keys: [
        record('none', { scopes: [], plan: 'operator' }),
        ...SCOPE_NAMES.map((scope) => record(idOf(scope), { scopes: [scope], plan: 'operator' })),
        record('everything', { plan: 'operator' }),
      ],
    }),
  );
  const guard = accessGuard({
    keyring,
    counters,
    audit: write,
    clock: clock.now,
    trustedProxies: [],
    addressSecret: new Uint8Array(32),
  });
  const answers = Object.fromEntries(
    // What is answered does not matter here, only who gets it.
    Object.keys(OPERATIONS).map((name) => [name, async () => ({})]),
  ) as unknown as AnswersTo<typeof OPERATIONS>;
  running = await start({ operations: OPERATIONS, answers, guard });
});
afterAll(() => running.stop());

async function ask(operation: Operation, key?: string): Promise<Response> {
  const example = operation.example as Record<string, unknown>;
  const inPath = pathParameters(operation.path);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(example[name])),
  );
  const rest = Object.entries(example).filter(([name]) => !inPath.includes(name));
  const headers = key === undefined ? {} : { 'X-API-Key': key };
  if (operation.method === 'GET') {
    const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
    return fetch(`${running.url}${path}?${query.toString()}`, { headers });
  }
  return fetch(running.url + path, {
    method: operation.method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  });
}

const SHOWN = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Quota-Limit'];

function expectPrivate({ headers, ok }: Response, { page }: Operation): void {
  expect(headers.get('cache-control')).toBe('private, no-store, max-age=0');
  // What comes in two forms depends on the one that was asked for, too.
  expect(headers.get('vary')).toBe(ok && page !== undefined ? 'X-API-Key, Accept' : 'X-API-Key');
}

const list: readonly Operation[] = Object.values(OPERATIONS);

describe.each(list)('$method $path ($name)', (operation) => {
  const { access } = operation;
  const counted = access.kind === 'key' || access.kind === 'metered';
  const good = (response: Response) =>
    expect([200, operation.status === undefined ? 200 : 503]).toContain(response.status);

  test('with every scope', async () => {
    for (const holder of HOLDERS) {
      const response = await ask(operation, textOf(idOf(holder)));
      if (access.kind === 'public') {
        good(response);
        expect(response.headers.get('vary')).toBeNull();
      } else expectPrivate(response, operation);
      if (access.kind === 'key' && access.scope !== null && !has(holder, access.scope)) {
        expectRefusal(response.status, await response.json(), 'insufficient_scope');
        expect(response.headers.get('x-ratelimit-limit')).toBeNull();
        continue;
      }
      good(response);
      for (const name of SHOWN) expect(response.headers.has(name)).toBe(counted);
    }
  });

  test('without a key', async () => {
    await clock.turnTo(clock.now() + 60_000_000);
    const response = await ask(operation);
    const closed =
      access.kind === 'key' || (access.kind === 'metered' && ANONYMOUS_PLAN.perDay[access.quota] === 0);
    if (closed) {
      expectRefusal(response.status, await response.json(), 'unauthorized');
      expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="barograph"');
    } else good(response);
    if (access.kind !== 'public') expectPrivate(response, operation);
  });

  test('with a bad key', async () => {
    const response = await ask(operation, 'nonsense');
    if (counted) expectRefusal(response.status, await response.json(), 'unauthorized');
    else good(response);
    if (access.kind !== 'public') expectPrivate(response, operation);
  });

  test('while the limiter does not answer', async () => {
    state.down = true;
    const response = await ask(operation, textOf('everything')).finally(() => {
      state.down = false;
    });
    if (!counted) {
      good(response);
      return;
    }
    expectRefusal(response.status, await response.json(), 'rate_limit_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    expectPrivate(response, operation);
  });
});

test('every quota that is charged is one of every plan, and every scope one of the list', () => {
  const accesses = [...list, ...(Object.values(FEEDS) as readonly Feed[])].map(({ access }) => access);
  for (const access of accesses) {
    if (access.kind === 'key' && access.scope !== null) expect(isScope(access.scope)).toBe(true);
    if (access.kind !== 'key' && access.kind !== 'metered') continue;
    const quota = access.quota ?? 'calls';
    for (const plan of Object.values(PLANS)) expect(plan.perDay[quota]).toBeGreaterThan(0);
  }
});

const sockets = (Object.values(FEEDS) as readonly Feed[]).filter(({ wire }) => wire === 'websocket');

describe.each(sockets)('$path ($name)', ({ access }) => {
  const scope = access.kind === 'key' ? access.scope : null;

  test.each(HOLDERS)('with %s', async (holder) => {
    const knock = handshakeKey({ keyring, counters, scope: scope!, audit: write, trustedProxies: [] });
    const offered = `${SNAPSHOT_PROTOCOL}, ${keyProtocol(textOf(idOf(holder)))}`;
    const request = { headers: { 'sec-websocket-protocol': offered }, socket: {} };
    const admission = await knock(request as never, 'r-1');
    if (has(holder, scope!)) expect(admission).toMatchObject({ keyId: idOf(holder), streams: 100 });
    else expect(admission).toMatchObject({ code: 'insufficient_scope' });
  });

  test('while the limiter does not answer', async () => {
    state.down = true;
    const knock = handshakeKey({ keyring, counters, scope: scope!, audit: write, trustedProxies: [] });
    const offered = `${SNAPSHOT_PROTOCOL}, ${keyProtocol(textOf('everything'))}`;
    const request = { headers: { 'sec-websocket-protocol': offered }, socket: {} };
    await expect(Promise.resolve(knock(request as never, 'r-2'))).rejects.toMatchObject({
      code: 'rate_limit_unavailable',
    });
    state.down = false;
    expect(lines.at(-1)).toContain('limiter.unavailable');
  });
});

test('two keys of one customer have an account each', async () => {
  const [one, two] = ['one', 'two'].map((id) => keyAccount({ id, plan: 'free' }));
  await admit(counters, one!, 'calls');
  expect((await admit(counters, two!, 'calls')).allowance.dayUsed).toBe(1);
});
