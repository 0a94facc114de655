// The servers over standard input and output: the same tools, nothing else on the wire, an end with the input.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealFrame } from '../../src/domain/facts/seal.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';
import { MINUTE, systemClock } from '../../src/kernel/instant.js';
import { openStore } from '../../src/storage/open.js';
import { ATTENTION_SERVER } from '../../src/surfaces/mcp/attention-tools.js';
import { rowOf } from '../answers/desk.js';

const COMMAND = new URL('../../bin/barograph.js', import.meta.url).pathname;
let folder: string;
let env: Record<string, string>;

/** Records one frame, as the recorder does in a process of its own. */
async function record(at: number, ...tickers: string[]): Promise<void> {
  const file = join(folder, 'archive.sqlite');
  const archive = await (await openStore({ kind: 'sqlite', file }, systemClock)).openWriter();
  const slots = await archive.assignSlots(tickers);
  const rows = tickers.map((ticker, i) => ({ ...rowOf(ticker, { rank: i + 1 }), slot: slots.get(ticker)! }));
  const { highWater } = await archive.extent();
  const sourceSet = { version: 1, sources: ['bluesky'], warming: [], level: 1 };
  await archive.appendFrame(
    sealFrame(
      {
        at,
        cycleSeconds: 15,
        highWater,
        newestKnownAt: at - MINUTE,
        postsUsed: 1,
        postsBackfilled: 0,
        rowCount: rows.length,
        sourceSet,
      },
      rows,
    ),
  );
  await archive.close();
}

const NOW = Math.floor(systemClock() / 15e6) * 15e6;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barograph-stdio-'));
  env = { PATH: process.env['PATH'] ?? '', BAROGRAPH_DATA: folder };
  await record(NOW - 10 * MINUTE, 'NVDA', 'AAPL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function connected(mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', 'attention'], env }),
  );
  return client;
}

describe.each(['legacy', 'auto'] as const)('a client that negotiates: %s', (mode) => {
  it('lists the tools, and its values have the fingerprints that their receipts say', async () => {
    const client = await connected(mode);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(ATTENTION_SERVER.tools.map(({ name }) => name));
      const result = await client.callTool({ name: 'attention_leaderboard', arguments: {} });
      const { value, receipt } = result.structuredContent as {
        value: { leaderboard: { ticker: string }[] };
        receipt: { value_fp: string };
      };
      expect(value.leaderboard.map(({ ticker }) => ticker)).toContain('NVDA');
      expect(receipt.value_fp).toBe(fingerprint(value));
      // Whoever can read the archive's file needs no key.
      const signals = await client.callTool({ name: 'attention_signals', arguments: {} });
      expect(signals.isError).toBeUndefined();
    } finally {
      await client.close();
    }
  });
});

it('sees frames that another process records while it runs', async () => {
  const client = await connected('auto');
  const first = async () => {
    const result = await client.callTool({ name: 'attention_leaderboard', arguments: { limit: 1 } });
    return (result.structuredContent as { value: { leaderboard: { ticker: string }[] } }).value
      .leaderboard[0]!.ticker;
  };
  try {
    expect(await first()).toBe('NVDA');
    await record(NOW - 5 * MINUTE, 'TSLA');
    expect(await first()).toBe('TSLA');
  } finally {
    await client.close();
  }
});

it('writes nothing but the protocol to its output, and ends with its input', async () => {
  const child = spawn(process.execPath, [COMMAND, 'mcp', 'attention'], { env, stdio: 'pipe' });
  let out = '';
  const answered = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('\n')) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const capabilities = {};
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await answered;
  child.stdin.end();
  expect(await ended).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(['2.0']);
});

it('says in one sentence that there is no archive yet', async () => {
  const child = spawn(process.execPath, [COMMAND, 'mcp', 'macro'], {
    env: { ...env, BAROGRAPH_DATA: join(folder, 'nowhere') },
    stdio: 'pipe',
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
  expect(said).toMatch(/^barograph: there is no archive at .* yet\n$/);
});
