// Everything that is refused wears the one envelope, also what Node would answer by itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectWireRefusal, type Running, startSamples } from './harness.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples();
});
afterAll(() => running.stop());

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

describe('routes', () => {
  test('404 for a path that is not there', async () => {
    expectWireRefusal(await running.say(get('/nothing/here')), 'not_found');
    expectWireRefusal(await running.say(get('/sample/board/')), 'not_found');
    expectWireRefusal(await running.say(get('/sample/assets/bond:NVDA')), 'not_found');
    expectWireRefusal(await running.say(get('/')), 'not_found');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '405 for %s',
    async (method) => {
      const response = await running.say(
        `${method} /sample/board HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
      );
      expectWireRefusal(response, 'method_not_allowed');
      expect(response?.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  test('405 for GET and HEAD where only POST is', async () => {
    const response = await running.say(get('/sample/batch'));
    expectWireRefusal(response, 'method_not_allowed');
    expect(response?.headers.get('allow')).toBe('POST');
    const wire = (await running.wire()).say('HEAD /sample/batch HTTP/1.1\r\nHost: x\r\n\r\n');
    const head = await wire.next({ head: true });
    expect([head?.status, head?.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('405 for CONNECT, on the bare socket', async () => {
    const wire = (await running.wire()).say('CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n');
    expectWireRefusal(await wire.next(), 'method_not_allowed');
    expect(await wire.closed()).toBe(true);
  });
});

describe('the request line and the headers', () => {
  test.each([
    ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['TLS on a plain port', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a space in the name of a header', get('/health', 'Bad Header: 1\r\n')],
    ['two lengths', get('/health', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
    ['a length and chunks', get('/health', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n')],
  ])('400 for %s, and the connection ends', async (_what, text) => {
    const wire = (await running.wire()).say(text);
    const response = await wire.next();
    expectWireRefusal(response, 'bad_request');
    expect(response?.headers.get('connection')).toBe('close');
    expect(await wire.closed()).toBe(true);
  });

  test.each([
    ['no host', 'GET /sample/board HTTP/1.1\r\n\r\n'],
    ['a host that is none', 'GET /sample/board HTTP/1.1\r\nHost: a b/c\r\n\r\n'],
    ['a host that no URL can have', 'GET /sample/board HTTP/1.1\r\nHost: [0:0:0:0:0:0:0:1]\r\n\r\n'],
    ['an encoding that is none', get('/sample/assets/equity:%ZZ')],
    ['an encoding that is no UTF-8', get('/sample/assets/equity:%FF')],
    ['an encoding that is cut off', get('/sample/board%2')],
    ['a fragment', get('/sample/board#x')],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a whole address that is none', get('http://[bad')],
    ['a whole address with brackets around no address', get('http://[1::2::3]/sample/board')],
    ['a whole address without a host', get('http:///sample/board')],
    ['a whole address whose port is none', get('http://x:70000/sample/board')],
    ['a whole address with a name and a password', get('http://a:b@x/sample/board')],
    ['a whole address in HTTP/1.0', 'GET http://[bad/sample/board HTTP/1.0\r\n\r\n'],
    ['a backslash', get('/sample\\board')],
    ['bytes beyond ASCII', Buffer.from(get('/sample/b\u00f6ard'), 'latin1')],
    ['an expectation that nobody knows', get('/sample/board', 'Expect: miracles\r\n')],
  ])('400 for %s', async (_what, text) => {
    expectWireRefusal(await running.say(text), 'bad_request');
  });

  test('a host is checked before kept bytes are served', async () => {
    expect((await running.say(get('/sample/board?limit=9')))?.status).toBe(200);
    expectWireRefusal(await running.say('GET /sample/board?limit=9 HTTP/1.1\r\n\r\n'), 'bad_request');
  });

  test('HTTP/1.0 without a host is answered and closed', async () => {
    const wire = (await running.wire()).say('GET /sample/board HTTP/1.0\r\n\r\n');
    const response = await wire.next();
    expect([response?.status, response?.headers.get('connection')]).toEqual([200, 'close']);
    expect(await wire.closed()).toBe(true);
  });

  test('an absolute address is the same as its path', async () => {
    const response = await running.say(get('http://other.example/sample/board?limit=3'));
    expect(response?.json()).toEqual({ frame: 1, limit: 3 });
    expect((await running.say(get('HTTP://[::1]:8700/sample/board')))?.status).toBe(200);
    expectWireRefusal(await running.say(get('http://other.example')), 'not_found');
  });

  test('414 for an address over 4,096 characters', async () => {
    const longest = `/sample/board?${'x'.repeat(4_096 - '/sample/board?'.length)}`;
    expectWireRefusal(await running.say(get(longest)), 'unknown_parameter');
    expectWireRefusal(await running.say(get(`${longest}x`)), 'uri_too_long');
    expectWireRefusal(await running.say(get(`/${'x'.repeat(100_000)}`)), 'uri_too_long');
  });

  test('431 for headers over 16 KiB or more than a hundred', async () => {
    expectWireRefusal(
      await running.say(get('/sample/board', `X: ${'y'.repeat(17_000)}\r\n`)),
      'headers_too_large',
    );
    const many = Array.from({ length: 101 }, (_, at) => `X-${at}: 1\r\n`).join('');
    expectWireRefusal(await running.say(get('/nothing', many)), 'headers_too_large');
    const flood = Array.from({ length: 100_000 }, (_, at) => `X-${at}: 1\r\n`).join('');
    expectWireRefusal(await running.say(get('/sample/board', flood)), 'headers_too_large');
  });
});

describe('pipelining', () => {
  test('answers come in the order of the questions, hot and cold mixed', async () => {
    const wire = await running.wire();
    const targets = [
      '/sample/board?limit=1',
      '/nothing',
      '/sample/board?limit=1',
      '/sample/typed',
      '/sample/board?limit=2',
    ];
    wire.say(targets.map((target) => get(target)).join(''));
    const statuses: (number | undefined)[] = [];
    for (const _ of targets) statuses.push((await wire.next())?.status);
    expect(statuses).toEqual([200, 404, 200, 200, 200]);
  });

  test('rubbish behind a good request does not take its place', async () => {
    const wire = await running.wire();
    wire.say(`${get('/sample/typed?interval=7')}rubbish\r\n\r\n`);
    const first = await wire.next();
    expect(first?.json()).toMatchObject({ input: { interval: 7 } });
    expect(await wire.closed()).toBe(true);
  });

  test('a connection ends after its share of requests', async () => {
    const short = await startSamples({ limits: { requestsPerSocket: 2 } });
    const wire = await short.wire();
    wire.say(get('/sample/typed').repeat(4));
    expect((await wire.next())?.headers.get('connection')).toBe('keep-alive');
    expect((await wire.next())?.headers.get('connection')).toBe('close');
    expect(await wire.next()).toBeNull();
    await short.stop();
  });
});
