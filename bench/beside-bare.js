// A served address beside a bare node:http server that sends the same bytes; each, and the load on it, a process of its own.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { percentile, requestTimes, startNode } from './measuring.js';

const SELF = fileURLToPath(import.meta.url);
const ROUNDS = 5;
const OPTIONS = { connections: 16, seconds: 3 };

/** A closed loop of keep-alive connections from another process: requests per second and latencies. */
export async function loadFrom(url, options) {
  const { matched } = startNode([SELF, 'load', url, JSON.stringify(options)], { ready: /result (.*)\n/ });
  return JSON.parse((await matched)[1]);
}

/** The median over some rounds, one after the other, and how many requests the served address answered in them. */
export async function besideBare(url) {
  const bare = startNode([SELF, 'bare', url], { ready: /listening (\d+)/ });
  const bareUrl = `http://127.0.0.1:${(await bare.matched)[1]}/`;
  await loadFrom(url, OPTIONS);
  await loadFrom(bareUrl, OPTIONS);
  const ratios = [];
  let served = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await loadFrom(bareUrl, OPTIONS);
    const ours = await loadFrom(url, OPTIONS);
    served += ours.perSecond * OPTIONS.seconds;
    ratios.push(ours.perSecond / theirs.perSecond);
  }
  await bare.stop();
  return { ratio: percentile(ratios, 0.5), served };
}

async function load(url, options) {
  const { port, pathname: path } = new URL(url);
  const times = await requestTimes(() => ({ port, path }), options);
  const perSecond = times.length / options.seconds;
  return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function serveTheSame(url) {
  const response = await fetch(url);
  const headers = Object.fromEntries(response.headers);
  delete headers.connection;
  delete headers['keep-alive'];
  const body = Buffer.from(await response.arrayBuffer());
  const server = createServer((_request, answer) => answer.writeHead(200, headers).end(body));
  server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
}

if (process.argv[1] === SELF) {
  const [role, url, options] = process.argv.slice(2);
  if (role === 'load') console.log(`result ${JSON.stringify(await load(url, JSON.parse(options)))}`);
  else await serveTheSame(url);
}
