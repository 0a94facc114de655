// Errors from inside: told to the log, never to the caller; and nothing of a request ever comes back in a refusal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply } from '../../src/surfaces/http/reply.js';
import { expectRefusal, expectWireRefusal, GOOD_KEY, type Running, startSamples } from './harness.js';
import { SECRET_TEXT } from './sample-operations.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples({
    before: (target) =>
      target.startsWith('/retired/')
        ? { route: '/retired/{any}', reply: reply({ status: 410, body: 'gone' }) }
        : null,
  });
});
afterAll(() => running.stop());

describe('what is thrown', () => {
  test.each(['error', 'text', 'nothing'])('%s: 500 to the caller, the cause to the log', async (how) => {
    const response = await fetch(`${running.url}/sample/broken/${how}`);
    const text = await response.text();
    expectRefusal(response.status, JSON.parse(text), 'internal_error');
    expect(text).not.toContain('swordfish');
    const event = running.events.at(-1);
    expect(event).toMatchObject({ route: '/sample/broken/{how}', status: 500, error: 'internal_error' });
    expect(event?.request_id).toBe(response.headers.get('x-request-id'));
    expect(event?.cause).toContain(how === 'nothing' ? 'TypeError' : SECRET_TEXT);
  });

  test('a Failure: its code, its wait, its cause only in the log', async () => {
    const response = await fetch(`${running.url}/sample/broken/failure`);
    const body = (await response.json()) as Record<string, unknown>;
    expectRefusal(response.status, body, 'archive_unavailable');
    expect([response.headers.get('retry-after'), body['retry_after_s']]).toEqual(['9', 9]);
    expect(running.events.at(-1)?.cause).toContain(SECRET_TEXT);
  });

  test('an answer with a status of its own, and a wait where that is 503', async () => {
    const response = await fetch(`${running.url}/sample/broken/unready`);
    expect([response.status, await response.json()]).toEqual([503, { ready: false }]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('what answers before everything else is logged and needs no well-formed request', async () => {
  const response = await running.say('GET /retired/%ZZ HTTP/1.1\r\n\r\n');
  expect([response?.status, response?.body]).toEqual([410, 'gone']);
  await expect.poll(() => running.events.at(-1)).toMatchObject({ route: '/retired/{any}', status: 410 });
});

const MARK = 'zq7marker';
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (body: string, headers = 'Content-Type: application/json\r\n', query = '') =>
  `POST /sample/batch${query} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test.each([
  ['an unknown path', get(`/${MARK}`)],
  ['an unknown parameter', get(`/sample/board?${MARK}=1`)],
  ['a value', get(`/sample/board?limit=${MARK}`)],
  ['a value twice', get(`/sample/board?limit=${MARK}&limit=${MARK}`)],
  ['an instant', get(`/sample/assets/equity:A?as_of=${MARK}`)],
  ['a ticker', get(`/sample/assets/equity:${MARK}${MARK}`)],
  ['a choice', get(`/sample/typed?grade=${MARK}`)],
  ['a list', get(`/sample/typed?channels=${MARK}`)],
  ['a bad encoding', get(`/%ZZ${MARK}`)],
  ['a long address', get(`/${MARK.repeat(1_000)}`)],
  ['a request id', get('/nothing', `X-Request-Id: ${MARK}\r\n`)],
  ['a key', get('/sample/secret', `X-API-Key: ${MARK}\r\n`)],
  ['an expectation', get('/sample/board', `Expect: ${MARK}\r\n`)],
  ['a host', `GET /nothing HTTP/1.1\r\nHost: ${MARK}/\r\n\r\n`],
  ['large headers', get('/nothing', `X-A: ${MARK.repeat(3_000)}\r\n`)],
  ['a header that is none', get('/nothing', `${MARK} ${MARK}\r\n`)],
  ['no HTTP', `${MARK}\r\n\r\n`],
  ['a method', `${MARK.toUpperCase()} / HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a version', `GET / HTTP/${MARK}\r\n\r\n`],
  ['a tunnel', `CONNECT ${MARK}:443 HTTP/1.1\r\nHost: ${MARK}:443\r\n\r\n`],
  ['a body that is no JSON', post(`{"${MARK}": ${MARK}`)],
  ['a member of a body', post(`{"tickers":["A"],"${MARK}":1}`)],
  ['a value of a body', post(`{"tickers":["${MARK}${MARK}"]}`)],
  ['a media type', post('{}', `Content-Type: text/${MARK}\r\n`)],
  ['a parameter beside a body', post('{}', 'Content-Type: application/json\r\n', `?${MARK}=1`)],
  [
    'a chunk',
    `POST /sample/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${MARK}`,
  ],
])('nothing comes back of %s', async (_what, text) => {
  const response = await running.say(text);
  expect(response?.status).toBeGreaterThanOrEqual(400);
  expect(response?.text.toLowerCase()).not.toContain(MARK);
  expect(JSON.stringify(running.events).toLowerCase()).not.toContain(MARK);
});

describe('other protocols', () => {
  const upgrade = (protocol: string, method = 'GET') =>
    `${method} /sample/typed HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;

  test('are ignored where nobody takes them', async () => {
    expect((await running.say(upgrade('websocket')))?.status).toBe(200);
  });

  test('only WebSocket is handed over; an offer of HTTP/2 gets its plain answer', async () => {
    const taken: string[] = [];
    const other = await startSamples({
      upgrade(req, socket) {
        taken.push(req.headers['x-api-key'] === GOOD_KEY ? 'keyed' : 'plain');
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      },
    });
    expect((await other.say(upgrade('WebSocket')))?.status).toBe(400);
    expect(taken).toEqual(['plain']);
    const wire = (await other.wire()).say(upgrade('h2c'));
    const plain = await wire.next();
    expect([plain?.status, plain?.headers.get('connection')]).toEqual([200, 'close']);
    expect(await wire.closed()).toBe(true);
    expectWireRefusal(await other.say(upgrade('h2c', 'POST')), 'bad_request');
    await other.stop();
  });
});
