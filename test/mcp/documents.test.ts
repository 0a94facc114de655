// What agents read before they call: /llms.txt has every operation and tool, docs/agents.md can be pasted and is true.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { ToolReceipt } from '../../src/contracts/tool-receipt.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';
import { llmsText } from '../../src/surfaces/docs/llms.js';
import { MCP_SERVERS } from '../../src/surfaces/mcp/servers.js';
import { type Running, startSamples } from '../http/harness.js';

const publicUrl = 'http://127.0.0.1:8700';
const tools = Object.values(MCP_SERVERS).flatMap((server) => server.tools);

describe('/llms.txt', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startSamples();
  });
  afterAll(() => running.stop());

  const text = llmsText({ operations: OPERATIONS, publicUrl });

  it('is one heading, a summary, and a line for every operation and every tool', () => {
    expect(text).toMatch(/^# Barograph\n\n> /);
    const lines = text.split('\n');
    for (const { method, path } of Object.values(OPERATIONS)) {
      expect(lines.filter((line) => line.startsWith(`- \`${method} ${path}\`: `))).toHaveLength(1);
    }
    for (const { name } of tools) expect(lines.some((line) => line.startsWith(`- ${name}: `))).toBe(true);
    expect(text.length).toBeLessThan(50_000);
  });

  it('leaves out servers whose operations are not served', () => {
    const { health } = OPERATIONS;
    expect(llmsText({ operations: { health }, publicUrl })).not.toContain('## MCP');
  });

  it('is served as text', async () => {
    const response = await fetch(`${running.url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toMatch(/^# Barograph\n/);
  });
});

describe('docs/agents.md', () => {
  const document = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  const blocks = [...document.matchAll(/```json\n(.*?)```/gs)].map(
    ([, block]) => JSON.parse(block!) as Record<string, unknown>,
  );

  it('has configurations that name the addresses and commands that there are', () => {
    const servers = blocks.flatMap((block) =>
      Object.entries(
        (block['mcpServers'] ?? block['servers'] ?? {}) as Record<string, Record<string, unknown>>,
      ),
    );
    expect(servers.length).toBeGreaterThanOrEqual(6);
    for (const [name, { url, args }] of servers) {
      const [, server] = Object.entries(MCP_SERVERS).find(([, one]) => one.name === name)!;
      if (url !== undefined) expect(url).toBe(publicUrl + server.path);
      else expect(args).toEqual(['/opt/barograph/bin/barograph.js', 'mcp', name.replace('barograph-', '')]);
    }
  });

  it('counts the tools rightly', () => {
    for (const { path, tools: own } of Object.values(MCP_SERVERS)) {
      expect(document).toMatch(new RegExp(`${publicUrl}${path}\` \\|[^|]*\\| ${own.length}\\b`));
    }
  });

  it('shows a session whose fingerprints are those of its values', () => {
    const { value, receipt } = blocks.find((block) => 'receipt' in block)!;
    const told = ToolReceipt.parse(receipt);
    expect(told.value_fp).toBe(fingerprint(value));
    expect(told.args_fp).toBe(fingerprint({ limit: 1 }));
  });
});
