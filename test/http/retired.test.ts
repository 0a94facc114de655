// Retired routes: 410 with the same bytes whatever is sent, before anything else in the house has been asked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/contracts/failures.js';
import {
  REPLACEMENT,
  RETIRED_ROUTES,
  RETIREMENT_CODES,
  RetiredAnswer,
  type RetiredRoute,
  retiredAnswer,
} from '../../src/contracts/research/retired.js';
import { customerUsage } from '../../src/contracts/research/usage.js';
import { retiredRoutes } from '../../src/surfaces/http/retired-routes.js';
import { expectWireRefusal, type Running, start } from './harness.js';
import type { WireResponse } from './wire.js';

/** Whoever is asked although nobody may be. */
const touched: string[] = [];
const down = (what: string) => async (): Promise<never> => {
  touched.push(what);
  throw new Failure('rate_limit_unavailable');
};
const hits: string[] = [];

let running: Running;
beforeAll(async () => {
  running = await start({
    operations: { customer_usage: customerUsage },
    answers: { customer_usage: down('answer') },
    guard: down('guard'),
    upgrade: (_req, socket) => {
      touched.push('upgrade');
      socket.destroy();
    },
    before: retiredRoutes((code) => hits.push(code)),
    retired: RETIRED_ROUTES,
    allowedOrigins: ['https://friend.example'],
    limits: { lingerMs: 300 },
  });
});
afterAll(() => running.stop());
beforeEach(() => {
  touched.length = 0;
  hits.length = 0;
});

const filled = ({ path }: RetiredRoute, value = 'NVDA') => path.replace(/\{\w+\}/, value);
const request = (method: string, target: string, headers = '', body = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const bodyOf = ({ code }: RetiredRoute) => JSON.stringify(retiredAnswer(code));

function expectRetired(response: WireResponse | null, row: RetiredRoute, body = bodyOf(row)): void {
  if (response === null) throw new Error('the connection ended without an answer');
  expect([response.status, response.body]).toEqual([410, body]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('link')).toBe(`<${REPLACEMENT.path}>; rel="successor-version"`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  for (const name of response.headers.keys()) {
    expect(name).not.toMatch(/^(www-authenticate|x-ratelimit|x-quota|ratelimit|set-cookie|etag)/);
  }
  expect(response.headers.get('vary') ?? '').not.toMatch(/key/i);
  expect(touched).toEqual([]);
}

describe('the table', () => {
  test('has seven routes and uses all of the five codes', () => {
    expect(RETIRED_ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/research/v1/dossiers/{ticker}',
      'GET /api/research/v1/ticker/{ticker}/latest',
      'GET /api/research/v1/dossier/{run_id}',
      'GET /api/research/v1/ticker/{ticker}/history',
      'GET /api/research/v1/evidence-delta',
      'POST /api/research/v1/digs',
      'GET /api/research/v1/digs/{batch_id}',
    ]);
    expect(new Set(RETIRED_ROUTES.map(({ code }) => code))).toEqual(new Set(RETIREMENT_CODES));
    expect(RETIREMENT_CODES).toHaveLength(5);
  });

  test('answers the nine constants, the error and the way to the cohort', () => {
    expect(retiredAnswer('research_unbound_run_dossier_read_retired')).toEqual({
      status: 'retired',
      typed_unavailable: true,
      hub_asset_identity_bound: false,
      pit_basket_revision_bound: false,
      auth_evaluated: false,
      stored_run_loaded: false,
      dossier_serialized: false,
      score_exported: false,
      rank_exported: false,
      error_contract: 'api-error-envelope-v1',
      error: 'research_unbound_run_dossier_read_retired',
      message: 'Dossiers keyed by a run are retired for good.',
      status_code: 410,
      replacement: {
        path: '/api/research/public/hub-pit-identity-cohort/v1',
        schema: 'service.research.hub_pit_identity_cohort.v1',
      },
    });
  });
});

const LONG = 'x'.repeat(5_000);
const OVER = 'x'.repeat(40_000);
const HOSTILE: readonly (readonly [string, (row: RetiredRoute) => string | Buffer])[] = [
  ['as it was', (row) => request(row.method, filled(row))],
  ['with a bad key', (row) => request(row.method, filled(row), 'X-API-Key: nonsense\r\n')],
  ['with two keys', (row) => request(row.method, filled(row), 'X-API-Key: a\r\nX-API-Key: b\r\n')],
  ['with an encoding that is none', (row) => request(row.method, `${filled(row, '%ZZ')}?a=%ZZ`)],
  ['with an encoding that is no UTF-8', (row) => request(row.method, `${filled(row, '%FF')}?a=%FF`)],
  ['with 5,000 characters', (row) => request(row.method, `${filled(row, LONG)}?a=${LONG}`)],
  ['with more than any parser takes', (row) => request(row.method, `${filled(row, OVER)}?a=${OVER}`)],
  ['with an encoded NUL', (row) => request(row.method, `${filled(row, 'A%00B')}?a=%00`)],
  ['with a NUL', (row) => request(row.method, `${filled(row, 'A\0B')}?a=\0`)],
  [
    'with bytes beyond ASCII',
    (row) => Buffer.from(request(row.method, `${filled(row, '\u00e9')}?\u00ff`), 'latin1'),
  ],
  ['with a fragment', (row) => request(row.method, `${filled(row)}#x`)],
  ['with a trailing slash', (row) => request(row.method, `${filled(row)}/`)],
  ['with a slash and a query', (row) => request(row.method, `${filled(row)}/?a=1&a=2`)],
  ['with a slash in the parameter', (row) => request(row.method, filled(row, 'a%2Fb'))],
  ['with dots in the parameter', (row) => request(row.method, filled(row, '..'))],
  ['with an encoded letter', (row) => request(row.method, filled(row).replace('/research', '/rese%61rch'))],
  ['with a whole address', (row) => request(row.method, `http://elsewhere.example${filled(row)}?a=1`)],
  ['with a whole address that is none', (row) => request(row.method, `http://[bad${filled(row)}?a=1`)],
  ['with a host beyond any port', (row) => request(row.method, `http://x:99999999${filled(row)}`)],
  ['without a host', (row) => `${row.method} ${filled(row)} HTTP/1.1\r\n\r\n`],
  ['in HTTP/1.0', (row) => `${row.method} ${filled(row)} HTTP/1.0\r\n\r\n`],
  ['with a host that is none', (row) => `${row.method} ${filled(row)} HTTP/1.1\r\nHost: a b/\r\n\r\n`],
  ['with an expectation', (row) => request(row.method, filled(row), 'Expect: miracles\r\n')],
  ['with large headers', (row) => request(row.method, filled(row), `X-A: ${OVER}\r\n`)],
  ['with many headers', (row) => request(row.method, filled(row), 'X-A: 1\r\n'.repeat(150))],
  [
    'with a body that is no JSON',
    (row) =>
      request(row.method, filled(row), 'Content-Type: application/json\r\nContent-Length: 5\r\n', '{"a":'),
  ],
  [
    'with a wrong content type',
    (row) => request(row.method, filled(row), 'Content-Type: what\r\nContent-Length: 2\r\n', '{}'),
  ],
  ['with a body that never comes', (row) => request(row.method, filled(row), 'Content-Length: 5000\r\n')],
  [
    'with endless chunks',
    (row) => request(row.method, filled(row), 'Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n'),
  ],
  ['with a foreign origin', (row) => request(row.method, filled(row), 'Origin: https://evil.example\r\n')],
  ['with a listed origin', (row) => request(row.method, filled(row), 'Origin: https://friend.example\r\n')],
  ['as a WebSocket', (row) => request('GET', filled(row), 'Connection: Upgrade\r\nUpgrade: websocket\r\n')],
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map(
    (method) => [`with ${method}`, (row: RetiredRoute) => request(method, filled(row))] as const,
  ),
];

describe.each(RETIRED_ROUTES)('$method $path', (row) => {
  test.each(HOSTILE)('%s', async (_what, say) => {
    expectRetired(await running.say(say(row)), row);
    expect(hits).toEqual([row.code]);
  });

  test('with HEAD: the same head, no body', async () => {
    const wire = (await running.wire()).say(request('HEAD', filled(row)) + request('GET', filled(row)));
    const head = await wire.next({ head: true });
    expect(head?.headers.get('content-length')).toBe(String(bodyOf(row).length));
    expectRetired(head, row, '');
    expectRetired(await wire.next(), row);
  });

  test('with 10 MB: answered at once, and the body is left unread', async () => {
    const wire = await running.wire();
    const total = 10 * 1024 * 1024;
    wire.say(request('POST', filled(row), `Content-Length: ${total}\r\n`));
    const answered = wire.next();
    wire.say(Buffer.alloc(total, 0x20));
    const response = await answered;
    expectRetired(response, row);
    expect(response?.headers.get('connection')).toBe('close');
    await wire.closed();
    // What the two kernels hold between them has left the client, and no more.
    expect(wire.socket.bytesWritten - wire.socket.writableLength).toBeLessThan(total);
  });

  test('before a client is told to send its body', async () => {
    const response = await running.say(
      request('POST', filled(row), 'Expect: 100-continue\r\nContent-Length: 9999999\r\n'),
    );
    expectRetired(response, row);
  });

  test('parses back as its contract, and stands in the log without the parameter', async () => {
    const response = await running.say(request('GET', filled(row, 'zq7marker')));
    expect(RetiredAnswer.safeParse(response?.json()).error).toBeUndefined();
    await expect
      .poll(() => running.events.at(-1))
      .toMatchObject({ route: row.path, status: 410, error: row.code });
    expect(JSON.stringify(running.events)).not.toContain('zq7marker');
    expect(response?.headers.get('x-request-id')).toBe(running.events.at(-1)?.request_id);
  });
});

describe('around them', () => {
  test.each([
    '/api/research/v1',
    '/api/research/v1/',
    '/api/research/v1/dossiers',
    '/api/research/v1/dossiers/',
    '/api/research/v1/dossiers/A/B',
    '/api/research/v1/ticker/A',
    '/api/research/v1/ticker/A/next',
    '/api/research/v1/ticker/A/LATEST',
    '/api/research/v1/evidence-delta/A',
    '/api/research/v1/digs/a/b',
    '/api/research/v2/digs',
    '//api/research/v1/digs',
    '/x?y=/api/research/v1/digs',
  ])('%s is an ordinary 404', async (target) => {
    expectWireRefusal(await running.say(request('GET', target)), 'not_found');
    expect(hits).toEqual([]);
  });

  test('an earlier question of the same connection is answered first', async () => {
    const wire = await running.wire();
    const row = RETIRED_ROUTES[5]!;
    wire.say(request('GET', '/nothing') + request('POST', filled(row), 'Content-Length: 9999999\r\n'));
    expectWireRefusal(await wire.next(), 'not_found');
    expectRetired(await wire.next(), row);
    await wire.closed();
  });

  test('they answer while the server stops', async () => {
    const stopping = await start({ operations: {}, answers: {}, before: retiredRoutes() });
    const row = RETIRED_ROUTES[0]!;
    const wire = (await stopping.wire()).say(`GET ${filled(row)} HTTP/1.1\r\nHo`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const drained = stopping.surface.drain();
    expectRetired(await wire.say('st: x\r\n\r\n').next(), row);
    await drained;
  });

  test('a server without the research surface does not know them', async () => {
    const bare = await start({ operations: {}, answers: {} });
    for (const row of RETIRED_ROUTES) {
      expectWireRefusal(await bare.say(request(row.method, filled(row))), 'not_found');
    }
    const document = (await (await fetch(`${bare.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths).join()).not.toContain('/research/');
    await bare.stop();
  });

  test('the document lists them as deprecated, with the 410 as their only answer', async () => {
    const document = (await (await fetch(`${running.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { deprecated: boolean; security: object[]; responses: object }>>;
    };
    for (const { method, path, code } of RETIRED_ROUTES) {
      const entry = document.paths[path]?.[method.toLowerCase()];
      expect(entry).toMatchObject({ deprecated: true, security: [] });
      expect(Object.keys(entry!.responses)).toEqual(['410']);
      expect(JSON.stringify(entry)).toContain(code);
    }
  });
});
