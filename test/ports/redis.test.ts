// The bus and the counters against a real Redis server, also while it is hurt.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bus, BusUnavailable } from '../../src/ports/bus.js';
import { type Charge, type Counters, CountersUnavailable } from '../../src/ports/counters.js';
import { bucketKey } from '../../src/storage/redis/admission-script.js';
import { redisBus } from '../../src/storage/redis/bus.js';
import { redisCounters } from '../../src/storage/redis/counters.js';
import { bundleForNode } from '../servers/bundle.js';
import { admitsExactly, type Counted } from '../servers/exactness.js';
import { installed, redisBinary } from '../servers/installed.js';
import { eventually } from '../servers/loopback.js';
import { type RedisServer, startRedis } from '../servers/redis.js';
import { busSuite } from './bus.suite.js';
import { countersSuite } from './counters.suite.js';

/** What a caller may wait at most before it is told that the store is away. */
const PATIENCE_MS = 1_200;
const DAY_SECONDS = 86_400;

let buckets = 0;
const charge = (over: Partial<Charge> = {}): Charge => ({
  bucket: `test-${++buckets}`,
  minuteLimit: 1_000_000,
  quota: 'reads',
  dayLimit: 1_000_000,
  cost: 1,
  ...over,
});

async function unavailable(ask: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await expect(ask()).rejects.toThrow(CountersUnavailable);
  expect(performance.now() - start).toBeLessThan(PATIENCE_MS);
}

describe.skipIf(!installed('Redis', redisBinary()))('redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  busSuite('redis', async () => {
    const publisher = redisBus({ url: server.url });
    const subscriber = redisBus({ url: server.url });
    return {
      publisher,
      subscriber,
      async remove() {
        await Promise.all([publisher.close(), subscriber.close()]);
      },
    };
  });

  countersSuite('redis', async () => {
    await server.ask('FLUSHALL');
    const counters = redisCounters({ url: server.url });
    const elsewhere = redisCounters({ url: server.url });
    return {
      counters,
      elsewhere,
      async remove() {
        await Promise.all([counters.close(), elsewhere.close()]);
      },
    };
  });

  describe('counters', () => {
    let counters: Counters;
    beforeEach(() => {
      counters = redisCounters({ url: server.url });
    });
    afterEach(() => counters.close());

    it('admits exactly the limit under five thousand concurrent calls', () =>
      admitsExactly(1_000, async () => {
        const shared = charge({ dayLimit: 1_000 });
        const calls = await Promise.allSettled(Array.from({ length: 5_000 }, () => counters.admit(shared)));
        const heard = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
        const admitted = heard.filter(({ refused }) => refused === null).length;
        const used = (await eventually(() => counters.peek(shared))).dayUsed;
        expect(used).toBeGreaterThanOrEqual(admitted);
        expect(used).toBeLessThanOrEqual(1_000);
        return { admitted, timedOut: calls.length - heard.length };
      }));

    it('admits exactly the limit to four processes', async () => {
      const bundle = await bundleForNode(
        fileURLToPath(new URL('../../src/storage/redis/counters.ts', import.meta.url)),
      );
      const script = (shared: Charge) => `
        const { redisCounters } = await import(${JSON.stringify(bundle.file)});
        const counters = redisCounters({ url: ${JSON.stringify(server.url)} });
        const charge = ${JSON.stringify(shared)};
        while (!(await counters.healthy()));
        let admitted = 0, timedOut = 0;
        for (let round = 0; round < 10; round++) {
          const calls = await Promise.allSettled(Array.from({ length: 40 }, () => counters.admit(charge)));
          admitted += calls.filter(({ value }) => value?.refused === null).length;
          timedOut += calls.filter(({ status }) => status === 'rejected').length;
        }
        await counters.close();
        console.log(JSON.stringify({ admitted, timedOut }));`;
      const run = promisify(execFile);
      try {
        await admitsExactly(700, async () => {
          const own = ['--input-type=module', '-e', script(charge({ dayLimit: 700 }))];
          const outputs = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, own)));
          const said = outputs.map(({ stdout }) => JSON.parse(stdout) as Counted);
          const sum = (name: keyof Counted) => said.reduce((all, one) => all + one[name], 0);
          return { admitted: sum('admitted'), timedOut: sum('timedOut') };
        });
      } finally {
        bundle.remove();
      }
    });

    it('leaves the day alone when the minute refuses, and the minute when the day refuses', async () => {
      const call = charge({ minuteLimit: 2, dayLimit: 10 });
      await counters.admit(call);
      await counters.admit(call);
      for (let i = 0; i < 5; i++) {
        expect(await counters.admit(call)).toMatchObject({
          refused: 'rate_limited',
          minuteUsed: 2,
          dayUsed: 2,
        });
      }
      const dear = { ...call, cost: 9 };
      expect(await counters.admit(dear)).toMatchObject({
        refused: 'quota_exceeded',
        minuteUsed: 2,
        dayUsed: 2,
      });
    });

    it('keeps one expiring hash for each bucket, and looks without writing', async () => {
      const call = charge();
      await counters.peek(call);
      expect(await server.ask(`EXISTS ${bucketKey(call.bucket)}`)).toBe(':0\r\n');
      const { at } = await counters.admit(call);
      await counters.admit({ ...call, quota: 'batches' });
      expect(await server.ask(`TYPE ${bucketKey(call.bucket)}`)).toBe('+hash\r\n');
      const expiry = Number((await server.ask(`EXPIRETIME ${bucketKey(call.bucket)}`)).slice(1));
      const today = Math.floor(at / 1e6 / DAY_SECONDS);
      expect(expiry).toBe((today + 2) * DAY_SECONDS);
      const before = await server.ask(`HGETALL ${bucketKey(call.bucket)}`);
      await counters.peek(call);
      expect(await server.ask(`HGETALL ${bucketKey(call.bucket)}`)).toBe(before);
    });

    it('forgets windows that have passed although their hash is still there', async () => {
      const call = charge({ minuteLimit: 3, dayLimit: 3 });
      await server.ask(`HSET ${bucketKey(call.bucket)} mw 1 mc 99 dw:reads 1 dc:reads 99`);
      expect(await counters.admit(call)).toMatchObject({ refused: null, minuteUsed: 1, dayUsed: 1 });
    });

    it('goes on when the script cache was flushed', async () => {
      await counters.admit(charge());
      await server.ask('SCRIPT FLUSH SYNC');
      expect((await counters.admit(charge())).refused).toBeNull();
    });

    it('says so when the server is gone, and recovers when it is back', async () => {
      await counters.admit(charge());
      await server.kill();
      await unavailable(() => counters.admit(charge()));
      await unavailable(() => counters.peek(charge()));
      expect(await counters.healthy()).toBe(false);
      await server.start();
      await eventually(() => counters.admit(charge()), 5_000);
      expect(await counters.healthy()).toBe(true);
    });

    it('does not charge twice when the server dies in the middle of a call', async () => {
      await counters.admit(charge());
      server.pause();
      const calls = Array.from({ length: 20 }, () => counters.admit(charge()));
      const settled = Promise.allSettled(calls);
      await server.kill();
      for (const outcome of await settled) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'CountersUnavailable' } });
      }
      await server.start();
      await eventually(() => counters.admit(charge()), 5_000);
      expect(await server.ask('DBSIZE')).toBe(':1\r\n');
    });

    it('says so when the server stands still, and recovers when it moves again', async () => {
      await counters.admit(charge());
      server.pause();
      try {
        await Promise.all([
          unavailable(() => counters.admit(charge())),
          unavailable(() => counters.peek(charge())),
        ]);
        await unavailable(() => counters.admit(charge()));
        const fresh = redisCounters({ url: server.url });
        await unavailable(() => fresh.admit(charge()));
        await fresh.close();
        expect(await counters.healthy()).toBe(false);
      } finally {
        server.resume();
      }
      await eventually(() => counters.admit(charge()), 5_000);
    });

    it('charges nothing for a call that it gave up while the server stood still', async () => {
      const call = charge();
      await counters.admit(call);
      server.pause();
      try {
        const refused = Array.from({ length: 20 }, () => unavailable(() => counters.admit(call)));
        await Promise.all(refused);
      } finally {
        server.resume();
      }
      // The server carries out what lies in its socket before it listens to anybody new.
      const after = await eventually(() => counters.peek(call), 5_000);
      expect(after).toMatchObject({ minuteUsed: 1, dayUsed: 1 });
    });

    it('charges a call once that waited, but not too long', async () => {
      const call = charge();
      await counters.admit(call);
      server.pause();
      const waiting = counters.admit(call);
      setTimeout(() => server.resume(), 300);
      expect(await waiting).toMatchObject({ refused: null, minuteUsed: 2, dayUsed: 2 });
      expect(await counters.peek(call)).toMatchObject({ minuteUsed: 2, dayUsed: 2 });
    });

    it('counts at once in a process that has just come', async () => {
      const fresh = redisCounters({ url: server.url });
      const standings = await Promise.all(Array.from({ length: 50 }, () => fresh.admit(charge())));
      expect(standings.map(({ minuteUsed }) => minuteUsed)).toEqual(Array.from({ length: 50 }, () => 1));
      await fresh.close();
    });

    it('treats a read-only replica as unavailable, also for a look', async () => {
      const replica = await startRedis('--replicaof', '127.0.0.1', String(server.port));
      const there = redisCounters({ url: replica.url });
      try {
        await unavailable(() => there.admit(charge()));
        await unavailable(() => there.peek(charge()));
        expect(await there.healthy()).toBe(false);
      } finally {
        await there.close();
        await replica.stop();
      }
    });

    it('never shows the password', async () => {
      const there = redisCounters({ url: server.url.replace('redis://', 'redis://someone:hunter2@') });
      const error = await there.admit(charge()).then(
        () => null,
        (reason: unknown) => reason,
      );
      await there.close();
      expect(error).toBeInstanceOf(CountersUnavailable);
      const cause = (error as CountersUnavailable).cause;
      expect(
        JSON.stringify([error, cause, String(error), String(cause), Object.entries(cause ?? {})]),
      ).not.toContain('hunter2');
      expect(() => redisCounters({ url: 'http://hunter2@x' })).not.toThrow('hunter2');
    });
  });

  describe('bus', () => {
    it('goes on after the server was away, and says when it is not healthy', async () => {
      const bus = redisBus({ url: server.url });
      const heard: string[] = [];
      await bus.subscribe('macro.frame', (message) => heard.push(message));
      expect(bus.healthy()).toBe(true);
      await bus.publish('macro.frame', 'before');
      await server.kill();
      await expect(bus.publish('macro.frame', 'lost')).rejects.toThrow(BusUnavailable);
      expect(bus.healthy()).toBe(false);
      await server.start();
      await eventually(async () => expect(bus.healthy()).toBe(true), 5_000);
      await bus.publish('macro.frame', 'after');
      await eventually(async () => expect(heard).toEqual(['before', 'after']), 5_000);
      await bus.close();
    });

    it('notices a server that stands still', async () => {
      const bus = redisBus({ url: server.url });
      const heard: string[] = [];
      await bus.subscribe('attention.frame', (message) => heard.push(message));
      server.pause();
      try {
        await eventually(async () => expect(bus.healthy()).toBe(false), 5_000);
      } finally {
        server.resume();
      }
      await eventually(async () => expect(bus.healthy()).toBe(true), 5_000);
      await bus.publish('attention.frame', 'again');
      await eventually(async () => expect(heard).toContain('again'), 5_000);
      await bus.close();
    });

    it('takes a subscription while the server is away', async () => {
      await server.kill();
      const bus = redisBus({ url: server.url });
      const heard: string[] = [];
      await bus.subscribe('access.revoked', (message) => heard.push(message));
      expect(bus.healthy()).toBe(false);
      await server.start();
      await eventually(async () => expect(bus.healthy()).toBe(true), 5_000);
      await bus.publish('access.revoked', 'key');
      await eventually(async () => expect(heard).toEqual(['key']), 5_000);
      await bus.close();
    });

    it('reaches every process once and keeps to its own channels', async () => {
      const buses = Array.from({ length: 3 }, () => redisBus({ url: server.url }));
      const heard = buses.map((): string[] => []);
      await Promise.all(buses.map((bus, i) => bus.subscribe('attention.signals', (m) => heard[i]?.push(m))));
      const [publisher] = buses as [Bus, ...Bus[]];
      const messages = Array.from({ length: 500 }, (_, i) => JSON.stringify({ i, text: 'π' }));
      await Promise.all(messages.map((message) => publisher.publish('attention.signals', message)));
      await eventually(async () => expect(heard).toEqual([messages, messages, messages]), 5_000);
      expect(await server.ask('PUBSUB CHANNELS *')).toContain('barograph:attention.signals');
      await Promise.all(buses.map((bus) => bus.close()));
    });
  });
});
