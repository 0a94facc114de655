// The whole service with real keys, spoken to in every way: no key, hash or subprotocol comes out anywhere.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { keySha256, makeKey } from '../../src/access/key-text.js';
import { SCOPE_NAMES } from '../../src/access/scopes.js';
import { keyProtocol, SNAPSHOT_PROTOCOL } from '../../src/access/websocket-key.js';
import { readConfig } from '../../src/app/config.js';
import { type Served, serve } from '../../src/app/serve.js';
import { FEEDS } from '../../src/contracts/feeds.js';
import { type Operation, pathParameters } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { REPLACEMENT, RETIRED_ROUTES } from '../../src/contracts/research/retired.js';
import { formatInstant, SECOND, systemClock } from '../../src/kernel/instant.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { Wire } from '../http/wire.js';
import { frameOf, randomRow, seeded } from '../ports/samples.js';
import { installed, redisBinary } from '../servers/installed.js';
import { removeFolder, temporaryFolder } from '../servers/processes.js';
import { type RedisServer, startRedis } from '../servers/redis.js';
import { SseReader } from '../stream/live-stage.js';

const keys = {
  good: makeKey('live').text,
  poor: makeKey('test').text,
  ended: makeKey('live').text,
  stranger: makeKey('live').text,
};

/** Every form in which a key could travel. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const digest = keySha256(text);
  return [
    text,
    text.slice(-38),
    encodeURIComponent(text),
    keyProtocol(text).slice('barograph.key.'.length),
    bytes.toString('base64'),
    bytes.toString('hex'),
    digest,
    digest.toUpperCase(),
    Buffer.from(digest, 'hex').toString('base64'),
    Buffer.from(digest, 'hex').toString('base64url'),
  ];
}

describe.skipIf(!installed('Redis', redisBinary()))('secrets', () => {
  const folder = temporaryFolder('secrets');
  const said: string[] = [];
  let redis: RedisServer;
  let served: Served;
  let port: number;

  beforeAll(async () => {
    redis = await startRedis();
    const record = (id: string, text: string, more: object = {}) => ({
      id,
      key_sha256: keySha256(text),
      customer_id: 'acme',
      plan: 'operator',
      scopes: SCOPE_NAMES,
      ...more,
    });
    const records = [
      record('good', keys.good),
      record('poor', keys.poor, { scopes: [] }),
      record('ended', keys.ended, { expires_at: formatInstant(systemClock() - SECOND) }),
      record('twin', makeKey('live').text),
      record('twin', makeKey('live').text),
    ];
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: records }));
    const writer = await sqliteStore({
      file: join(folder, 'archive.sqlite'),
      clock: systemClock,
    }).openWriter();
    const random = seeded(1);
    await writer.assignSlots(Array.from({ length: 5 }, (_, slot) => `T${slot}`));
    const rows = Array.from({ length: 5 }, (_, slot) => ({
      ...randomRow(random, slot, `T${slot}`),
      rank: slot + 1,
      state: 'ranked' as const,
      density: 10 - slot,
    }));
    await writer.appendFrame(frameOf(systemClock() - SECOND, rows), [], []);
    await writer.close();
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    }
    const config = readConfig({
      BAROGRAPH_DATA: folder,
      BAROGRAPH_PORT: '0',
      BAROGRAPH_ROLE: 'api',
      BAROGRAPH_REDIS: redis.url,
      BAROGRAPH_ORIGINS: 'https://friend.example',
    });
    served = await serve(config, pino({ level: 'trace' }, { write: (line: string) => said.push(line) }));
    port = Number(new URL(served.url!).port);
  });
  afterAll(async () => {
    await served?.stop();
    vi.restoreAllMocks();
    await redis?.stop();
    removeFolder(folder);
  });

  const hear = async (target: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(served.url + target, init);
    said.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };

  it.each(Object.entries(keys))('go in by every operation with the %s key', async (name, key) => {
    const statuses = new Set<number>();
    for (const operation of Object.values<Operation>(OPERATIONS)) {
      const example = operation.example as Record<string, unknown>;
      const path = operation.path.replace(/\{(\w+)\}/g, (_, one: string) => String(example[one]));
      const rest = Object.entries(example).filter(([one]) => !pathParameters(operation.path).includes(one));
      const sent =
        operation.method === 'GET'
          ? {}
          : { method: operation.method, body: JSON.stringify(Object.fromEntries(rest)) };
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      statuses.add(await hear(path, { ...sent, headers }));
    }
    if (name === 'stranger' || name === 'ended') expect(statuses).toContain(401);
    if (name === 'poor') expect(statuses).toContain(403);
    expect(statuses).toContain(200);
  });

  it.each(Object.entries(keys))('go in where they do not belong: the %s key', async (_name, key) => {
    await hear(`/v1/bot-feed/signals?api_key=${key}`);
    await hear(`/v1/bot-feed/signals?limit=${key}`, { headers: { 'X-API-Key': key } });
    await hear(`/v1/snapshot/ticker/${key}`);
    await hear(`/${key}`);
    await hear(`/api/research/v1/dossiers/${key}`, { headers: { 'X-API-Key': key } });
    await hear(`/v1/check/batch`, { method: 'POST', body: key, headers: { 'X-API-Key': key } });
    for (const params of [
      { name: 'attention_bot_feed', arguments: {} },
      { name: key, arguments: { key } },
    ]) {
      await hear('/mcp/attention', {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        headers: {
          'X-API-Key': key,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
      });
    }
    await hear('/v1/bot-feed/signals', {
      headers: { Authorization: `Bearer ${key}`, Cookie: `key=${key}`, Referer: `http://x/?key=${key}` },
    });
    await hear('/v1/bot-feed/signals', { headers: { 'X-API-Key': `${key}, ${key}` } });
    await hear('/v1/bot-feed/signals', { headers: { Origin: `https://${key}.example`, 'X-API-Key': key } });
    for (const text of [
      `GET /${key} HTTP/9.9\r\n\r\n`,
      `${key}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${key}\r\nX-API-Key: ${key}\r\nBad Header\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}${'x'.repeat(20_000)}\r\n\r\n`,
      `GET /api/research/v1/dossiers/${key}\0 HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`,
    ]) {
      const wire = (await Wire.open(port)).say(text);
      said.push((await wire.next())?.text ?? '');
      wire.hangUp();
    }
  });

  it.each(Object.entries(keys))('go in by every stream with the %s key', async (name, key) => {
    for (const { path, wire } of Object.values(FEEDS)) {
      if (wire === 'sse') {
        const reader = await SseReader.open(`${served.url}${path}`, { 'X-API-Key': key });
        said.push(JSON.stringify(reader.response.headers), (await reader.block()) ?? '');
        reader.hangUp();
        continue;
      }
      const protocols = [keyProtocol(key), SNAPSHOT_PROTOCOL];
      const opened = await new Promise<boolean>((resolve) => {
        const socket = new WebSocket(`${served.url!.replace('http', 'ws')}${path}`, protocols);
        socket.on('upgrade', ({ headers }) => said.push(JSON.stringify(headers)));
        socket.on('unexpected-response', (_req, response) => {
          said.push(JSON.stringify(response.headers));
          response.on('data', (chunk) => said.push(String(chunk)));
          response.on('end', () => resolve(false));
        });
        socket.on('message', (data: Buffer) => {
          said.push(data.toString());
          socket.close();
        });
        socket.on('close', (_code, reason) => {
          said.push(String(reason));
          resolve(true);
        });
      });
      expect(opened).toBe(name === 'good');
    }
  });

  it('go in while the limiter is down, too, and readiness says so', async () => {
    for (const line of (await redis.ask('KEYS *')).split('\r\n')) {
      if (!line.startsWith('barograph')) continue;
      said.push(line, await redis.ask(`HGETALL ${line}`));
    }
    await redis.kill();
    expect(await hear('/v1/bot-feed/signals', { headers: { 'X-API-Key': keys.good } })).toBe(503);
    expect(await hear('/health')).toBe(503);
    expect(said.at(-1)).toContain('"counters":{"state":"down"');
    for (const { path } of RETIRED_ROUTES) expect(await hear(path.replace(/\{\w+\}/, keys.good))).toBe(410);
    expect(await hear('/v1/core-kpis', { headers: { 'X-API-Key': keys.good } })).toBe(200);
    for (const key of [{}, { 'X-API-Key': 'nonsense' }, { 'X-API-Key': keys.good }]) {
      const { status, headers } = await fetch(served.url + REPLACEMENT.path, {
        headers: { 'If-None-Match': '*', ...key },
      });
      const shown = ['cache-control', 'etag', 'vary', 'x-ratelimit-limit'].map((name) => headers.get(name));
      expect([status, ...shown], 'the cohort packet').toEqual([200, 'no-store', null, 'Origin', null]);
    }
    await redis.start();
  });

  it('and nothing of them has come out', async () => {
    await hear('/metrics');
    await served.stop();
    const files = readdirSync(folder).filter((file) => file !== 'keys.json');
    expect(files).toContain('audit.jsonl');
    for (const file of files) said.push(readFileSync(join(folder, file), 'latin1'));
    const all = said.join('\n');
    for (const event of ['auth.failed', 'scope.denied', 'ws.refused', 'limiter.unavailable', 'retired.hit']) {
      expect(all).toContain(`"event":"${event}"`);
    }
    expect(all).toContain('http_request_duration_seconds');
    expect(all).toContain('"event":"key.ignored_duplicate"');
    for (const [name, key] of Object.entries(keys)) {
      for (const form of formsOf(key))
        expect(all.includes(form), `${name} as ${form.length} characters`).toBe(false);
    }
    expect(all).not.toMatch(/barograph\.key\.[\w-]{8}/);
    expect(all).not.toMatch(/baro_(live|test)_\w{10}_\w{20}/);
    expect(all).not.toContain('Bearer');
  });
});
