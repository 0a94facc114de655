// Stopping: what is in flight is finished, what is idle is closed, what hangs is cut.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectWireRefusal, startSamples } from './harness.js';

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('requests in flight are answered and their connections closed', async () => {
  const running = await startSamples();
  const wire = (await running.wire()).say(get('/sample/slow'));
  await running.stage.arrival();
  const drained = running.surface.drain();
  await sleep(20);
  running.stage.release();
  const response = await wire.next();
  expect([response?.status, response?.headers.get('connection')]).toEqual([200, 'close']);
  expect(await wire.closed()).toBe(true);
  await drained;
  expect(running.events.at(-1)).toMatchObject({ route: '/sample/slow', status: 200 });
});

test('idle connections are closed at once and new ones are not accepted', async () => {
  const running = await startSamples();
  const idle = (await running.wire()).say(get('/sample/board'));
  expect((await idle.next())?.status).toBe(200);
  const begun = performance.now();
  await running.surface.drain();
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(await idle.closed()).toBe(true);
  await expect(running.wire()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a connection on which nothing was ever sent does not keep it waiting', async () => {
  const running = await startSamples({ limits: { drainMs: 60_000 } });
  const mute = await running.wire();
  // Answered on another one: by then the server has met the mute one too.
  await fetch(`${running.url}/sample/board`);
  await running.surface.drain();
  expect(await mute.closed()).toBe(true);
});

test('a request that arrives on a kept connection meanwhile is refused, hot or not', async () => {
  const running = await startSamples();
  await fetch(`${running.url}/sample/board`);
  const slow = (await running.wire()).say(get('/sample/slow'));
  const halves = await Promise.all(
    ['/sample/board', '/sample/typed'].map(async (target) => {
      const wire = await running.wire();
      wire.say(`GET ${target} HTTP/1.1\r\nHo`);
      return wire;
    }),
  );
  await running.stage.arrival();
  await sleep(20);
  const drained = running.surface.drain();
  for (const wire of halves) {
    const response = await wire.say('st: x\r\n\r\n').next();
    expectWireRefusal(response, 'shutting_down');
    expect(response?.headers.get('retry-after')).toBe('1');
    expect(response?.headers.get('connection')).toBe('close');
    expect(await wire.closed()).toBe(true);
  }
  running.stage.release();
  expect((await slow.next())?.status).toBe(200);
  await drained;
});

test('what does not finish is cut in the end, upgraded sockets too', async () => {
  const running = await startSamples({
    limits: { drainMs: 150 },
    upgrade: (_req, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  });
  const hanging = (await running.wire()).say(get('/sample/slow'));
  const upgraded = await running.wire();
  upgraded.say('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect((await upgraded.next())?.status).toBe(101);
  await running.stage.arrival();
  const begun = performance.now();
  await running.surface.drain();
  const took = performance.now() - begun;
  expect(took).toBeGreaterThan(100);
  expect(took).toBeLessThan(2_000);
  expect(await hanging.next()).toBeNull();
  expect(await upgraded.closed()).toBe(true);
  expect(running.events.at(-1)).toMatchObject({ route: '/sample/slow', status: 499, aborted: true });
});

test('draining twice is draining once', async () => {
  const running = await startSamples();
  await Promise.all([running.surface.drain(), running.surface.drain()]);
  await running.surface.drain();
});
