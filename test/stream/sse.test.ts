// The event stream over real sockets: head, frames, resume, refusals, caps, slow readers, the end.
import { connect } from 'node:net';
import { EventSource } from 'eventsource';
import { afterEach, describe, expect, test } from 'vitest';
import { LeaderboardFrame } from '../../src/contracts/attention/board.js';
import { LeaderboardHeartbeat, leaderboardStream } from '../../src/contracts/attention/stream.js';
import { expectRefusal, expectWireRefusal } from '../http/harness.js';
import { published, SseReader, type Streaming, startStreaming } from './live-stage.js';

const PATH = leaderboardStream.path;
let streaming: Streaming;
afterEach(async () => {
  await streaming.stop();
});

const open = (query = '', headers: Record<string, string> = {}) =>
  SseReader.open(`${streaming.running.url}${PATH}${query}`, headers);

async function settled(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a stream', () => {
  test('begins with a jittered retry and a snapshot that keeps the contract', async () => {
    streaming = await startStreaming();
    const reader = await open('?limit=5');
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-barograph-policy': '/v1/api-scope',
    });
    expect(reader.response.headers['access-control-allow-origin']).toBeUndefined();
    expect(await reader.block()).toMatch(/^retry: [2-4]\d{3}$/);
    const first = await reader.next();
    expect(first).toMatchObject({ id: '1', event: 'snapshot' });
    expect(LeaderboardFrame.parse(first?.data).leaderboard).toHaveLength(5);
  });

  test('sends what changes, suppresses what does not, and beats in between', async () => {
    streaming = await startStreaming();
    const { live, rhythm } = streaming;
    const reader = await open('?limit=10&interval=2');
    expect((await reader.next())?.data.seq).toBe(1);
    live.publish(published(2, 1));
    rhythm.turn(2.3);
    const beat = await reader.next();
    expect(beat).toMatchObject({ id: null, event: 'heartbeat', data: { event: 'heartbeat', seq: 2 } });
    LeaderboardHeartbeat.parse(beat?.data);
    live.publish(published(3));
    expect(await reader.next()).toMatchObject({ id: '3', event: 'snapshot', data: { seq: 3 } });
    live.publish(published(4));
    live.publish(published(5));
    rhythm.turn(2);
    expect(await reader.next()).toMatchObject({ event: 'snapshot', data: { seq: 5 } });
  });

  test('goes on where the client stood', async () => {
    streaming = await startStreaming();
    const same = await open('', { 'Last-Event-ID': '1' });
    expect((await same.next())?.event).toBe('heartbeat');
    for (const id of ['0', '2', 'x', '', '1 OR 1', '9'.repeat(40)]) {
      const reader = await open('', { 'Last-Event-ID': id });
      expect((await reader.next())?.event).toBe('snapshot');
      reader.hangUp();
    }
  });

  test('can be read by an EventSource, which comes back by itself', async () => {
    streaming = await startStreaming();
    const source = new EventSource(`${streaming.running.url}${PATH}?limit=3`);
    const event = await new Promise<MessageEvent>((resolve) => source.addEventListener('snapshot', resolve));
    source.close();
    expect(event.lastEventId).toBe('1');
    expect(LeaderboardFrame.parse(JSON.parse(String(event.data))).leaderboard).toHaveLength(3);
  });

  test('answers HEAD without beginning', async () => {
    streaming = await startStreaming();
    const response = await fetch(`${streaming.running.url}${PATH}`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });

  test('looks at no key, good or bad', async () => {
    streaming = await startStreaming();
    const reader = await open('', { 'X-API-Key': 'nonsense', Cookie: 'a=b' });
    expect((await reader.next())?.event).toBe('snapshot');
  });
});

describe('refused', () => {
  test.each([
    ['limit=0', 'invalid_limit'],
    ['limit=101', 'invalid_limit'],
    ['limit=ten', 'invalid_limit'],
    ['limit=5&limit=6', 'invalid_limit'],
    ['interval=0', 'invalid_interval'],
    ['interval=301', 'invalid_interval'],
    ['interval=1.5', 'invalid_interval'],
    ['key=abc', 'unknown_parameter'],
    ['url=http://example.org', 'unknown_parameter'],
  ] as const)('?%s is %s', async (query, code) => {
    streaming = await startStreaming();
    const response = await fetch(`${streaming.running.url}${PATH}?${query}`);
    expectRefusal(response.status, await response.json(), code);
  });

  test.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ Origin: 'http://127.0.0.1:1' }],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }],
  ])('a page of another site: %o', async (headers) => {
    streaming = await startStreaming();
    const { port } = streaming.running;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const response = await streaming.running.say(
      `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`,
    );
    expectWireRefusal(response, 'origin_not_allowed');
    expect(JSON.parse(streaming.audited[0]!)).toMatchObject({ event: 'stream.refused', reason: 'origin' });
  });

  test('a page of a listed origin is let in, and may read', async () => {
    streaming = await startStreaming({ allowedOrigins: ['https://friend.example'] });
    const headers = { Origin: 'https://friend.example', 'Sec-Fetch-Site': 'cross-site' };
    const reader = await open('', headers);
    expect(reader.response.headers['access-control-allow-origin']).toBe('https://friend.example');
    expect(reader.response.headers['vary']).toBe('Origin');
    expect((await reader.next())?.event).toBe('snapshot');
  });

  test('our own pages and people at the address bar are let in', async () => {
    streaming = await startStreaming();
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin', Origin: streaming.running.url },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      const reader = await open('', headers);
      expect((await reader.next())?.event).toBe('snapshot');
      reader.hangUp();
    }
  });

  test('more streams than an address or the process may have, until one is closed', async () => {
    streaming = await startStreaming({ limits: { perAddress: 2, perProcess: 100 } });
    const [first] = [await open(), await open()];
    const third = await fetch(`${streaming.running.url}${PATH}`);
    expectRefusal(third.status, await third.json(), 'too_many_streams');
    expect(third.headers.get('retry-after')).toBe('10');
    expect(JSON.parse(streaming.audited[0]!)).toMatchObject({ event: 'stream.refused', reason: 'streams' });
    first!.hangUp();
    await settled(() => openStreams() === 1);
    expect((await (await open()).next())?.event).toBe('snapshot');
    await streaming.stop();
    streaming = await startStreaming({ limits: { perProcess: 1 } });
    await open();
    const full = await fetch(`${streaming.running.url}${PATH}`);
    expectRefusal(full.status, await full.json(), 'streams_exhausted');
  });
});

/** The number that the metrics show. */
let shown = Number.NaN;
function openStreams(): number {
  void streaming.metrics.getSingleMetricAsString('leaderboard_streams_open').then((text) => {
    shown = Number(/^leaderboard_streams_open (\d+)$/m.exec(text)?.[1]);
  });
  return shown;
}

describe('slow readers', () => {
  test('cost one shared frame each, and are cut after 30 seconds; the others hear everything', async () => {
    streaming = await startStreaming({ limits: { perAddress: 1_000 } });
    const { live, rhythm, running } = streaming;
    const slow = await Promise.all(
      Array.from(
        { length: 50 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect({ port: running.port, host: '127.0.0.1' });
            socket.pause();
            socket.write(`GET ${PATH}?limit=100&interval=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
            socket.on('error', () => undefined);
            socket.once('connect', () => resolve(socket));
          }),
      ),
    );
    const quick = await open('?limit=100&interval=1');
    await settled(() => openStreams() === 51);
    let heard = 0;
    const listening = (async () => {
      while ((await quick.next()) !== null) heard += 1;
    })();
    const frames = [published(2), published(3)];
    for (const frame of frames) live.publish(frame);
    const before = process.memoryUsage();
    for (let n = 4; n < 700 && openStreams() > 1; n++) {
      rhythm.turn(1);
      const { header, ...rest } = frames[n % 2]!;
      live.publish({ ...rest, header: { ...header, sequence: n } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settled(() => openStreams() === 1);
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(32e6);
    expect(heard).toBeGreaterThan(100);
    for (const socket of slow) socket.destroy();
    quick.hangUp();
    await listening;
  });
});

describe('the end', () => {
  test('is announced, and the server can then stop at once', async () => {
    streaming = await startStreaming();
    const reader = await open();
    await reader.next();
    const startedAt = performance.now();
    await streaming.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await reader.block()).toMatch(/^retry: \d{4}\n: this process is stopping$/);
    expect(await reader.block()).toBeNull();
  });

  test('of a client is noticed, whoever hangs up', async () => {
    streaming = await startStreaming();
    const readers = await Promise.all(Array.from({ length: 5 }, () => open()));
    await settled(() => openStreams() === 5);
    for (const reader of readers) reader.hangUp();
    await settled(() => openStreams() === 0);
    expect(streaming.running.events.filter(({ route }) => route === PATH)).toHaveLength(5);
  });
});
