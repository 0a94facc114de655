// Sessions with clients of the 2025 revisions: asking back, and the bounds of how many, how long, and for whom.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANONYMOUS, type Caller } from '../../src/contracts/caller.js';
import { Failure } from '../../src/contracts/failures.js';
import type { Operation } from '../../src/contracts/operation.js';
import { deferred } from '../../src/kernel/deferred.js';
import { MINUTE } from '../../src/kernel/instant.js';
import { type McpEndpoint, mcpEndpoint } from '../../src/surfaces/mcp/endpoint.js';
import { knownHosts } from '../../src/surfaces/mcp/hosts.js';
import { Sessions } from '../../src/surfaces/mcp/sessions.js';
import type { Asker } from '../../src/surfaces/mcp/tool-calls.js';
import { expectRefusal, type Running, start } from '../http/harness.js';
import { testClock } from '../ports/samples.js';
import { BARE_KEY, KEY, stageGuard } from './stage.js';

const ACCEPT = 'application/json, text/event-stream';
const ANY_CALL = { name: 'any', access: { kind: 'recognised' } } as Operation;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

function askingServer(asker: Asker): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('greet', { inputSchema: z.object({}) }, (_given, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'name', z.object({ name: z.string() }));
    if (given !== undefined) return said(`Hello, ${given.name}!`);
    const properties = { name: { type: 'string' as const } };
    const requestedSchema = { type: 'object' as const, properties, required: ['name'] };
    const message = 'What is your name?';
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ message, requestedSchema }) } });
  });
  server.registerTool('who', { inputSchema: z.object({}) }, async () => {
    const caller = await asker.admit(ANY_CALL);
    return said(`${asker.requestId} ${caller.kind}`);
  });
  return server;
}

const keyed = (id: string) => ({ kind: 'key', key: { id }, allowance: null }) as Caller;

interface VisitWords {
  readonly id?: string;
  readonly caller?: Caller;
  readonly method?: string;
  readonly accept?: string;
  /** What the sending of the response waits for. */
  readonly sent?: Promise<void>;
}

/** Sessions without a wire. */
function bench({ most = 10, factory = askingServer } = {}) {
  const clock = testClock();
  const sessions = new Sessions(factory, { clock: clock.now, most, idleFor: MINUTE });
  async function visit(message: object | undefined, words: VisitWords = {}): Promise<Response> {
    const { id, caller = ANONYMOUS, method = 'POST', accept = ACCEPT, sent } = words;
    const headers = new Headers({ accept, 'content-type': 'application/json' });
    if (id !== undefined) headers.set('mcp-session-id', id);
    const request = new Request('http://localhost/mcp', { method, headers });
    const asker = { requestId: 'r', admit: async () => caller };
    const answered = deferred<Response>();
    const through = sessions.serve({ request, message, caller, asker }, async (response) => {
      answered.resolve(response);
      await sent;
    });
    if (sent === undefined) await through;
    else through.catch(answered.reject);
    return answered.promise;
  }
  const open = async (words: VisitWords = {}) =>
    (await visit(INITIALIZE, words)).headers.get('mcp-session-id')!;
  return { clock, sessions, visit, open };
}

describe('the bounds', () => {
  it('gives every session an id that cannot be guessed from another', async () => {
    const { open } = bench();
    const ids = [await open(), await open()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  it('keeps no more sessions than allowed, also when a crowd comes at once', async () => {
    const { open, sessions, visit } = bench({ most: 3 });
    const crowd = await Promise.allSettled(Array.from({ length: 8 }, () => open()));
    const refused = crowd.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Failure);
      expect(reason).toMatchObject({ code: 'streams_exhausted', retryAfterSeconds: 60 });
    }
    expect(sessions.size).toBe(3);
    const inside = crowd.find((one) => one.status === 'fulfilled')!.value;
    expect((await visit(PING, { id: inside })).status).toBe(200);
  });

  it('has room again when a session has ended', async () => {
    const { open, visit } = bench({ most: 1 });
    const id = await open();
    await expect(open()).rejects.toThrow(Failure);
    expect((await visit(undefined, { id, method: 'DELETE' })).status).toBe(200);
    expect((await visit(PING, { id })).status).toBe(404);
    expect(await open()).not.toBe(id);
  });

  it('ends what is idle: when it is asked for, and when somebody else needs the room', async () => {
    const { clock, open, sessions, visit } = bench({ most: 2 });
    const [left, kept] = [await open(), await open()];
    clock.advance(MINUTE);
    expect((await visit(PING, { id: kept })).status).toBe(200);
    clock.advance(1);
    await open();
    expect(sessions.size).toBe(2);
    expect((await visit(PING, { id: left })).status).toBe(404);
    clock.advance(MINUTE);
    expect((await visit(PING, { id: kept })).status).toBe(404);
    expect(sessions.size).toBe(1);
  });

  it('does not call a session idle while a response of it is being sent', async () => {
    const { clock, open, visit } = bench({ most: 1 });
    const id = await open();
    const sent = deferred();
    const listening = await visit(undefined, { id, method: 'GET', sent: sent.promise });
    expect(listening.headers.get('content-type')).toBe('text/event-stream');
    clock.advance(10 * MINUTE);
    await expect(open()).rejects.toThrow(Failure);
    expect((await visit(PING, { id })).status).toBe(200);
    sent.resolve();
  });

  it.each<[string, Caller, Caller]>([
    ['a key and a caller without one', keyed('a'), ANONYMOUS],
    ['a key and another', keyed('a'), keyed('b')],
    ['no key and a caller with one', ANONYMOUS, keyed('b')],
  ])('knows a session only for its owner: %s', async (_what, owner, stranger) => {
    const { open, sessions, visit } = bench();
    const id = await open({ caller: owner });
    for (const method of ['POST', 'GET', 'DELETE']) {
      const message = method === 'POST' ? PING : undefined;
      const foreign = await visit(message, { id, method, caller: stranger });
      const unknown = await visit(message, { id: 'nobody', method, caller: stranger });
      expect(foreign.status).toBe(404);
      expect(await foreign.json()).toEqual(await unknown.json());
    }
    expect(sessions.size).toBe(1);
    expect((await visit(PING, { id, caller: owner })).status).toBe(200);
  });

  it('keeps nothing of a client that was refused, or that no server could be made for', async () => {
    const { sessions, visit } = bench();
    expect((await visit(INITIALIZE, { accept: 'text/html' })).status).toBe(406);
    expect(sessions.size).toBe(0);
    const broken = bench({
      factory: () => {
        throw new Error('no server');
      },
    });
    await expect(broken.open()).rejects.toThrow('no server');
    expect(broken.sessions.size).toBe(0);
  });

  it('ends everything when it closes, and opens nothing afterwards', async () => {
    const { open, sessions, visit } = bench();
    const id = await open();
    const listening = await visit(undefined, { id, method: 'GET' });
    await sessions.close();
    expect(await listening.text()).toBe('');
    expect(sessions.size).toBe(0);
    expect((await visit(PING, { id })).status).toBe(404);
    await expect(open()).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('on the wire', () => {
  let running: Running;
  let endpoint: McpEndpoint;
  beforeEach(async () => {
    const { now: clock } = testClock();
    const guard = stageGuard(clock);
    endpoint = mcpEndpoint(
      '/mcp',
      { factory: askingServer, sessions: { clock, most: 10, idleFor: MINUTE } },
      { guard, isKnownHost: knownHosts('127.0.0.1', []), origins: [], onFault: () => undefined },
    );
    running = await start({
      operations: {},
      answers: {},
      guard,
      direct: new Map([['/mcp', endpoint.route]]),
    });
  });
  afterEach(async () => {
    await endpoint.close();
    await running.stop();
  });

  const send = (method: string, headers: Record<string, string>, message?: object) =>
    fetch(`${running.url}/mcp`, {
      method,
      headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
    });
  async function opened(headers: Record<string, string> = {}): Promise<string> {
    const response = await send('POST', headers, INITIALIZE);
    await response.text();
    return response.headers.get('mcp-session-id')!;
  }
  const callOf = (name: string) => ({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name } });

  it('asks a client of the earlier era back, and lets it take its leave', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', running.url));
    await client.connect(transport);
    const { content } = await client.callTool({ name: 'greet', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
    const id = transport.sessionId!;
    await transport.terminateSession();
    const gone = await send('POST', { 'mcp-session-id': id }, PING);
    expect(await gone.json()).toMatchObject({ error: { code: -32_001 } });
    await client.close();
  });

  it('admits every call by the request that brings it', async () => {
    const id = await opened({ 'x-api-key': KEY });
    const headers = { 'mcp-session-id': id, 'x-api-key': KEY };
    const responses = await Promise.all([1, 2].map(() => send('POST', headers, callOf('who'))));
    for (const response of responses) {
      expect(await response.text()).toContain(`${response.headers.get('x-request-id')} key`);
    }
  });

  it.each(['POST', 'GET', 'DELETE'])('guards %s like every request', async (method) => {
    const id = await opened({ 'x-api-key': KEY });
    const message = method === 'POST' ? PING : undefined;
    const bad = await send(method, { 'mcp-session-id': id, 'x-api-key': 'baro_live_wrong' }, message);
    expectRefusal(bad.status, await bad.json(), 'unauthorized');
    const page = { 'mcp-session-id': id, 'x-api-key': KEY, origin: 'https://evil.example' };
    const foreign = await send(method, page, message);
    expectRefusal(foreign.status, await foreign.json(), 'origin_not_allowed');
    const rebound = await running.say(
      `${method} /mcp HTTP/1.1\r\nHost: evil.example\r\nMcp-Session-Id: ${id}\r\nConnection: close\r\n\r\n`,
    );
    expectRefusal(rebound!.status, rebound!.json(), 'origin_not_allowed');
    const other = await send(method, { 'mcp-session-id': id, 'x-api-key': BARE_KEY }, message);
    expect(other.status).toBe(404);
    const own = await send('POST', { 'mcp-session-id': id, 'x-api-key': KEY }, PING);
    expect(own.status).toBe(200);
  });

  it('bounds the bodies within a session', async () => {
    const id = await opened();
    const large = await send('POST', { 'mcp-session-id': id }, { padding: 'x'.repeat(70_000) });
    expectRefusal(large.status, await large.json(), 'payload_too_large');
  });

  it('knows GET and DELETE only within a session, and nothing else at all', async () => {
    const id = await opened();
    const refused = [
      await send('GET', {}),
      await send('DELETE', {}),
      await send('PUT', { 'mcp-session-id': id }),
    ];
    for (const response of refused) {
      expectRefusal(response.status, await response.json(), 'method_not_allowed');
    }
  });

  it('sends the head of a silent stream at once, and ends the stream when it closes', async () => {
    const listening = await send('GET', { 'mcp-session-id': await opened() });
    expect(listening.status).toBe(200);
    const ended = listening.text();
    await endpoint.close();
    expect(await ended).toBe('');
  });

  it('serves the newest revision without a session, whatever header comes along', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    };
    const message = { ...callOf('who'), params: { name: 'who', arguments: {}, _meta: meta } };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'who',
      'mcp-session-id': 'nobody',
    };
    const response = await send('POST', headers, message);
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.text()).toContain('anonymous');
  });

  it('still answers a call of the earlier era that comes without a session', async () => {
    const response = await send('POST', {}, callOf('who'));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.text()).toContain('anonymous');
  });
});
