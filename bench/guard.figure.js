// What the guard costs: key, scope and admission in memory beside a bare hash of the key, and a keyed read with Redis beside one without a limiter.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { accessGuard } from '../dist/access/guard.js';
import { keySha256, makeKey } from '../dist/access/key-text.js';
import { Keyring } from '../dist/access/keyring.js';
import { PrepaidCounters } from '../dist/access/prepaid.js';
import { MILLISECOND, systemClock } from '../dist/kernel/instant.js';
import { memoryCounters } from '../dist/storage/memory/counters.js';
import { redisCounters } from '../dist/storage/redis/counters.js';
import { createHttpSurface } from '../dist/surfaces/http/server.js';
import { inTemporaryFolder, percentile, requestTimes, startNode } from './measuring.js';

const SELF = fileURLToPath(import.meta.url);
const SCOPE = 'signals:read';
/** So many that no plan is used up. */
const KEYS = 200;

function keysOf(count) {
  return Array.from({ length: count }, () => makeKey('live').text);
}

function recordsOf(texts) {
  const keys = texts.map((text, at) => ({
    id: `k${at}`,
    key_sha256: keySha256(text),
    plan: 'operator',
    scopes: [SCOPE],
  }));
  return JSON.stringify({ keys });
}

function guardOf(texts, counters, clock) {
  const keyring = new Keyring(clock);
  keyring.load(recordsOf(texts));
  return accessGuard({
    keyring,
    counters: new PrepaidCounters(counters, clock),
    clock,
    audit: () => {},
    trustedProxies: [],
    addressSecret: new Uint8Array(32),
  });
}

async function inMemory(figure) {
  const [text] = keysOf(1);
  let now = systemClock();
  // Twenty milliseconds from call to call are three thousand a minute, half of what the plan has.
  const clock = () => {
    now += 20 * MILLISECOND;
    return now;
  };
  const guard = guardOf([text], memoryCounters({ clock: () => now }), clock);
  const operation = { name: 'bench', access: { kind: 'key', scope: SCOPE } };
  const call = { headers: { 'x-api-key': text }, socket: { remoteAddress: '127.0.0.1' } };
  const guarded = [];
  const hashed = [];
  for (let n = 0; n < 120_000; n++) {
    const from = performance.now();
    await guard(operation, call, () => {}, 'r');
    const between = performance.now();
    createHash('sha256').update(text).digest('hex');
    // The first twenty thousand warm up.
    if (n < 20_000) continue;
    hashed.push(performance.now() - between);
    guarded.push(between - from);
  }
  const [ours, bare] = [guarded, hashed].map((times) => 1_000 * percentile(times, 0.5));
  const text50 = `${ours.toFixed(1)} µs at the median, ${(ours / bare).toFixed(1)}× of a bare SHA-256 of the key`;
  figure('guard', text50, '25 µs', ours <= 25);
}

/** Two servers that differ in nothing but the limiter; the one without admits whatever comes. */
async function serveBoth(redisUrl, texts) {
  const at = { minuteUsed: 1, dayUsed: 1, minuteResetAt: 0, dayResetAt: 0, at: 0, refused: null };
  const none = { admit: async () => at, peek: async () => at, healthy: async () => true };
  const read = {
    name: 'read',
    method: 'GET',
    path: '/read',
    surface: 'service',
    group: 'bench',
    summary: 'A read',
    description: 'A read',
    access: { kind: 'key', scope: SCOPE },
    input: z.strictObject({}),
    output: z.strictObject({ rows: z.array(z.string()) }),
    failures: [],
    keeps: 'nothing',
    example: {},
  };
  const rows = Array.from({ length: 25 }, (_, row) => `row ${row}`.repeat(20));
  const ports = [];
  for (const counters of [none, redisCounters({ url: redisUrl })]) {
    const surface = createHttpSurface({
      operations: { read },
      answers: { read: async () => ({ rows }) },
      version: '0',
      publicUrl: 'http://127.0.0.1',
      log: () => {},
      metrics: new Registry(),
      guard: guardOf(texts, counters, systemClock),
    });
    ports.push((await surface.listen(0, '127.0.0.1')).port);
  }
  console.log(`listening ${ports.join(' ')}`);
}

/** The p99 in milliseconds of a closed loop of keep-alive connections. */
async function load(port, texts, options) {
  let n = 0;
  const next = () => ({ port, path: '/read', headers: { 'X-API-Key': texts[n++ % texts.length] } });
  return percentile(await requestTimes(next, options), 0.99);
}

function redisBinary() {
  const folders = (process.env.PATH ?? '').split(':');
  const places = folders.flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')]);
  return places.find((place) => existsSync(place)) ?? null;
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function startRedis(binary, folder) {
  const port = await freePort();
  const own = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(binary, own, { stdio: 'ignore' });
  const answers = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('error', () => resolve(false));
      socket.once('data', (reply) => {
        socket.destroy();
        resolve(String(reply).startsWith('+PONG'));
      });
    });
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error('redis-server has ended');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function withRedis(figure) {
  const binary = redisBinary();
  if (binary === null) {
    figure('guard-redis', 'redis-server is not installed, nothing was measured', '3×', false);
    return;
  }
  await inTemporaryFolder(async (folder) => {
    const redis = await startRedis(binary, folder);
    const texts = keysOf(KEYS);
    const servers = startNode([SELF, redis.url, JSON.stringify(texts)], { ready: /listening (\d+) (\d+)/ });
    try {
      const [, none, counted] = await servers.matched;
      const ratio = await tailRatio(none, counted, texts);
      const text = `${ratio.toFixed(2)}× the p99 of a keyed read without a limiter`;
      figure('guard-redis', text, '3×', ratio <= 3);
    } finally {
      await Promise.all([servers.stop(), redis.stop()]);
    }
  });
}

/** The two are measured in turns, so that whatever else the machine does burdens both. */
async function tailRatio(none, counted, texts) {
  const options = { connections: 4, seconds: 2 };
  const ratios = [];
  for (let round = 0; round < 6; round++) {
    const without = await load(none, texts, options);
    const through = await load(counted, texts, options);
    // The first round warms up.
    if (round > 0) ratios.push(through / without);
  }
  return percentile(ratios, 0.5);
}

if (process.argv[1] === SELF) await serveBoth(process.argv[2], JSON.parse(process.argv[3]));

export async function run(figure) {
  await inMemory(figure);
  await withRedis(figure);
}
