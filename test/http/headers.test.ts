// The headers of all responses: what every one carries, what some carry, what none may.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/contracts/failures.js';
import { GOOD_KEY, type Running, startSamples } from './harness.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples({
    extraRoutes: [
      { methods: ['GET'], path: '/extra/response', answer: () => new Response('fetched', { status: 203 }) },
      {
        methods: ['GET'],
        path: '/extra/stream/{name}',
        answer: ({ outgoing, inPath }) => {
          outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
          outgoing.end(`data: ${inPath['name']?.length}\n\n`);
          return 'sent';
        },
      },
      {
        methods: ['GET'],
        path: '/extra/torn',
        answer: ({ outgoing }) => {
          outgoing.writeHead(200, { 'Content-Length': 10 });
          outgoing.write('half');
          throw new Error('torn');
        },
      },
      { methods: ['GET', 'POST'], path: '/extra/files/*', answer: () => new Response('file') },
    ],
  });
});
afterAll(() => running.stop());

const targets = [
  '/sample/board',
  '/sample/board',
  '/sample/typed?interval=x',
  '/sample/secret',
  '/sample/broken/error',
  '/sample/broken/unready',
  '/nothing',
  '/openapi.json',
  '/docs',
  '/redoc',
  '/livez',
  '/metrics',
  '/extra/response',
  '/extra/stream/abc',
  '/extra/files/a/b',
];

describe.each(targets)('%s', (target) => {
  test('has the security headers, a request id and nothing that tells or tracks', async () => {
    const { headers } = await fetch(running.url + target);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).not.toBeNull();
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin', 'etag']) {
      expect(headers.get(name), name).toBeNull();
    }
  });
});

test('no cross-origin request is granted anything', async () => {
  const origin = { Origin: 'https://elsewhere.example' };
  const asked = await fetch(`${running.url}/sample/board`, { headers: origin });
  const preflight = await fetch(`${running.url}/sample/board`, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'GET' },
  });
  for (const { headers } of [asked, preflight]) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('JSON may load nothing, pages only from here', async () => {
  const policy = async (target: string) =>
    (await fetch(running.url + target)).headers.get('content-security-policy');
  expect(await policy('/sample/board')).toContain("default-src 'none'");
  expect(await policy('/nothing')).toContain("default-src 'none'");
  for (const page of ['/docs', '/redoc']) {
    expect(await policy(page)).toContain("default-src 'none'");
    expect(await policy(page)).toContain("script-src 'self'");
    expect(await policy(page)).not.toMatch(/https?:|unsafe-eval|\*/);
  }
});

test('responses of the attention surface point to the policy, refusals too', async () => {
  for (const target of ['/sample/board', '/sample/board', '/sample/board?limit=0', '/sample/board?x=1']) {
    const { headers } = await fetch(running.url + target);
    expect(headers.get('x-barograph-policy')).toBe('/v1/api-scope');
    expect(headers.get('link')).toBe('</v1/api-scope>; rel="policy"');
  }
  expect((await fetch(`${running.url}/sample/typed`)).headers.get('x-barograph-policy')).toBeNull();
});

test('what may be kept says no-cache, everything else no-store', async () => {
  const cache = async (target: string) => (await fetch(running.url + target)).headers.get('cache-control');
  expect(await cache('/sample/board')).toBe('no-cache');
  expect(await cache('/sample/board?limit=0')).toBe('no-store');
  expect(await cache('/sample/typed')).toBe('no-store');
  expect(await cache('/metrics')).toBe('no-store');
});

test('a key is asked for by its scheme, and the headers of the guard go out either way', async () => {
  const refused = await fetch(`${running.url}/sample/secret`);
  expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="barograph"');
  expect(((await refused.json()) as { message: string }).message).toBe(FAILURES.unauthorized.meaning);
  const granted = await fetch(`${running.url}/sample/secret`, { headers: { 'x-api-key': GOOD_KEY } });
  expect([refused.status, granted.status]).toEqual([401, 200]);
  for (const { headers } of [refused, granted]) expect(headers.get('x-ratelimit-limit')).toBe('60');
});

test('without a guard no keyed operation is served at all', async () => {
  await expect(startSamples({ guard: undefined } as never)).rejects.toThrow('needs a key');
});

test('the guard may replace a usual header', async () => {
  const { headers } = await fetch(`${running.url}/sample/secret`, { headers: { 'x-api-key': GOOD_KEY } });
  expect(headers.get('cache-control')).toBe('private, no-store, max-age=0');
  expect(headers.get('vary')).toBe('X-API-Key');
});

test('half an answer of an extra route is cut off', async () => {
  await expect(fetch(`${running.url}/extra/torn`).then((response) => response.text())).rejects.toThrow();
  await expect
    .poll(() => running.events.at(-1))
    .toMatchObject({ route: '/extra/torn', error: 'internal_error' });
});

test('extra routes: a fetch response, a raw response, a whole folder, and 405 for the rest', async () => {
  const fetched = await fetch(`${running.url}/extra/response`);
  expect([fetched.status, await fetched.text()]).toEqual([203, 'fetched']);
  expect(await (await fetch(`${running.url}/extra/stream/abcd`)).text()).toBe('data: 4\n\n');
  expect(await (await fetch(`${running.url}/extra/files/x/y`, { method: 'POST' })).text()).toBe('file');
  const refused = await fetch(`${running.url}/extra/files/x`, { method: 'DELETE' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});
