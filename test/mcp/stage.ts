// An MCP server on a real HTTP surface with the real guard, over an archive in memory, and clients to ask it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { audit } from '../../src/access/audit.js';
import { type AccessGuard, accessGuard } from '../../src/access/guard.js';
import { keySha256, makeKey } from '../../src/access/key-text.js';
import { Keyring } from '../../src/access/keyring.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import type { ReadSide } from '../../src/answers/answers.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import { type Clock, HOUR, type Instant, MINUTE } from '../../src/kernel/instant.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { knownHosts } from '../../src/surfaces/mcp/hosts.js';
import { MCP_SERVERS, type McpServerName, mcpSurface } from '../../src/surfaces/mcp/servers.js';
import { asset, Desk, rowOf } from '../answers/desk.js';
import { MacroStage, NOW } from '../answers/macro-stage.js';
import { type Running, start } from '../http/harness.js';
import { post } from '../ports/samples.js';

export const KEY = makeKey('live').text;
/** Valid, but it may do nothing that needs a scope. */
export const BARE_KEY = makeKey('live').text;

const SECTORS = ['Technology', 'Energy', 'Health Care', 'Financials', 'Utilities', 'Industrials'];
const VALUES = {
  attention_density: 2.3456,
  attention_share: 10.1234,
  attention_velocity: 0.4321,
  attention_surprise: 1.2512,
  voice_independence: 0.7512,
};

export const signal = (ticker: string, now = 'high'): Emission => ({
  kind: 'signal',
  type: 'attention.band_changed',
  ticker,
  body: { prev: 'normal', now, evidence: { reason: 'because' }, values: VALUES },
});

export interface McpStage {
  readonly running: Running;
  /** What the server called its own fault. */
  readonly faults: unknown[];
  /** The codes that were told in results. */
  readonly refusals: string[];
  readonly url: URL;
  /** A client of the newest era, unless told otherwise. */
  client(how?: { era?: 'modern' | 'legacy'; key?: string }): Promise<Client>;
  /** A bare message; text goes out as it is. */
  post(message: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export const TICKERS = Array.from({ length: 30 }, (_, i) => `T${String.fromCharCode(65 + (i % 26))}${i}`);

async function furnish(desk: Desk): Promise<void> {
  await desk.tell(
    ...['NVDA', ...TICKERS].map((ticker, i) => asset(ticker, SECTORS[i % SECTORS.length]!)),
    ...Array.from({ length: 12 }, (_, i) => post(`p${i}`)),
  );
  const names = ['NVDA', ...TICKERS];
  for (let n = 0; n < 3; n++) {
    desk.clock.advance(MINUTE);
    await desk.frame(
      names.map((ticker, i) =>
        rowOf(ticker, { rank: i + 1, density: 3.25 / (i + 1), share: 3.2258, velocity: 0.123456 + n }),
      ),
      names.slice(0, 6).map((ticker) => signal(ticker)),
    );
  }
  await desk.watchlists.save('acme', {
    id: 'core',
    name: 'Core',
    tickers: ['NVDA', 'TA0'],
    savedAt: desk.clock.now(),
  });
}

/** Something to serve: a read side and the clock it reads. */
export interface World {
  readonly side: ReadSide;
  now(): Instant;
  clear(): Promise<void>;
}

export async function attentionWorld(): Promise<World & { readonly desk: Desk }> {
  const desk = await Desk.lay();
  await furnish(desk);
  return { desk, side: await desk.open(), now: () => desk.clock.now(), clear: () => desk.clear() };
}

export async function macroWorld(): Promise<World> {
  const macro = await MacroStage.set();
  await macro.tell(NOW - HOUR);
  return { side: await macro.open(), now: () => macro.clock.now(), clear: () => macro.clear() };
}

/** The real guard, with the two keys above. */
export function stageGuard(clock: Clock): AccessGuard {
  const keyring = new Keyring(clock);
  const record = (id: string, text: string, scopes: readonly string[]) => ({
    id,
    key_sha256: keySha256(text),
    customer_id: 'acme',
    plan: 'operator',
    scopes,
  });
  keyring.load(
    JSON.stringify({
      keys: [
        record('full', KEY, ['signals:read', 'watchlists:read']),
        record('bare', BARE_KEY, ['usage:read']),
      ],
    }),
  );
  return accessGuard({
    keyring,
    counters: new PrepaidCounters(memoryCounters({ clock }), clock),
    audit: audit(() => undefined, clock),
    clock,
    trustedProxies: [],
    addressSecret: new Uint8Array(32),
  });
}

export async function openStage(
  server: McpServerName,
  { side, ...world }: World,
  origins: readonly string[] = [],
): Promise<McpStage> {
  const guard = stageGuard(() => world.now());
  const faults: unknown[] = [];
  const refusals: string[] = [];
  const mcp = mcpSurface([server], side, 'test', {
    guard,
    isKnownHost: knownHosts('127.0.0.1', origins),
    origins,
    onFault: (error) => faults.push(error),
    onRefusal: (code) => refusals.push(code),
  });
  side.live.onChange(() => mcp.forgetFrame());
  const running = await start({
    operations: OPERATIONS,
    answers: side.answers,
    guard,
    direct: mcp.routes,
  });
  const clients: Client[] = [];
  const url = new URL(MCP_SERVERS[server].path, running.url);
  return {
    running,
    faults,
    refusals,
    url,
    async client({ era = 'modern', key } = {}) {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
      );
      clients.push(client);
      const requestInit = key === undefined ? {} : { headers: { 'X-API-Key': key } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      return client;
    },
    post: (message, headers = {}) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await mcp.close();
      await running.stop();
      await world.clear();
    },
  };
}
