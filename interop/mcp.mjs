// The MCP servers before the official conformance runner and before clients that nobody here wrote.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFixtureStack } from '../test/mcp/fixture-stack.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const newestNode = join(here, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
const runner = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const command = join(root, 'bin/barograph.js');

function giveUp(text) {
  console.error(text);
  process.exit(2);
}

if (!existsSync(newestNode))
  giveUp('The tools are not installed. Install them with: npm ci --prefix interop --ignore-scripts');
if (!existsSync(join(root, 'dist'))) giveUp('The service is not built. Build it with: npm run build');

/** How many server scenarios each revision requires: a runner that leaves some out proves less. */
const REQUIRED = { '2026-07-28': 37, '2025-11-25': 30 };

/** What can be tested without tools made for the test. */
const ON_THE_PRODUCT = {
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
  ],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
};

function run(script, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(newestNode, [script, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('close', (status) => resolve({ status, output }));
  });
}

const LINE = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gmu;

async function requirements(url, revision, folder) {
  const { output } = await run(runner, ['server', '--url', url, '--requirements', revision, '-o', folder]);
  const unscored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gmu)].map(([, name]) => name));
  const scored = [...output.matchAll(LINE)].filter(([, name]) => !unscored.has(name));
  if (scored.length === 0) giveUp(`The runner said nothing useful:\n${output}`);
  const failed = scored.filter(([, , , failures]) => failures !== '0').map(([, name]) => name);
  for (const [, name, passed, failures] of scored) {
    console.log(`  ${failed.includes(name) ? '✗' : '✓'} ${name}: ${passed} passed, ${failures} failed`);
  }
  const passing = scored.length - failed.length;
  console.log(`${revision} on the stack: ${passing} of ${REQUIRED[revision]} required scenarios pass`);
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
  if (passing !== REQUIRED[revision]) throw new Error(`the runner looked at ${passing} scenarios`);
}

async function onTheProduct(url, folder) {
  for (const [revision, scenarios] of Object.entries(ON_THE_PRODUCT)) {
    for (const scenario of scenarios) {
      const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', folder];
      const { status, output } = await run(runner, args);
      if (status !== 0)
        throw new Error(`${scenario} of ${revision} fails on the product:\n${output.slice(-2000)}`);
    }
    console.log(`${revision} on ${new URL(url).pathname}: ${scenarios.join(', ')} pass`);
  }
}

async function startProduct(data) {
  const env = {
    ...process.env,
    BAROGRAPH_DATA: data,
    BAROGRAPH_PORT: '0',
    BAROGRAPH_LOG: 'error',
    BAROGRAPH_CYCLE_SECONDS: '5',
  };
  const scopes = 'signals:read,watchlists:read,watchlists:write';
  const made = spawnSync(
    process.execPath,
    [command, 'keys', 'create', '--plan', 'operator', '--scopes', scopes],
    {
      env,
      encoding: 'utf8',
    },
  );
  const key = /baro_\w+/.exec(made.stdout)?.[0];
  if (!key) giveUp(`no key was made: ${made.stdout}${made.stderr}`);
  const child = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /API\s+(http:\/\/\S+?)\/v1/.exec(output);
      if (found) resolve(found[1]);
    });
    child.once('exit', (status) => reject(new Error(`the service ended with ${status}`)));
  });
  // The first macro edition follows the first board.
  const pulse = `${url}/v1/agent/tools/get_market_pulse`;
  while ((await fetch(pulse, { headers: { 'X-API-Key': key } })).status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return {
    url,
    key,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'barograph-interop-'));
const stack = await startFixtureStack();
// It reads its history while the stack is looked at.
const starting = startProduct(join(folder, 'data'));
try {
  await requirements(stack.url, '2026-07-28', folder);
  await requirements(stack.url, '2025-11-25', folder);
  const product = await starting;
  await onTheProduct(`${product.url}/mcp/attention`, folder);
  await onTheProduct(`${product.url}/mcp`, folder);
  await fetch(`${product.url}/v1/snapshot/watchlists/core`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'X-API-Key': product.key },
    body: JSON.stringify({ tickers: ['NVDA', 'AAPL'] }),
  });
  const { status, output } = await run(join(here, 'mcp-clients.mjs'), [product.url, product.key]);
  process.stdout.write(output);
  if (status !== 0) throw new Error('a client does not get on with the servers');
} finally {
  await Promise.allSettled([stack.stop(), starting.then((product) => product.stop())]);
  rmSync(folder, { recursive: true, force: true });
}
