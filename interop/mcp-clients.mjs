// Clients that nobody here wrote list and call every tool of both servers. Runs on the newest long-term Node.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { toStrictJsonSchema } from 'openai/lib/transform';

const [base, key] = process.argv.slice(2);
const headers = { 'X-API-Key': key };
const here = new URL('.', import.meta.url).pathname;

const asOf = async () => (await (await fetch(`${base}/v1/snapshot/leaderboard?limit=1`)).json()).as_of;
const NONE = { as_of: null };
const ARGUMENTS = {
  '/mcp/attention': {
    attention_leaderboard: {},
    attention_ticker: { ticker: 'NVDA' },
    attention_bot_feed: {},
    attention_signals: {},
    attention_ticker_signals: { ticker: 'NVDA' },
    attention_buckets: {},
    attention_themes: {},
    attention_watchlist: { watchlist_id: 'core' },
    attention_core_kpis: {},
    sso_contract: {},
    attention_snapshot_leaderboard: {},
    attention_as_of: { as_of: await asOf() },
    attention_state_changes: {},
    attention_live_diagnostics: {},
    scorecard_summary: {},
    reputation_scorecard: {},
    attention_attestation: {},
  },
  '/mcp': {
    get_market_regime: { ...NONE, include_probabilities: null, history_days: null },
    check_trade: { ...NONE, ticker: 'NVDA', side: null, horizon: null },
    get_index_detail: { ...NONE, symbol: 'VIX', history_points: null },
    get_signal_changes: { since: null, cursor: null, kinds: null, families: null, limit: null },
    get_market_pulse: { ...NONE, families: null },
    get_decision_packet: { ...NONE, tickers: ['NVDA'], include: null },
  },
};

/** The one text of a result: the same JSON as its structured content. */
function receiptOf(words) {
  const { value, receipt } = JSON.parse(words);
  if (value === undefined || !receipt?.value_fp)
    throw new Error(`no value with a receipt: ${words.slice(0, 200)}`);
  return receipt.tool;
}

const textOf = ({ content, isError }) => {
  if (isError) throw new Error(content[0].text);
  return content[0].text;
};

/** Each opens a connection and gives back how to list, how to call, and how to close. */
const CLIENTS = {
  'official client 2, newest revision': (url) => official(url, { pin: '2026-07-28' }),
  'official client 2, negotiating': (url) => official(url, 'auto'),
  'official client 2, earlier revision': (url) => official(url, 'legacy'),
  async 'official client 1'(url) {
    const client = new EarlierClient({ name: 'interop', version: '1' });
    await client.connect(new EarlierTransport(url, { requestInit: { headers } }));
    return spoken(client);
  },
  async 'AI SDK'(url) {
    const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } });
    const tools = await client.tools();
    return {
      list: async () => Object.keys(tools),
      call: async (name, given) =>
        textOf(await tools[name].execute(given, { toolCallId: name, messages: [] })),
      close: () => client.close(),
    };
  },
  async LangChain(url) {
    const client = new MultiServerMCPClient({
      mcpServers: { barograph: { transport: 'http', url: url.href, headers } },
      useStandardContentBlocks: false,
    });
    const tools = await client.getTools();
    return {
      list: async () => tools.map(({ name }) => name),
      async call(name, given) {
        const answer = await tools.find((one) => one.name === name).invoke(given);
        // A text, a block, or blocks and artifacts: the first text is the result.
        return [answer].flat(2).map((one) => one?.text ?? one)[0];
      },
      close: () => client.close(),
    };
  },
};

async function official(url, mode) {
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return spoken(client);
}

function spoken(client) {
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => textOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

function inspector(url, ...args) {
  const folder = `${here}node_modules/@modelcontextprotocol/inspector/`;
  const { bin } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const script = folder + (typeof bin === 'string' ? bin : Object.values(bin)[0]);
  const sent = ['--cli', url.href, '--transport', 'http', '--header', `X-API-Key: ${key}`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...sent], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`the Inspector ended with ${status}: ${(stderr || stdout).slice(0, 400)}`);
  return JSON.parse(stdout);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

for (const [path, calls] of Object.entries(ARGUMENTS)) {
  const url = new URL(path, base);
  const names = Object.keys(calls);
  for (const [name, open] of Object.entries(CLIENTS)) {
    const client = await open(url);
    const listed = await client.list();
    if (!same(listed, names)) throw new Error(`${name} lists ${listed.join(', ')}`);
    for (const [tool, given] of Object.entries(calls)) {
      const told = receiptOf(
        await client.call(tool, given).catch((error) => {
          throw new Error(`${name} on ${tool}: ${error.message}`);
        }),
      );
      if (told !== tool) throw new Error(`${name} called ${tool} and got ${told}`);
    }
    await client.close();
    console.log(`✓ ${name}: ${names.length} tools of ${path} listed and called`);
  }
  const listed = inspector(url, '--method', 'tools/list').tools.map(({ name }) => name);
  if (!same(listed, names)) throw new Error(`the Inspector lists ${listed.join(', ')}`);
  for (const [tool, given] of Object.entries(calls)) {
    const args = Object.entries(given)
      .filter(([, value]) => value !== null)
      .flatMap(([name, value]) => [
        '--tool-arg',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
    receiptOf(textOf(inspector(url, '--method', 'tools/call', '--tool-name', tool, ...args)));
  }
  console.log(`✓ Inspector: ${names.length} tools of ${path} listed and called`);
}

const { tools } = await (await fetch(`${base}/v1/agent/openai-tools`)).json();
if (
  !same(
    tools.map((tool) => tool.function.name),
    Object.keys(ARGUMENTS['/mcp']),
  )
)
  throw new Error('the manifest names other tools');
for (const {
  function: { name, parameters, strict },
} of tools) {
  const wanted = toStrictJsonSchema(structuredClone(parameters));
  if (!strict || !same(wanted, parameters))
    throw new Error(`OpenAI's SDK would change the schema of ${name}`);
}
console.log(`✓ OpenAI SDK: takes the ${tools.length} schemas of the manifest as they are`);
