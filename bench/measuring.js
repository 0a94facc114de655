// What the figures share: seeded posts, percentiles, temporary folders, processes to talk to, and load on them.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';

export const ROOT = new URL('..', import.meta.url).pathname;

export async function inTemporaryFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'barograph-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export function tickerNames(count) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const text = (i) =>
    letters[Math.floor(i / 17576) % 26] +
    letters[Math.floor(i / 676) % 26] +
    letters[Math.floor(i / 26) % 26] +
    letters[i % 26];
  return Array.from({ length: count }, (_, i) => text(i));
}

/** What every ticker is divided by, where the figure is not about that. */
export function denominatorsOf(tickers, knownAt) {
  return tickers.map((_, i) => ({
    state: 'exact',
    usdBillions: 1 + i / 10,
    shares: 1e8,
    sharesKnownAt: knownAt,
    sharesSource: 'bench',
    close: 10,
    closeDate: '2024-10-03',
  }));
}

const WORDS = (
  'market opens strong after guidance raised analysts see margin growth while investors weigh supply chain risk and ' +
  'demand for new chips remains solid despite slower retail sales in europe this quarter management expects free cash ' +
  'flow to improve as capital spending falls rumours of merger talks lifted volume again traders note unusual options'
).split(' ');

/** Posts as a provider would deliver them, one JSON object each, about 400 bytes. */
export function* rawPosts(count, tickers, { from, span, seed = 'posts' }) {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const words = Array.from(
      { length: 12 + random.integer(0, 10) },
      () => WORDS[random.integer(0, WORDS.length - 1)],
    );
    const ticker = tickers[Math.floor(random.uniform() ** 2 * tickers.length)];
    yield {
      id: `post-${seed}-${i}`,
      provider: 'bench',
      author_id: `author-${random.integer(1, Math.max(10, count >> 2))}`,
      created_at: new Date((from + (span * i) / count) / 1000).toISOString(),
      text: `$${ticker} ${words.join(' ')}`,
      tickers: [ticker],
      author_created_at: '2019-05-05T00:00:00Z',
      followers: random.integer(0, 5000),
      lang: 'en',
      likes: random.integer(0, 50),
      reposts: 0,
      replies: 1,
    };
  }
}

/** Starts a node process and resolves once its output matches. */
export function startNode(args, { env = {}, ready }) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const matched = new Promise((resolve, reject) => {
    let isReady = false;
    const take = (chunk) => {
      // Once it is ready its log is only drained: reading it would burden what is measured.
      if (isReady) return;
      output += chunk;
      const match = ready.exec(output);
      isReady = match !== null;
      if (match) resolve(match);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${output.slice(-2000)}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { child, matched, stop };
}

/** Asks over so many kept connections for so long; the milliseconds of every request. `next` gives its options. */
export async function requestTimes(next, { connections, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const times = [];
  const once = () =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      get({ host: '127.0.0.1', agent, ...next() }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume();
        response.on('end', () => {
          times.push(performance.now() - startedAt);
          resolve();
        });
      }).on('error', reject);
    });
  const worker = async () => {
    while (performance.now() < until) await once();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return times;
}
