// Kept answers: served until the next frame or for five seconds, counted and logged like all others.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GOOD_KEY, type Running, startSamples } from './harness.js';
import type { Stage } from './sample-operations.js';

let running: Running & { readonly stage: Stage };
beforeEach(async () => {
  running = await startSamples({ limits: { keptForMs: 300, keptAnswers: 3, keptBytes: 90 } });
});
afterEach(() => running.stop());

const ask = (target: string, init?: RequestInit) => fetch(running.url + target, init);
const board = async (query = '') => (await (await ask(`/sample/board${query}`)).json()) as { frame: number };

test('the same question is answered once per frame', async () => {
  await board();
  await board();
  expect((await board()).frame).toBe(1);
  expect(running.stage.asked).toBe(1);
  running.stage.frame = 2;
  expect((await board()).frame).toBe(1);
  running.surface.forgetFrame();
  expect((await board()).frame).toBe(2);
  expect(running.stage.asked).toBe(2);
});

test('a kept answer differs from a fresh one by its request id only', async () => {
  const ids = new Set<string>();
  const seen: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const response = await ask('/sample/board?limit=2');
    const headers = new Map(response.headers);
    ids.add(headers.get('x-request-id') ?? '');
    headers.delete('x-request-id');
    headers.delete('date');
    seen.push(JSON.stringify([response.status, [...headers], await response.text()]));
  }
  expect(ids.size).toBe(3);
  expect(new Set(seen).size).toBe(1);
  expect(running.stage.asked).toBe(1);
});

test('HEAD is answered from what GET left, without a body', async () => {
  const length = (await ask('/sample/board')).headers.get('content-length');
  const head = await ask('/sample/board', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, '']);
  expect(running.stage.asked).toBe(1);
  expect(running.events.at(-1)).toMatchObject({ method: 'HEAD', bytes: 0, kept: true });
});

test('nothing is kept longer than its time', async () => {
  await board();
  await new Promise((resolve) => setTimeout(resolve, 350));
  running.stage.frame = 2;
  expect((await board()).frame).toBe(2);
});

test('an answer that was begun before a frame is not kept after it', async () => {
  const answers = running.stage;
  const original = Object.getOwnPropertyDescriptor(answers, 'frame');
  Object.defineProperty(answers, 'frame', {
    configurable: true,
    get: () => {
      running.surface.forgetFrame();
      return 1;
    },
  });
  await board();
  Object.defineProperty(answers, 'frame', { ...original, value: 2 });
  expect((await board()).frame).toBe(2);
});

test('refusals, other methods, keyed and changing answers are not kept', async () => {
  await board('?limit=0');
  await board('?limit=0');
  const key = { headers: { 'x-api-key': GOOD_KEY } };
  const first = await (await ask('/sample/secret', key)).json();
  expect(await (await ask('/sample/secret', key)).json()).not.toEqual(first);
  expect((await ask('/sample/secret')).status).toBe(401);
  await board();
  expect((await ask('/sample/board', { method: 'DELETE' })).status).toBe(405);
  expect(running.events.filter(({ kept }) => kept === true)).toEqual([]);
});

test('the oldest answers give way, by number and by bytes', async () => {
  for (const limit of [1, 2, 3, 4]) await board(`?limit=${limit}`);
  expect(running.stage.asked).toBe(4);
  await board('?limit=4');
  expect(running.stage.asked).toBe(4);
  await board('?limit=1');
  expect(running.stage.asked).toBe(5);
});

test('kept answers are logged by their template and counted in the metrics', async () => {
  await board('?limit=3');
  await board('?limit=3');
  expect(running.events).toHaveLength(2);
  const [fresh, kept] = running.events;
  expect(kept).toMatchObject({
    method: 'GET',
    route: '/sample/board',
    status: 200,
    kept: true,
    bytes: fresh?.bytes,
  });
  expect(JSON.stringify(running.events)).not.toContain('limit=');
  const metrics = await (await ask('/metrics')).text();
  expect(metrics).toContain(
    'http_request_duration_seconds_count{route="/sample/board",method="GET",status="200"} 2',
  );
});
