// Bodies: what is read, what is refused, and that a refused upload leaves no broken connection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, expectWireRefusal, type Running, startSamples } from './harness.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples();
});
afterAll(() => running.stop());

const JSON_HEADERS = { 'content-type': 'application/json' };

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = JSON_HEADERS,
) {
  const response = await fetch(running.url + path, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const head = (headers: string, path = '/sample/batch') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const GOOD = '{"tickers":["nvda","brk-b"]}';

describe('a body that is taken', () => {
  test('whole, in chunks, with a charset', async () => {
    expect((await post('/sample/batch', GOOD)).body).toEqual({ results: ['NVDA', 'BRK.B'] });
    const charset = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await post('/sample/batch', GOOD, charset)).status).toBe(200);
    const pieces = GOOD.split('').map(chunk).join('');
    const chunked = await running.say(`${head('Transfer-Encoding: chunked\r\n')}${pieces}0\r\n\r\n`);
    expect(chunked?.json()).toEqual({ results: ['NVDA', 'BRK.B'] });
  });

  test('after 100 Continue', async () => {
    const wire = await running.wire();
    wire.say(head(`Expect: 100-continue\r\nContent-Length: ${GOOD.length}\r\n`));
    expect((await wire.next())?.status).toBe(100);
    expect((await wire.say(GOOD).next())?.status).toBe(200);
  });

  test('together with a parameter of the path', async () => {
    expect((await post('/sample/notes/12', '{"grade":"low"}')).body).toEqual({ note_id: 12, grade: 'low' });
  });

  test('up to 64 KiB', async () => {
    const padded = GOOD.padEnd(64 * 1024, ' ');
    expect((await post('/sample/batch', padded)).status).toBe(200);
  });
});

describe('a body that is refused', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{"tickers":'],
    ['JSON twice', '{}{}'],
    ['a list', '["NVDA"]'],
    ['null', 'null'],
    ['a text', '"NVDA"'],
    ['no member', '{}'],
    ['a wrong type', '{"tickers":"NVDA"}'],
    ['too many', '{"tickers":["A","B","C","D"]}'],
    ['very deep', `${'['.repeat(30_000)}`],
  ])('invalid_body for %s', async (_what, body) => {
    const answer = await post('/sample/batch', body);
    expectRefusal(answer.status, answer.body, 'invalid_body');
  });

  test.each([
    ['text that is none', '{"tickers":["NVDA","not a ticker"]}'],
    ['a long text', '{"tickers":["NVDANVDANVDANVDANVDA"]}'],
    ['a number', '{"tickers":[5]}'],
  ])('invalid_ticker for %s among tickers', async (_what, body) => {
    const answer = await post('/sample/batch', body);
    expectRefusal(answer.status, answer.body, 'invalid_ticker');
  });

  test('bytes that are no UTF-8', async () => {
    const answer = await post('/sample/batch', new Uint8Array([0x7b, 0xff, 0x7d]));
    expectRefusal(answer.status, answer.body, 'invalid_body');
  });

  test.each([
    ['at the top', '{"tickers":["NVDA"],"tickers":["GME"]}'],
    ['under another spelling', '{"tickers":["NVDA"],"tick\\u0065rs":["GME"]}'],
    ['further down', '{"tickers":["NVDA"],"extra":{"a":1,"a":1}}'],
  ])('a member that is named twice %s', async (_where, body) => {
    const answer = await post('/sample/batch', body);
    expectRefusal(answer.status, answer.body, 'invalid_body');
    expect(answer.body['message']).toBe('The body names a member twice.');
  });

  test('the member decides the code', async () => {
    const limit = await post('/sample/batch', '{"tickers":["A"],"limit":"5"}');
    expectRefusal(limit.status, limit.body, 'invalid_limit');
    const unknown = await post('/sample/batch', '{"tickers":["A"],"extra":1}');
    expectRefusal(unknown.status, unknown.body, 'unknown_parameter');
    const prototype = await post('/sample/batch', '{"tickers":["A"],"__proto__":{"limit":3}}');
    expectRefusal(prototype.status, prototype.body, 'unknown_parameter');
    const inAddress = await post('/sample/batch?limit=5', GOOD);
    expectRefusal(inAddress.status, inAddress.body, 'unknown_parameter');
    const ofPath = await post('/sample/notes/0', '{"grade":"low"}');
    expectRefusal(ofPath.status, ofPath.body, 'invalid_parameter');
    const twice = await post('/sample/notes/12', '{"grade":"low","note_id":13}');
    expectRefusal(twice.status, twice.body, 'unknown_parameter');
  });

  test.each([
    ['none', {}],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['something like JSON', { 'content-type': 'application/jsonp' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('415 for a media type that is %s', async (_what, headers) => {
    const answer = await post('/sample/batch', new TextEncoder().encode(GOOD), headers);
    expectRefusal(answer.status, answer.body, 'unsupported_media_type');
  });

  test('413 by the declared length, before the body is there', async () => {
    const wire = await running.wire();
    expectWireRefusal(
      await wire.say(head(`Content-Length: ${64 * 1024 + 1}\r\n`)).next(),
      'payload_too_large',
    );
  });

  test('413 for three megabytes, and the connection stays usable', async () => {
    const wire = await running.wire();
    wire.say(head(`Content-Length: ${3 * 1024 * 1024}\r\n`)).say(Buffer.alloc(3 * 1024 * 1024, 0x20));
    expectWireRefusal(await wire.next(), 'payload_too_large');
    expect((await wire.say(head(`Content-Length: ${GOOD.length}\r\n`) + GOOD).next())?.status).toBe(200);
  });

  test('413 for endless chunks without a length, and the connection ends', async () => {
    const wire = await running.wire();
    wire.say(head('Transfer-Encoding: chunked\r\n'));
    const pouring = setInterval(() => wire.say(chunk(' '.repeat(32 * 1024))), 2);
    expectWireRefusal(await wire.next(), 'payload_too_large');
    await wire.closed();
    clearInterval(pouring);
  });

  test('400 for a chunk that is none, 413 for endless chunk extensions', async () => {
    const bad = await running.say(`${head('Transfer-Encoding: chunked\r\n')}zz\r\n`);
    expectWireRefusal(bad, 'bad_request');
    const extended = await running.say(
      `${head('Transfer-Encoding: chunked\r\n')}1;${'x'.repeat(20_000)}\r\n`,
    );
    expectWireRefusal(extended, 'payload_too_large');
  });

  test('405 and 404 do not wait for a body', async () => {
    expectWireRefusal(
      await running.say(head('Content-Length: 99999999\r\n', '/sample/board')),
      'method_not_allowed',
    );
    expectWireRefusal(await running.say(head('Content-Length: 99999999\r\n', '/nothing')), 'not_found');
  });
});
