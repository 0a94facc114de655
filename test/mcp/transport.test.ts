// The wire of an MCP server: who is let in, what is refused and how, in which words, and what is counted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/kernel/instant.js';
import { rowOf } from '../answers/desk.js';
import { expectRefusal } from '../http/harness.js';
import { attentionWorld, BARE_KEY, KEY, type McpStage, openStage } from './stage.js';

const ALLOWED = 'https://pages.example';
let world: Awaited<ReturnType<typeof attentionWorld>>;
let stage: McpStage;
beforeAll(async () => {
  world = await attentionWorld();
  stage = await openStage('attention', world, [ALLOWED]);
});
afterAll(() => stage.close());

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** A call as clients of the newest revision write it. */
function modern(name: string, given: object = {}) {
  return {
    message: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: given, _meta: META } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  };
}

interface Called {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result: {
    readonly isError?: boolean;
    readonly content: { readonly text: string }[];
    readonly structuredContent?: { readonly value: Record<string, unknown>; readonly receipt: object };
  };
}

async function call(name: string, given: object = {}, more: Record<string, string> = {}) {
  const { message, headers } = modern(name, given);
  const response = await stage.post(message, { ...headers, ...more });
  return { response, body: (await response.json()) as Called };
}

const refusalOf = (body: Called) => JSON.parse(body.result.content[0]!.text) as Record<string, unknown>;

/** The same request as raw text, so that Host and Origin can be anything. */
async function raw(lines: readonly string[], message: object = modern('sso_contract').message) {
  const body = JSON.stringify(message);
  const head = [
    'POST /mcp/attention HTTP/1.1',
    ...lines,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: sso_contract',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return stage.running.say(`${head.join('\r\n')}\r\n\r\n${body}`);
}

describe('the door', () => {
  it.each<[string, string[], number]>([
    ['an address', ['Host: 127.0.0.1:8700'], 200],
    ['localhost', ['Host: localhost:1'], 200],
    ['an IPv6 address', ['Host: [::1]:8700'], 200],
    ['the host of an allowed origin', ['Host: pages.example'], 200],
    ['a name that was made to point here', ['Host: evil.example'], 403],
    ['a name that only begins like ours', ['Host: localhost.evil.example'], 403],
    ['an allowed page', ['Host: localhost', `Origin: ${ALLOWED}`], 200],
    ['a page of our own', ['Host: localhost:8700', 'Origin: http://localhost:8700'], 200],
    ['a foreign page', ['Host: localhost', 'Origin: https://evil.example'], 403],
    ['a sandboxed page', ['Host: localhost', 'Origin: null'], 403],
    ['a rebound page', ['Host: evil.example', 'Origin: http://evil.example'], 403],
  ])('%s', async (_what, lines, status) => {
    const response = await raw(lines);
    expect(response?.status).toBe(status);
    if (status === 403) expectRefusal(status, response!.json(), 'origin_not_allowed');
  });

  it('refuses a bad key, also where none is needed, with 401 and the envelope', async () => {
    const { response, body } = await call('sso_contract', {}, { 'x-api-key': 'baro_live_wrong' });
    expectRefusal(response.status, body, 'unauthorized');
    expect(response.headers.get('www-authenticate')).toContain('ApiKey');
  });

  it('lets everybody ask what is public, and answers like the operation', async () => {
    const { response, body } = await call('attention_leaderboard', { limit: 2 });
    expect(response.status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 });
    expect(body.result.isError).toBeUndefined();
    expect(body.result.structuredContent?.value['leaderboard']).toHaveLength(2);
  });

  it.each(['attention_bot_feed', 'attention_signals'])(
    'tells strangers that %s needs a key',
    async (name) => {
      const { response, body } = await call(name);
      expect(response.status).toBe(200);
      expect(body.result.isError).toBe(true);
      expect(body.result.structuredContent).toBeUndefined();
      expect(refusalOf(body)).toMatchObject({ error: 'unauthorized', status_code: 401 });
    },
  );

  it('tells a key without the scope so', async () => {
    const { body } = await call('attention_signals', {}, { 'x-api-key': BARE_KEY });
    expect(refusalOf(body)).toMatchObject({ error: 'insufficient_scope', status_code: 403 });
  });

  it('counts calls on the account of the key, as over HTTP', async () => {
    const path = '/v1/bot-feed/signals?limit=1';
    const overHttp = await fetch(stage.running.url + path, { headers: { 'x-api-key': KEY } });
    const { response } = await call('attention_signals', { limit: 1 }, { 'x-api-key': KEY });
    const left = (from: Response) => Number(from.headers.get('x-quota-remaining'));
    expect(left(response)).toBe(left(overHttp) - 1);
    const { response: free } = await call('sso_contract', {}, { 'x-api-key': KEY });
    expect(free.headers.get('x-quota-remaining')).toBeNull();
  });
});

describe('the protocol', () => {
  it('says that a body is no JSON in its own words', async () => {
    const response = await stage.post('{"jsonrpc":');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } });
  });

  it('refuses batches', async () => {
    const response = await stage.post([modern('sso_contract').message]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_600 } });
  });

  it.each(['GET', 'DELETE', 'PUT'])('refuses %s and names POST', async (method) => {
    const response = await fetch(stage.url, { method });
    expect(response.headers.get('allow')).toBe('POST');
    expectRefusal(response.status, await response.json(), 'method_not_allowed');
  });

  it('refuses a body that is not declared as JSON, and one that is too large', async () => {
    const plain = await stage.post('{}', { 'content-type': 'text/plain' });
    expectRefusal(plain.status, await plain.json(), 'unsupported_media_type');
    const large = await stage.post({ padding: 'x'.repeat(70_000) });
    expectRefusal(large.status, await large.json(), 'payload_too_large');
  });

  it.each<[string, Record<string, string>, number, number]>([
    ['another method in the header', { 'mcp-method': 'tools/list' }, 400, -32_020],
    ['another tool in the header', { 'mcp-name': 'attention_ticker' }, 400, -32_020],
    ['a revision that nobody speaks', { 'mcp-protocol-version': '2031-01-01' }, 400, -32_020],
  ])('refuses %s', async (_what, over, status, code) => {
    const { message, headers } = modern('sso_contract');
    const response = await stage.post(message, { ...headers, ...over });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it('refuses an envelope that lacks a part', async () => {
    const { message, headers } = modern('sso_contract');
    const params = { ...message.params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const response = await stage.post({ ...message, params }, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_602 } });
  });

  it('does not know a tool that is not there, in either era', async () => {
    const { message, headers } = modern('no_such_tool');
    const answers = [
      await stage.post(message, headers),
      await stage.post({ ...message, params: { name: 'no_such_tool' } }),
    ];
    for (const response of answers) {
      const text = await response.text();
      const body = JSON.parse(text.startsWith('event:') ? /data: (.*)/.exec(text)![1]! : text) as object;
      expect(body).toMatchObject({ id: 7, error: { code: -32_602 } });
    }
  });

  it('answers a plain call of the earlier era with JSON too', async () => {
    const params = { name: 'attention_core_kpis', arguments: {} };
    const message = { jsonrpc: '2.0', id: 'a"b', method: 'tools/call', params };
    const response = await stage.post(message, { 'mcp-protocol-version': '2025-11-25' });
    const body = (await response.json()) as Called & { result: { resultType?: string } };
    expect(body.id).toBe('a"b');
    expect(body.result.resultType).toBeUndefined();
    expect(body.result.structuredContent?.receipt).toMatchObject({ tool: 'attention_core_kpis' });
  });

  it('gives the same result by the short way and by the library', async () => {
    const short = (await call('attention_core_kpis')).body;
    const { message, headers } = modern('attention_core_kpis');
    // Who accepts anything asks well, but not as clients usually do.
    const long = (await (await stage.post(message, { ...headers, accept: '*/*' })).json()) as Called;
    expect(long).toEqual(short);
  });
});

describe('freshness', () => {
  it('a kept result ends with its frame', async () => {
    const seq = async () =>
      (await call('attention_leaderboard')).body.result.structuredContent!.value['seq'] as number;
    const before = await seq();
    expect(await seq()).toBe(before);
    world.desk.clock.advance(MINUTE);
    await world.desk.frame([rowOf('NVDA', { rank: 1 })]);
    expect(await seq()).toBeGreaterThan(before);
  });

  it('logs one event per request, without anything that the caller sent', async () => {
    const { response } = await call('attention_ticker', { ticker: 'NVDA' });
    const id = response.headers.get('x-request-id');
    const event = stage.running.events.find((one) => one.request_id === id);
    expect(event).toMatchObject({ method: 'POST', route: '/mcp/attention', status: 200 });
    expect(JSON.stringify(event)).not.toContain('NVDA');
  });
});

it('meets no fault of its own on the way', () => {
  expect(stage.faults).toEqual([]);
});

describe('stopping', () => {
  it('ends open listening streams at once, so that nothing waits for them', async () => {
    const other = await openStage('attention', await attentionWorld());
    const params = { notifications: { toolsListChanged: true }, _meta: META };
    const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const listening = await other.post(message, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    });
    expect(listening.headers.get('content-type')).toContain('text/event-stream');
    const ended = listening.text();
    await other.close();
    expect(await ended).toContain('subscriptions/acknowledged');
  });
});
