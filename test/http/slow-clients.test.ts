// Clients that take their time: answered with 408 when it is up, at every stage of a request.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectWireRefusal, type Running, startSamples } from './harness.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples({
    limits: {
      headersTimeoutMs: 200,
      requestTimeoutMs: 400,
      keepAliveTimeoutMs: 100,
      checkEveryMs: 50,
      lingerMs: 200,
    },
  });
});
afterAll(() => running.stop());

test('one who says nothing', async () => {
  const wire = await running.wire();
  expectWireRefusal(await wire.next(), 'request_timeout');
  expect(await wire.closed()).toBe(true);
});

test('one who sends headers drop by drop', async () => {
  const wire = (await running.wire()).say('GET /sample/board HTTP/1.1\r\nHost: x\r\n');
  const dripping = setInterval(() => wire.say('X-A: b\r\n'), 20);
  expectWireRefusal(await wire.next(), 'request_timeout');
  await wire.closed();
  clearInterval(dripping);
});

test('one who sends a body drop by drop', async () => {
  const wire = await running.wire();
  wire.say(
    'POST /sample/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  );
  const dripping = setInterval(() => wire.say(' '), 20);
  const response = await wire.next();
  expectWireRefusal(response, 'request_timeout');
  await wire.closed();
  clearInterval(dripping);
  const id = response?.json()['request_id'];
  const logged = running.events.filter((event) => event.request_id === id);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({
    method: 'POST',
    route: '/sample/batch',
    status: 408,
    error: 'request_timeout',
  });
});

test('one who goes away in the middle of a body', async () => {
  const wire = await running.wire();
  wire.say(
    'POST /sample/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  wire.socket.resetAndDestroy();
  await expect.poll(() => running.events.at(-1)).toMatchObject({ route: '/sample/batch', aborted: true });
});

test('an idle connection is closed without a word', async () => {
  const wire = (await running.wire()).say('GET /sample/board HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await wire.next())?.status).toBe(200);
  expect(await wire.closed()).toBe(true);
});

test('a hundred slow ones do not keep a quick one waiting', async () => {
  const slow = await Promise.all(Array.from({ length: 100 }, () => running.wire()));
  for (const wire of slow) wire.say('GET / HTTP/1.1\r\n');
  const begun = performance.now();
  expect((await fetch(`${running.url}/sample/board`)).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(1_000);
  const answers = await Promise.all(slow.map((wire) => wire.next()));
  expect(answers.every((answer) => answer?.status === 408)).toBe(true);
});
