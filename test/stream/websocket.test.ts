// The WebSocket over real sockets: every way to knock, what comes through, how it ends.
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { keySha256 } from '../../src/access/key-text.js';
import { PLAN_NAMES, PLANS } from '../../src/access/plans.js';
import { keyProtocol, SNAPSHOT_PROTOCOL } from '../../src/access/websocket-key.js';
import { LeaderboardFrame } from '../../src/contracts/attention/board.js';
import {
  LeaderboardHeartbeat,
  leaderboardSocket,
  STREAM_SCOPE,
} from '../../src/contracts/attention/stream.js';
import type { FailureCode } from '../../src/contracts/failures.js';
import { formatInstant, SECOND } from '../../src/kernel/instant.js';
import { expectWireRefusal } from '../http/harness.js';
import type { WireResponse } from '../http/wire.js';
import { protocolsOf, published, SocketReader, type Streaming, startStreaming } from './live-stage.js';

const PATH = leaderboardSocket.path;
let streaming: Streaming;
afterEach(async () => {
  await streaming.stop();
});

interface Knock {
  readonly target?: string;
  readonly method?: string;
  readonly protocols?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function handshake({ target = PATH, method = 'GET', protocols, headers = {} }: Knock): string {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${streaming.running.port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': protocols,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const knock = (how: Knock): Promise<WireResponse | null> => streaming.running.say(handshake(how));
const good = () => protocolsOf(streaming.key).join(', ');
const open = (query = '', options: Parameters<typeof SocketReader.open>[2] = {}) =>
  SocketReader.open(
    `ws://127.0.0.1:${streaming.running.port}${PATH}${query}`,
    protocolsOf(streaming.key),
    options,
  );

async function settled(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 5));
}
const openStreams = async () =>
  Number(
    /^leaderboard_streams_open (\d+)$/m.exec(
      await streaming.metrics.getSingleMetricAsString('leaderboard_streams_open'),
    )?.[1],
  );

describe('the handshake', () => {
  test.each([
    ['snapshot first', () => good()],
    ['key first', () => protocolsOf(streaming.key).reverse().join(', ')],
    ['no blanks', () => protocolsOf(streaming.key).join(',')],
  ])('succeeds with %s and says only the snapshot protocol back', async (_name, protocols) => {
    streaming = await startStreaming();
    const response = await knock({ protocols: protocols() });
    expect(response?.status).toBe(101);
    expect(response?.headers.get('sec-websocket-protocol')).toBe(SNAPSHOT_PROTOCOL);
    expect(response?.headers.get('sec-websocket-extensions')).toBeUndefined();
    expect(response?.text).not.toContain('barograph.key');
  });

  const encoded = () => keyProtocol(streaming.key);
  const refusals: [string, () => Knock, FailureCode][] = [
    ['no protocol', () => ({}), 'unauthorized'],
    ['the snapshot protocol alone', () => ({ protocols: SNAPSHOT_PROTOCOL }), 'unauthorized'],
    ['the key alone', () => ({ protocols: encoded() }), 'bad_request'],
    ['two keys', () => ({ protocols: `${good()}, ${keyProtocol('other')}` }), 'bad_request'],
    ['a third protocol', () => ({ protocols: `${good()}, chat` }), 'bad_request'],
    ['padding', () => ({ protocols: `${SNAPSHOT_PROTOCOL}, ${keyProtocol('a')}==` }), 'unauthorized'],
    // `YQ` and `YR` decode to the same byte; only the first is canonical.
    ['another spelling', () => ({ protocols: `${SNAPSHOT_PROTOCOL}, barograph.key.YR` }), 'unauthorized'],
    ['another prefix', () => ({ protocols: good().replace('barograph.key.', 'baro.key.') }), 'unauthorized'],
    ['an empty key', () => ({ protocols: `${SNAPSHOT_PROTOCOL}, barograph.key.` }), 'unauthorized'],
    ['an unknown key', () => ({ protocols: protocolsOf('nobody').join() }), 'unauthorized'],
    ['a very long offer', () => ({ protocols: protocolsOf('k'.repeat(1_000)).join() }), 'bad_request'],
    [
      'a key without the scope',
      () => ({ protocols: protocolsOf(streaming.poorKey).join() }),
      'insufficient_scope',
    ],
    [
      'another version',
      () => ({ protocols: good(), headers: { 'Sec-WebSocket-Version': '7' } }),
      'bad_request',
    ],
    ['no nonce', () => ({ protocols: good(), headers: { 'Sec-WebSocket-Key': 'short' } }), 'bad_request'],
    ['POST', () => ({ protocols: good(), method: 'POST' }), 'bad_request'],
    ['another path', () => ({ protocols: good(), target: '/v1/other' }), 'not_found'],
    ['limit 0', () => ({ protocols: good(), target: `${PATH}?limit=0` }), 'invalid_limit'],
    ['interval 301', () => ({ protocols: good(), target: `${PATH}?interval=301` }), 'invalid_interval'],
    ['a key in the address', () => ({ target: `${PATH}?api_key=${streaming.key}` }), 'unauthorized'],
    ['an unknown parameter', () => ({ protocols: good(), target: `${PATH}?key=1` }), 'unknown_parameter'],
  ];
  test.each(refusals)('with %s is refused in plain HTTP', async (_name, how, code) => {
    streaming = await startStreaming();
    const response = await knock(how());
    expectWireRefusal(response, code);
    expect(response?.text).not.toContain(streaming.key);
    expect(response?.text).not.toContain('barograph.key.Y');
    expect(await openStreams()).toBe(0);
  });

  test.each([
    ['https://evil.example', true],
    ['null', true],
    ['http://127.0.0.1:1', true],
    ['https://friend.example', false],
  ])('with origin %s is refused before the key is looked at: %s', async (origin, refused) => {
    let asked = 0;
    streaming = await startStreaming({ allowedOrigins: ['https://friend.example'] });
    const { keyring } = streaming;
    const authenticate = keyring.authenticate.bind(keyring);
    keyring.authenticate = (text) => {
      asked += 1;
      return authenticate(text);
    };
    const response = await knock({ protocols: good(), headers: { Origin: origin } });
    if (refused) expectWireRefusal(response, 'origin_not_allowed');
    expect([response?.status, asked]).toEqual(refused ? [403, 0] : [101, 1]);
    const reasons = streaming.audited.map((line) => (JSON.parse(line) as { reason: string }).reason);
    expect(reasons).toEqual(refused ? ['origin'] : []);
  });

  test('from our own page or from a program succeeds', async () => {
    streaming = await startStreaming();
    const own = await knock({ protocols: good(), headers: { Origin: streaming.running.url } });
    expect([own?.status, (await knock({ protocols: good() }))?.status]).toEqual([101, 101]);
  });

  test('is refused while there are no keys, and without an upgrade', async () => {
    streaming = await startStreaming();
    const plain = await fetch(`${streaming.running.url}${PATH}`);
    expect([plain.status, await plain.json()]).toMatchObject([400, { error: 'bad_request' }]);
    streaming.keyring.load(null);
    expectWireRefusal(await knock({ protocols: good() }), 'customer_api_not_configured');
  });

  test.each(PLAN_NAMES)('is refused beyond the streams of the plan %s', async (plan) => {
    streaming = await startStreaming({ plan });
    const most = PLANS[plan].concurrentStreams;
    const readers = await Promise.all(Array.from({ length: most }, () => open()));
    const response = await knock({ protocols: good() });
    expectWireRefusal(response, 'too_many_streams');
    expect(response?.headers.get('retry-after')).toBe('10');
    expect(JSON.parse(streaming.audited.at(-1)!)).toMatchObject({ event: 'ws.refused', reason: 'streams' });
    expect(streaming.audited.join('')).not.toContain('barograph.key');
    readers[0]!.ws.terminate();
    await settled(async () => (await openStreams()) === most - 1);
    expect((await open()).ws.protocol).toBe(SNAPSHOT_PROTOCOL);
  });

  test('is refused beyond the caps, and every way of closing frees the slot', async () => {
    streaming = await startStreaming({ limits: { perProcess: 3 } });
    const ends: ((reader: SocketReader) => void)[] = [
      (reader) => reader.ws.close(),
      (reader) => reader.ws.terminate(),
      (reader) => reader.ws.send('x'.repeat(2_000)),
    ];
    for (const end of ends) {
      const [first, second] = [await open(), await open()];
      expectWireRefusal(await knock({ protocols: good() }), 'too_many_streams');
      end(first);
      end(second);
      await Promise.all([first.end(), second.end()]);
      await settled(async () => (await openStreams()) === 0);
    }
    expect((await open()).ws.protocol).toBe(SNAPSHOT_PROTOCOL);
  });

  test('is refused when the process has no slot left', async () => {
    streaming = await startStreaming({ limits: { perProcess: 1 } });
    await open();
    const response = await knock({ protocols: good() });
    expectWireRefusal(response, 'streams_exhausted');
    expect(response?.headers.get('retry-after')).toBe('10');
  });

  test('counts as a call of the plan', async () => {
    streaming = await startStreaming();
    for (let n = 0; n < 60; n++) {
      const wire = (await streaming.running.wire()).say(handshake({ protocols: good() }));
      expect((await wire.next())?.status).toBe(101);
      wire.hangUp();
      await settled(async () => (await openStreams()) === 0);
    }
    expectWireRefusal(await knock({ protocols: good() }), 'rate_limited');
    expect(JSON.parse(streaming.audited.at(-1)!)).toMatchObject({ event: 'ws.refused', reason: 'limit' });
  });

  test('a flood of bad ones leaves the door open for good ones', async () => {
    streaming = await startStreaming();
    const flood = await Promise.all(
      Array.from({ length: 300 }, (_, n) => knock({ protocols: protocolsOf(`nobody-${n}`).join() })),
    );
    expect(new Set(flood.map((response) => response?.status))).toEqual(new Set([401]));
    expect(await openStreams()).toBe(0);
    expect((await knock({ protocols: good() }))?.status).toBe(101);
    expect(streaming.audited.length).toBeLessThanOrEqual(300);
  });

  test('is recorded without the key', async () => {
    const events: object[] = [];
    streaming = await startStreaming({ record: (event) => events.push(event) });
    await knock({ protocols: protocolsOf('nobody').join(), target: `${PATH}?limit=7` });
    const reader = await open();
    reader.ws.close();
    await reader.end();
    await settled(() => events.length === 2);
    expect(events).toMatchObject([
      { route: PATH, status: 401, error: 'unauthorized' },
      { route: PATH, status: 101 },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/barograph\.key|limit=7/);
    expect(await streaming.metrics.getSingleMetricAsString('barograph_refusals_total')).toContain(
      '{code="unauthorized"} 1',
    );
    expect(streaming.audited).toHaveLength(1);
    expect(JSON.parse(streaming.audited[0]!)).toMatchObject({ event: 'ws.refused', reason: 'unknown' });
  });
});

describe('a stream', () => {
  test('begins with a snapshot, suppresses, beats, and sends the newest', async () => {
    streaming = await startStreaming();
    const { live, rhythm } = streaming;
    const reader = await open('?limit=7&interval=2');
    const first = await reader.next();
    expect(LeaderboardFrame.parse(first)).toMatchObject({ event: 'snapshot', seq: 1 });
    expect(first?.leaderboard).toHaveLength(7);
    live.publish(published(2, 1));
    rhythm.turn(2.3);
    expect(LeaderboardHeartbeat.parse(await reader.next()).seq).toBe(2);
    live.publish(published(3));
    live.publish(published(4));
    expect((await reader.next())?.seq).toBe(3);
    rhythm.turn(2);
    expect((await reader.next())?.seq).toBe(4);
  });

  test('closes 4401 as soon as the key is gone, at the latest with the next heartbeat', async () => {
    streaming = await startStreaming();
    const reader = await open('?interval=5');
    await reader.next();
    streaming.revoke();
    streaming.rhythm.turn(5.5);
    expect(await reader.end()).toEqual({ code: 4401, reason: 'the key has ended' });
    await settled(async () => (await openStreams()) === 0);
  });

  test('closes when the keys change, without waiting', async () => {
    let changed: () => void = () => undefined;
    streaming = await startStreaming({
      onKeysChange: (listener) => {
        changed = listener;
      },
    });
    const reader = await open('?interval=300');
    await reader.next();
    streaming.revoke();
    changed();
    expect((await reader.end()).code).toBe(4401);
  });

  test('of an old key ends with the overlap of its rotation; that of the new key goes on', async () => {
    let review: () => void = () => undefined;
    streaming = await startStreaming({
      onKeysChange: (listener) => {
        review = listener;
      },
    });
    const { keyring, live, running, key, poorKey } = streaming;
    keyring.onChange(() => review());
    const end = live.latest!.header.at + 10 * SECOND;
    const record = (id: string, text: string, more: object) => ({
      id,
      key_sha256: keySha256(text),
      scopes: [STREAM_SCOPE],
      ...more,
    });
    const keys = [
      record('old', key, { expires_at: formatInstant(end) }),
      record('new', poorKey, { replaces: 'old' }),
    ];
    keyring.load(JSON.stringify({ keys }));
    const old = await open('?interval=300');
    const next = await SocketReader.open(`ws://127.0.0.1:${running.port}${PATH}`, protocolsOf(poorKey));
    await Promise.all([old.next(), next.next()]);
    live.latest = published(2);
    keyring.tick();
    expect((await old.end()).code).toBe(4401);
    expect(next.closed).toBeNull();
    expectWireRefusal(await knock({ protocols: good() }), 'unauthorized');
  });

  test('overlooks a few words, closes 1008 on many and 1009 on long ones', async () => {
    streaming = await startStreaming();
    const [chatty, long] = [await open(), await open()];
    await chatty.next();
    for (let n = 0; n < 3; n++) chatty.ws.send('hello');
    streaming.live.publish(published(2));
    streaming.rhythm.turn(6);
    expect((await chatty.next())?.seq).toBe(2);
    for (let n = 0; n < 10; n++) chatty.ws.send('hello');
    long.ws.send('x'.repeat(1_025));
    expect([(await chatty.end()).code, (await long.end()).code]).toEqual([1008, 1009]);
  });

  test('pings every 25 seconds and ends who leaves two unanswered', async () => {
    streaming = await startStreaming();
    const [alive, dead] = [await open('?interval=300'), await open('?interval=300', { autoPong: false })];
    for (let n = 1; n <= 3; n++) {
      streaming.rhythm.turn(25);
      await alive.until(() => alive.pings === n);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await dead.end()).code).toBe(1006);
    expect(dead.pings).toBe(2);
    expect(alive.closed).toBeNull();
  });

  test('closes 1001 when the process stops, and the server can then stop at once', async () => {
    streaming = await startStreaming();
    const reader = await open();
    await reader.next();
    const startedAt = performance.now();
    await streaming.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await reader.end()).toEqual({ code: 1001, reason: 'this process is stopping' });
  });

  test('is taken from a reader that stalls for 30 seconds, and costs one frame meanwhile', async () => {
    streaming = await startStreaming({ plan: 'operator' });
    const { live, rhythm, running } = streaming;
    const slow = await Promise.all(
      Array.from(
        { length: 20 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect({ port: running.port, host: '127.0.0.1' });
            socket.pause();
            socket.on('error', () => undefined);
            socket.write(handshake({ target: `${PATH}?limit=100&interval=1`, protocols: good() }));
            socket.once('connect', () => resolve(socket));
          }),
      ),
    );
    const quick = await open('?limit=100&interval=1');
    await settled(async () => (await openStreams()) === 21);
    const frames = [published(2), published(3)];
    for (let n = 4; n < 1_000 && (await openStreams()) > 1; n++) {
      rhythm.turn(1);
      // They answer pings that they have not read, so that it is not these that end them; at every turn, since the clock
      // turns faster than a busy machine carries their answers.
      for (const socket of slow) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
      const { header, ...rest } = frames[n % 2]!;
      live.publish({ ...rest, header: { ...header, sequence: n } });
      // The clock turns no faster than the quick reader reads: on a busy machine it would be taken for a slow one.
      await quick.next();
    }
    expect(await openStreams()).toBe(1);
    expect(quick.closed).toBeNull();
    // Whoever reads on at last finds out why.
    const rest = await new Promise<Buffer>((resolve) => {
      const chunks: Buffer[] = [];
      slow[0]!.on('data', (chunk) => chunks.push(chunk));
      slow[0]!.once('close', () => resolve(Buffer.concat(chunks)));
      slow[0]!.resume();
    });
    const reason = 'the reader was too slow';
    expect(rest.subarray(-(reason.length + 4)).toString('latin1')).toBe(
      String.fromCharCode(0x88, reason.length + 2, 1013 >> 8, 1013 & 0xff) + reason,
    );
    for (const socket of slow) socket.destroy();
  });
});
