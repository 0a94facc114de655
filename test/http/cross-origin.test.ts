// Pages of other origins: nothing is granted that is not on the list, and what is granted is granted everywhere alike.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOOD_KEY, type Running, startSamples } from './harness.js';

const FRIEND = 'https://friend.example';
const OTHER = 'http://localhost:5173';

let running: Running;
beforeAll(async () => {
  running = await startSamples({ allowedOrigins: [FRIEND, OTHER] });
});
afterAll(() => running.stop());

const ask = (target: string, origin?: string, more: RequestInit = {}) =>
  fetch(running.url + target, {
    ...more,
    headers: { ...(more.headers as object), ...(origin === undefined ? {} : { Origin: origin }) },
  });
const granted = ({ headers }: Response) =>
  [...headers].filter(([name]) => name.startsWith('access-control')).map(([name]) => name);

const TARGETS = [
  '/sample/board',
  // Again, from kept bytes.
  '/sample/board',
  '/sample/typed?interval=x',
  '/sample/broken/error',
  '/sample/secret',
  '/nothing',
  '/openapi.json',
  '/docs',
  '/metrics',
];

describe.each(TARGETS)('%s', (target) => {
  test.each([FRIEND, OTHER])('may be read by %s, and by nobody else with the same bytes', async (origin) => {
    const response = await ask(target, origin);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('vary')?.split(', ')).toContain('Origin');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    for (const name of ['X-RateLimit-Remaining', 'X-Quota-Remaining', 'Retry-After', 'X-Request-Id']) {
      expect(response.headers.get('access-control-expose-headers')).toContain(name);
    }
  });

  test.each([
    undefined,
    'null',
    '*',
    'https://evil.example',
    'http://friend.example',
    'https://friend.example.evil.example',
    'https://friend.example:8443',
    'https://FRIEND.example',
    `${FRIEND}, https://evil.example`,
  ])('grants nothing to %s', async (origin) => {
    const response = await ask(target, origin);
    expect(granted(response)).toEqual([]);
    expect(response.headers.get('vary')?.split(', ')).toContain('Origin');
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

test('an answer to a key varies with both', async () => {
  const response = await ask('/sample/secret', FRIEND, { headers: { 'X-API-Key': GOOD_KEY } });
  expect([response.status, response.headers.get('vary')]).toEqual([200, 'Origin, X-API-Key']);
});

test('the scripts of the documents vary with both', async () => {
  const page = await (await ask('/docs')).text();
  const script = /src="(\/docs\/assets\/[^"]+)"/.exec(page)![1]!;
  expect((await ask(script, FRIEND)).headers.get('vary')).toBe('Origin, Accept-Encoding');
});

describe('a browser that asks first', () => {
  const preflight = (target: string, origin: string, headers: Record<string, string> = {}) =>
    ask(target, origin, {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'GET', ...headers },
    });

  test.each(['/sample/board', '/sample/secret', '/sample/batch', '/nothing'])(
    'is told for %s what a listed page may send',
    async (target) => {
      const response = await preflight(target, FRIEND, { 'Access-Control-Request-Headers': 'x-api-key' });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-origin')).toBe(FRIEND);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT');
      expect(response.headers.get('access-control-allow-headers')).toContain('X-API-Key');
      expect(response.headers.get('access-control-allow-headers')).not.toContain('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(response.headers.get('vary')).toBe('Origin');
      expect(response.headers.get('content-length')).toBeNull();
      await expect.poll(() => running.events.at(-1)).toMatchObject({ route: '(preflight)', status: 204 });
    },
  );

  test('is refused as any other method for a page that is not listed', async () => {
    const response = await preflight('/sample/board', 'https://evil.example');
    expect([response.status, granted(response)]).toEqual([405, []]);
  });

  test('OPTIONS that asks nothing is an ordinary method', async () => {
    expect((await ask('/sample/board', FRIEND, { method: 'OPTIONS' })).status).toBe(405);
  });
});

test('without a list nothing is granted, and nothing varies', async () => {
  const closed = await startSamples();
  for (const target of TARGETS) {
    const response = await fetch(closed.url + target, { headers: { Origin: FRIEND } });
    expect(granted(response)).toEqual([]);
    expect(response.headers.get('vary') ?? '').not.toContain('Origin');
  }
  await closed.stop();
});
