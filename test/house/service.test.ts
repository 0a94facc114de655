// The service as a process: first start, answers while it records, a clean stop.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { LeaderboardFrame, TickerPacket } from '../../src/contracts/attention/board.js';
import { Health } from '../../src/contracts/readiness.js';

const BIN = fileURLToPath(new URL('../../bin/barograph.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'barograph-service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(): Promise<{ child: ChildProcess; url: string; greeting: string }> {
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      BAROGRAPH_DATA: folder,
      BAROGRAPH_PORT: '0',
      BAROGRAPH_CYCLE_SECONDS: '2',
      BAROGRAPH_LOG: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = /API\s+(http:\/\/\S+?)\/v1/.exec(text);
      if (match && text.endsWith('\n\n')) resolve(match[1]!);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  return { child, url, greeting: text };
}

async function stop(child: ChildProcess): Promise<number | null> {
  const gone = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  return (await gone)[0];
}

it('starts, serves, records on, and stops within ten seconds', { timeout: 180_000 }, async () => {
  const first = await start();
  expect(first.greeting).toMatch(/Key\s+baro_test_/);
  const board = LeaderboardFrame.parse(await (await fetch(`${first.url}/v1/snapshot/leaderboard`)).json());
  // How many have enough posts to be ranked depends on the hour: nights and Sundays are quiet.
  expect(board.ranked).toBeGreaterThan(5);
  expect(board.leaderboard).toHaveLength(Math.min(25, board.ranked));
  expect(Health.parse(await (await fetch(`${first.url}/health`)).json())).toMatchObject({
    status: 'ok',
    fixture: true,
  });
  const then = new Date(Date.now() - 10 * 86_400_000).toISOString();
  const packet = TickerPacket.parse(
    await (await fetch(`${first.url}/v1/snapshot/ticker/NVDA?as_of=${then}`)).json(),
  );
  expect(packet.receipt.knowledge).toBe('simulated');

  let newer = board;
  while (newer.seq === board.seq) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    newer = LeaderboardFrame.parse(await (await fetch(`${first.url}/v1/snapshot/leaderboard`)).json());
  }
  expect(newer.as_of > board.as_of).toBe(true);
  const askedAt = performance.now();
  expect(await stop(first.child)).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(10_000);

  const second = await start();
  expect(second.greeting).not.toContain('baro_test_');
  expect((await fetch(`${second.url}/v1/snapshot/leaderboard`)).status).toBe(200);
  expect(await stop(second.child)).toBe(0);
});
