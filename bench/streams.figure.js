// Five thousand subscribers on one process, half of each wire: delay, memory and CPU beside a bare loop of socket.write, and what stalled readers cost.
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { systemClock } from '../dist/kernel/instant.js';
import { reply } from '../dist/surfaces/http/reply.js';
import { createHttpSurface } from '../dist/surfaces/http/server.js';
import { leaderboardStreams } from '../dist/surfaces/stream/leaderboard-streams.js';
import { percentile, startNode } from './measuring.js';

const SELF = fileURLToPath(import.meta.url);
const SSE = '/api/snapshot/leaderboard/stream';
const SOCKET = '/v1/snapshot/leaderboard/ws';
const EVERY_MS = 1_000;
/** Rows as long as five real ones each, so that five of them make a usual frame and a hundred fill a socket quickly. */
const LONG = 'x'.repeat(2_000);

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function published(n) {
  const denominator = {
    state: 'exact',
    usdBillions: 12.5,
    shares: 1e9,
    sharesKnownAt: 0,
    sharesSource: 'bench',
  };
  const top = Array.from({ length: 100 }, (_, slot) => ({
    slot,
    ticker: `T${slot}${LONG}`,
    rank: slot + 1,
    state: 'ranked',
    band: 'normal',
    activity: 1,
    density: 100 - slot + n / 1e6,
    share: 1,
    velocity: 0,
    surprise: 0,
    independence: 1,
    entityPrecision: 1,
    ambiguous: false,
    denominator,
  }));
  const now = systemClock();
  const sourceSet = { version: 1, sources: ['bench'], warming: [], level: 1 };
  const fingerprint = `sha256:${'0'.repeat(64)}`;
  const header = {
    at: now,
    knownAt: now,
    sequence: n,
    cycleSeconds: 1,
    rowCount: 100,
    sourceSet,
    fingerprint,
  };
  return { header, top, previousRanks: {}, ranked: 100 };
}

function standing(more) {
  const { user, system } = process.cpuUsage();
  globalThis.gc();
  return JSON.stringify({ rss: process.memoryUsage.rss(), cpu: (user + system) / 1_000, ...more });
}

/** The product's own server and streams; only the frames and the key are made up. */
async function serveStreams() {
  const listeners = [];
  const live = { latest: published(1), onChange: (listener) => listeners.push(listener) };
  const metrics = new Registry();
  const streams = leaderboardStreams({
    live,
    metrics,
    clock: systemClock,
    authenticate: () => ({ keyId: 'bench', streams: 9_000, recheck: () => true }),
    record: () => {},
    limits: { perAddress: 9_000, perProcess: 9_000 },
  });
  const open = async () =>
    Number(/open (\d+)/.exec(await metrics.getSingleMetricAsString('leaderboard_streams_open'))[1]);
  const surface = createHttpSurface({
    operations: {},
    answers: {},
    version: '0',
    publicUrl: 'http://127.0.0.1',
    log: () => {},
    metrics,
    upgrade: streams.upgrade,
    extraRoutes: [
      ...streams.routes,
      {
        methods: ['GET'],
        path: '/bench',
        answer: async () => reply({ body: standing({ open: await open() }) }),
      },
    ],
  });
  const { port } = await surface.listen(0, '127.0.0.1');
  let n = 1;
  setInterval(() => {
    live.latest = published(++n);
    for (const listener of listeners) listener();
  }, EVERY_MS);
  console.log(`listening ${port} ${port}`);
}

/** The least that a server can do: the same bytes on every socket in one loop. */
function serveBare(length) {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  setInterval(() => {
    const head = `{"generated_at":"${new Date().toISOString()}","`;
    const bytes = Buffer.alloc(Number(length), 'x');
    bytes.write(head);
    for (const socket of sockets) socket.write(bytes);
  }, EVERY_MS);
  const control = createHttpServer((_request, response) => response.end(standing({ open: sockets.size })));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
    control.listen(0, '127.0.0.1', () =>
      console.log(`listening ${server.address().port} ${control.address().port}`),
    ),
  );
}

const STAMP = '"generated_at":"';
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const sseRequest = (limit) => `GET ${SSE}?limit=${limit}&interval=1 HTTP/1.1\r\nHost: x\r\n\r\n`;
const socketRequest = (limit) =>
  `GET ${SOCKET}?limit=${limit}&interval=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
  'Sec-WebSocket-Protocol: barograph.snapshot.v1, barograph.key.YQ\r\n\r\n';

/** Bare sockets, so that the readers cost as little as they can on the same machine. Tells once a second what arrived. */
async function read({ port, count, kind, limit }) {
  let delays = [];
  let bytes = 0;
  let closed = 0;
  for (let n = 0; n < count; n++) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {}).on('close', () => closed++);
    const isSocket = kind === 'mixed' && n % 2 === 1;
    if (kind !== 'bare') socket.write(isSocket ? socketRequest(limit) : sseRequest(limit));
    if (kind === 'stalled') socket.pause();
    else {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        const at = chunk.indexOf(STAMP);
        if (at !== -1) {
          const sent = Date.parse(
            chunk.toString('latin1', at + STAMP.length, chunk.indexOf('"', at + STAMP.length)),
          );
          if (sent > 0) delays.push(Date.now() - sent);
        }
        if (isSocket && (chunk[0] === 0x89 || chunk.at(-2) === 0x89)) socket.write(PONG);
      });
    }
    if (n % 100 === 99) await sleep(20);
  }
  console.log('connected');
  setInterval(() => {
    console.log(
      `second ${JSON.stringify({ frames: delays.length, p99: delays.length ? percentile(delays, 0.99) : 0, bytes, closed })}`,
    );
    delays = [];
    bytes = 0;
  }, EVERY_MS);
}

const [role, argument] = process.argv.slice(2);
if (process.argv[1] === SELF) {
  if (role === 'serve') await serveStreams();
  if (role === 'bare') serveBare(argument);
  if (role === 'read') await read(JSON.parse(argument));
}

async function startServer(args) {
  const started = startNode(['--expose-gc', SELF, ...args], { ready: /listening (\d+) (\d+)/ });
  const [, port, control] = await started.matched;
  return {
    port: Number(port),
    stop: started.stop,
    standing: async () => (await fetch(`http://127.0.0.1:${control}/bench`)).json(),
  };
}

async function startReaders(options) {
  const { child, matched, stop } = startNode([SELF, 'read', JSON.stringify(options)], { ready: /connected/ });
  let told = [];
  child.stdout.on('data', (chunk) => {
    for (const [, json] of String(chunk).matchAll(/second (\{.*\})/g)) told.push(JSON.parse(json));
  });
  await matched;
  const listen = async (seconds) => {
    told = [];
    await sleep(seconds * 1_000 + 200);
    return told;
  };
  return { listen, stop };
}

/** Frames, their p99 delay second by second, and the CPU time of the server for one frame. */
async function observe(server, readers, seconds) {
  const before = await server.standing();
  const told = await readers.listen(seconds);
  const after = await server.standing();
  const frames = told.reduce((sum, one) => sum + one.frames, 0);
  const bytes = told.reduce((sum, one) => sum + one.bytes, 0);
  return {
    p99s: told.map((one) => one.p99),
    cpu: (after.cpu - before.cpu) / frames,
    frameBytes: Math.round(bytes / frames),
  };
}

export async function run(figure, { subscribers = 5_000, stalled = 200, seconds = 15 } = {}) {
  const server = await startServer(['serve']);
  const empty = await server.standing();
  const readers = await startReaders({ port: server.port, count: subscribers, kind: 'mixed', limit: 5 });
  await readers.listen(5);
  const alone = await observe(server, readers, seconds);
  const full = await server.standing();
  const p99 = Math.max(...alone.p99s);
  figure(
    'streams-delay',
    `p99 ${p99} ms from publish to receipt, ${subscribers} subscribers, the worst second`,
    '500 ms',
    p99 <= 500,
  );
  const each = (full.rss - empty.rss) / subscribers / 1_024;
  figure(
    'streams-memory',
    `${each.toFixed(1)} KB per subscriber`,
    '60 KB',
    each <= 60 && full.open === subscribers,
  );

  const slow = await startReaders({ port: server.port, count: stalled, kind: 'stalled', limit: 100 });
  const beside = await observe(server, readers, seconds);
  const peak = await server.standing();
  // Until the kernel's buffers are full nobody is behind; then it takes 30 seconds.
  const patience = performance.now() + 120_000;
  let open = peak.open;
  while (open > subscribers && performance.now() < patience) {
    await sleep(1_000);
    ({ open } = await server.standing());
  }
  const left = await server.standing();
  await Promise.all([slow.stop(), readers.stop()]);
  await server.stop();
  const ratio = percentile(beside.p99s, 0.5) / Math.max(1, percentile(alone.p99s, 0.5));
  const grown = (Math.max(peak.rss, left.rss) - full.rss) / 1_048_576;
  figure(
    'streams-stalled',
    `p99 of the others ${ratio.toFixed(2)}×, ${grown.toFixed(0)} MB more, ${open - subscribers} of ${stalled} still open`,
    '1.20×, 64 MB, 0 open',
    ratio <= 1.2 && grown <= 64 && open === subscribers,
  );

  const bare = await startServer(['bare', String(alone.frameBytes)]);
  const bareReaders = await startReaders({ port: bare.port, count: subscribers, kind: 'bare' });
  await bareReaders.listen(5);
  const least = await observe(bare, bareReaders, seconds);
  await bareReaders.stop();
  await bare.stop();
  const cost = alone.cpu / least.cpu;
  figure(
    'streams-cpu',
    `${(alone.cpu * 1_000).toFixed(1)} µs per delivered frame, ${cost.toFixed(2)}× of a bare loop of socket.write with the same bytes`,
    '2×',
    cost <= 2,
  );
}
