// Every tool of both servers, in both eras: the value of its operation with a receipt, and within its budget.
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentBriefing } from '../../src/contracts/macro/briefing.js';
import { openaiTools, type ToolManifest } from '../../src/contracts/macro/tool-manifest.js';
import { pathParameters } from '../../src/contracts/operation.js';
import { ToolReceipt } from '../../src/contracts/tool-receipt.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';
import { formatInstant, MINUTE } from '../../src/kernel/instant.js';
import { MCP_SERVERS, type McpServerName } from '../../src/surfaces/mcp/servers.js';
import type { Question, Tool } from '../../src/surfaces/mcp/tool.js';
import { toolOutput } from '../../src/surfaces/mcp/tool-listing.js';
import { attentionWorld, KEY, type McpStage, macroWorld, openStage, type World } from './stage.js';

const NAMES = {
  attention: [
    'attention_leaderboard',
    'attention_ticker',
    'attention_bot_feed',
    'attention_signals',
    'attention_ticker_signals',
    'attention_buckets',
    'attention_themes',
    'attention_watchlist',
    'attention_core_kpis',
    'sso_contract',
    'attention_snapshot_leaderboard',
    'attention_as_of',
    'attention_state_changes',
    'attention_live_diagnostics',
    'scorecard_summary',
    'reputation_scorecard',
    'attention_attestation',
  ],
  macro: [
    'get_market_regime',
    'check_trade',
    'get_index_detail',
    'get_signal_changes',
    'get_market_pulse',
    'get_decision_packet',
  ],
} as const satisfies Record<McpServerName, readonly string[]>;

/** What cannot be left out. */
const NEEDED: Readonly<Record<string, Record<string, unknown>>> = {
  attention_ticker: { ticker: 'NVDA' },
  attention_ticker_signals: { ticker: 'NVDA' },
  attention_watchlist: { watchlist_id: 'core' },
  check_trade: { ticker: 'NVDA' },
  get_index_detail: { symbol: 'VIX' },
  get_decision_packet: { tickers: ['NVDA'] },
};

const WORLDS: Record<McpServerName, () => Promise<World>> = { attention: attentionWorld, macro: macroWorld };

/** The same question over plain HTTP. */
async function overHttp(url: string, { operation, input }: Question): Promise<unknown> {
  const inPath = pathParameters(operation.path);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]));
  const query = Object.entries(input)
    .filter(([name, value]) => !inPath.includes(name) && value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
    headers: { 'X-API-Key': KEY },
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** What a client gets to read, beside tools. */
async function resourcesOf(client: Client): Promise<Record<string, string>> {
  const { resources } = await client.listResources();
  const texts = resources.map(async ({ uri }) => {
    const { contents } = await client.readResource({ uri });
    return [uri, (contents[0] as { text: string }).text] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

describe.each(Object.keys(NAMES) as McpServerName[])('the %s server', (name) => {
  const declared = MCP_SERVERS[name];
  let stage: McpStage;
  let world: World;
  const clients = new Map<string, Client>();
  beforeAll(async () => {
    world = await WORLDS[name]();
    stage = await openStage(name, world);
    for (const era of ['modern', 'legacy'] as const) {
      clients.set(era, await stage.client({ era, key: KEY }));
    }
  }, 120_000);
  afterAll(() => stage.close());

  function argumentsOf(tool: Tool): Record<string, unknown> {
    if (tool.name === 'attention_as_of') return { as_of: formatInstant(world.now() - MINUTE) };
    return NEEDED[tool.name] ?? {};
  }

  it.each(['modern', 'legacy'] as const)(
    'lists exactly the tools of the contract to %s clients',
    async (era) => {
      const { tools } = await clients.get(era)!.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(NAMES[name]);
      for (const tool of tools) {
        expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
        expect(tool.inputSchema['additionalProperties']).toBe(false);
        expect(tool.outputSchema).toMatchObject({ type: 'object', required: ['value', 'receipt'] });
      }
    },
  );

  describe.each(declared.tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
    it.each(['modern', 'legacy'] as const)(
      'answers %s clients with the value of its operation',
      async (era) => {
        const given = argumentsOf(tool);
        const question = tool.ask(tool.input.parse(given));
        const result = await clients.get(era)!.callTool({ name: tool.name, arguments: given });
        expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
        const content = result.structuredContent as { value: unknown; receipt: unknown };
        expect(toolOutput(tool).safeParse(content).error).toBeUndefined();
        expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(content) }]);
        const receipt = ToolReceipt.parse(content.receipt);
        expect(receipt.tool).toBe(tool.name);
        expect(receipt.value_fp).toBe(fingerprint(content.value));
        const answer = await overHttp(stage.running.url, question);
        expect(receipt.value_fp).toBe(
          fingerprint(tool.shown === null ? answer : tool.shown.of(answer, tool.input.parse(given))),
        );
        expect(receipt.args_fp).toBe(fingerprint(tool.input.parse(given)));
      },
    );

    it('stays within its budget when it is asked with as little as possible', async () => {
      const result = await clients.get('modern')!.callTool({ name: tool.name, arguments: argumentsOf(tool) });
      // About four characters a token. The ontology is fetched once, and can be checked only when it is whole; changes
      // come fifty at a time.
      const most = { sso_contract: 14_000, get_signal_changes: 10_000 }[tool.name] ?? 8_000;
      expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(most);
    });

    it('refuses an argument that it does not have', async () => {
      const result = await clients
        .get('modern')!
        .callTool({ name: tool.name, arguments: { ...argumentsOf(tool), surely_unknown: 1 } });
      expect(result.isError).toBe(true);
      expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toMatchObject({
        error_contract: 'api-error-envelope-v1',
        error: 'unknown_parameter',
        status_code: 400,
      });
    });
  });

  const forMacro = name === 'macro' ? it : () => undefined;

  forMacro('offers the briefing of the day as a page and as data', async () => {
    const texts = await resourcesOf(clients.get('modern')!);
    const briefing = (await overHttp(stage.running.url, { operation: agentBriefing, input: {} })) as object;
    expect(JSON.parse(texts['briefing://today.json']!)).toEqual(briefing);
    expect(texts['briefing://today']).toBe((briefing as { markdown: string }).markdown);
    await expect(clients.get('modern')!.readResource({ uri: 'briefing://never' })).rejects.toThrow();
  });

  forMacro('shows the parameters of the function-calling manifest, to the byte', async () => {
    const { tools } = await clients.get('modern')!.listTools();
    const manifest = (await overHttp(stage.running.url, {
      operation: openaiTools,
      input: {},
    })) as ToolManifest;
    expect(tools.map(({ name: one, inputSchema }) => [one, canonicalJson(inputSchema)])).toEqual(
      manifest.tools.map(({ function: { name: one, parameters } }) => [one, canonicalJson(parameters)]),
    );
  });

  const forMetered = declared.tools[0]!.operations[0].access.kind === 'metered' ? it : () => undefined;

  forMetered('counts the calls of strangers like their reads, and says when to come again', async () => {
    const [{ name: tool }] = declared.tools as readonly [Tool];
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } };
    const results: { isError?: boolean; content: { text: string }[] }[] = [];
    for (let n = 0; n < 61; n++) {
      const body = (await (await stage.post(message)).json()) as { result: (typeof results)[number] };
      results.push(body.result);
    }
    expect(results.map(({ isError }) => isError ?? false)).toEqual([...Array(60).fill(false), true]);
    expect(JSON.parse(results[60]!.content[0]!.text)).toMatchObject({
      error: 'rate_limited',
      status_code: 429,
      retry_after_s: expect.any(Number) as number,
    });
    expect(stage.refusals.at(-1)).toBe('rate_limited');
  });

  it('meets no fault of its own on the way', () => {
    expect(stage.faults).toEqual([]);
  });
});
