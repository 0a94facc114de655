// Requests per second of the leaderboard beside a bare node:http server that sends the same bytes, and its tail under load.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder, percentile, ROOT, startNode } from './measuring.js';

const PATH = '/v1/snapshot/leaderboard';
const SELF = fileURLToPath(import.meta.url);

/** A closed loop of keep-alive connections from a process of its own; prints requests per second and latencies. */
async function load(url, { connections, seconds }) {
  const { Agent, get } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const times = [];
  const once = () =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      get(url, { agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.on('data', () => {});
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
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function bareServer(body, headers) {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
}

const [role, argument, more] = process.argv.slice(2);
if (process.argv[1] === SELF) {
  if (role === 'load') console.log(`result ${JSON.stringify(await load(argument, JSON.parse(more)))}`);
  if (role === 'bare') {
    const response = await fetch(argument);
    const headers = Object.fromEntries(response.headers);
    delete headers.connection;
    delete headers['keep-alive'];
    bareServer(Buffer.from(await response.arrayBuffer()), headers);
  }
}

async function loadFrom(url, options) {
  const { matched } = startNode([SELF, 'load', url, JSON.stringify(options)], { ready: /result (.*)\n/ });
  return JSON.parse((await matched)[1]);
}

const serveEnv = (folder, extra = {}) => ({
  BAROGRAPH_DATA: folder,
  BAROGRAPH_PORT: '0',
  BAROGRAPH_LOG: 'info',
  ...extra,
});
const READY = /API\s+(http:\/\/\S+?)\/v1/;

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    // An hour between cycles: here only the serving is measured.
    const product = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env: serveEnv(folder, { BAROGRAPH_CYCLE_SECONDS: '3600' }),
      ready: READY,
    });
    const url = (await product.matched)[1] + PATH;
    const bare = startNode([SELF, 'bare', url], { ready: /listening (\d+)/ });
    const bareUrl = `http://127.0.0.1:${(await bare.matched)[1]}/`;
    const options = { connections: 16, seconds: 3 };
    await loadFrom(url, options);
    await loadFrom(bareUrl, options);
    const ratios = [];
    for (let round = 0; round < 5; round++) {
      const theirs = await loadFrom(bareUrl, options);
      const ours = await loadFrom(url, options);
      ratios.push(ours.perSecond / theirs.perSecond);
    }
    await Promise.all([product.stop(), bare.stop()]);
    const ratio = percentile(ratios, 0.5);
    figure(
      'leaderboard',
      `${ratio.toFixed(2)} of a bare node:http server with the same bytes`,
      '0.85',
      ratio >= 0.85,
    );
  });
  await inTemporaryFolder(async (folder) => {
    const quiet = { connections: 4, seconds: 8 };
    const still = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env: serveEnv(folder, { BAROGRAPH_CYCLE_SECONDS: '3600' }),
      ready: READY,
    });
    const restUrl = (await still.matched)[1] + PATH;
    await loadFrom(restUrl, quiet);
    const rest = await loadFrom(restUrl, quiet);
    await still.stop();
    const busy = startNode([`${ROOT}bin/barograph.js`, 'serve'], {
      env: serveEnv(folder, { BAROGRAPH_CYCLE_SECONDS: '1' }),
      ready: READY,
    });
    const busyUrl = (await busy.matched)[1] + PATH;
    await loadFrom(busyUrl, quiet);
    const under = await loadFrom(busyUrl, quiet);
    await busy.stop();
    const ratio = under.p99 / rest.p99;
    figure(
      'leaderboard-tail',
      `p99 ${under.p99.toFixed(2)} ms while cycles and ingest run, ${ratio.toFixed(2)}× of at rest`,
      '2×',
      ratio <= 2,
    );
  });
}
