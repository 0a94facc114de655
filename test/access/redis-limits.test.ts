// Limits by a real Redis, through the guard: exact for many processes, closed while it is hurt, open again by itself.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessGuard } from '../../src/access/guard.js';
import { Keyring } from '../../src/access/keyring.js';
import { PLANS } from '../../src/access/plans.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import type { Failure } from '../../src/contracts/failures.js';
import { RETIRED_ROUTES } from '../../src/contracts/research/retired.js';
import { HOUR, MINUTE, SECOND, systemClock } from '../../src/kernel/instant.js';
import type { Counters } from '../../src/ports/counters.js';
import { bucketKey } from '../../src/storage/redis/admission-script.js';
import { redisCounters } from '../../src/storage/redis/counters.js';
import { expectRefusal } from '../http/harness.js';
import { bundleForNode } from '../servers/bundle.js';
import { admitsExactly, type Counted } from '../servers/exactness.js';
import { installed, redisBinary } from '../servers/installed.js';
import { eventually } from '../servers/loopback.js';
import { type RedisServer, startRedis } from '../servers/redis.js';
import { type Gate, openGate, record, textOf } from './gate.js';
import type { Task, Told } from './guard-child.js';

/** What a caller may wait at most before it is told that the store is away. */
const PATIENCE_MS = 1_200;
const LEFT = 1_000;
const CALLS = 5_000;

describe.skipIf(!installed('Redis', redisBinary()))('limits in Redis', () => {
  let server: RedisServer;
  let counters: Counters;
  let gate: Gate;
  beforeAll(async () => {
    server = await startRedis();
    counters = redisCounters({ url: server.url });
    gate = await openGate({ counters });
    gate.keys(record('wide', { plan: 'operator' }), record('free'));
  });
  afterAll(async () => {
    await gate?.running.stop();
    await counters?.close();
    await server?.stop();
  });
  beforeEach(() => server.ask('FLUSHALL'));

  const hash = bucketKey('key:wide');
  const dayLimit = PLANS.operator.perDay.calls;
  /** Leaves a thousand calls of the day, so that the minute, which may turn meanwhile, decides nothing. */
  async function leaveAThousand(): Promise<void> {
    const seconds = Number(/\d{9,}/.exec(await server.ask('TIME'))![0]);
    const day = Math.floor(seconds / 86_400);
    await server.ask(`HSET ${hash} dw:calls ${day} dc:calls ${dayLimit - LEFT}`);
  }
  /** The store turns the minute by its own clock, also in the middle of a test. */
  async function awayFromTheTurn(): Promise<void> {
    const nobody = { bucket: 'nobody', minuteLimit: 1, quota: 'none', dayLimit: 1, cost: 0 };
    const { at, minuteResetAt } = await counters.peek(nobody);
    const left = minuteResetAt - at;
    if (left < 10 * SECOND) await new Promise((resolve) => setTimeout(resolve, left / 1_000 + 50));
  }
  const usedToday = async () => Number(/\r\n(\d+)\r\n/.exec(await server.ask(`HGET ${hash} dc:calls`))![1]);
  const records = () =>
    JSON.stringify({ keys: ['wide', 'warm'].map((id) => record(id, { plan: 'operator' })) });

  /** Whatever was told, it was one of three things. */
  function counted(times: (code: string) => number): Counted {
    const [admitted, refused, timedOut] = ['admitted', 'quota_exceeded', 'rate_limit_unavailable'].map(
      times,
    ) as [number, number, number];
    expect(admitted + refused + timedOut).toBe(CALLS);
    return { admitted, timedOut };
  }

  describe('admit exactly as many as there are', () => {
    it('of five thousand at once', async () => {
      const keyring = new Keyring(systemClock);
      keyring.load(records());
      const guard = accessGuard({
        keyring,
        counters: new PrepaidCounters(counters, systemClock),
        audit: () => undefined,
        clock: systemClock,
        trustedProxies: [],
        addressSecret: new Uint8Array(32),
      });
      const operation = { name: 'signals', access: { kind: 'key', scope: 'signals:read' } } as const;
      const ask = (key: string) =>
        guard(operation, { headers: { 'x-api-key': key }, socket: {} }, () => undefined, 'r').then(
          () => 'admitted',
          (error: unknown) => (error as Failure).code,
        );
      // Code that runs for the first time would use up the patience that is meant for the store.
      for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 100 }, () => ask(textOf('warm'))));
      await admitsExactly(LEFT, async () => {
        await leaveAThousand();
        const told = await Promise.all(Array.from({ length: CALLS }, () => ask(textOf('wide'))));
        const times = (code: string) => told.filter((one) => one === code).length;
        return counted(times);
      });
      expect(await usedToday()).toBe(dayLimit);
    });

    it('of four processes, two of which are an hour off', async () => {
      const bundle = await bundleForNode(fileURLToPath(new URL('./guard-child.ts', import.meta.url)));
      const run = promisify(execFile);
      const before = systemClock();
      const resets: number[] = [];
      const ask = async (skew: number): Promise<Told> => {
        const task: Task = {
          url: server.url,
          records: records(),
          key: textOf('wide'),
          calls: CALLS / 4,
          wave: 250,
          skew,
        };
        const { stdout } = await run(process.execPath, [bundle.file, JSON.stringify(task)]);
        return JSON.parse(stdout) as Told;
      };
      try {
        await admitsExactly(LEFT, async () => {
          await leaveAThousand();
          const said = await Promise.all([0, HOUR, -HOUR, 0].map(ask));
          resets.push(...said.flatMap((one) => one.resets));
          return counted((code) => said.reduce((all, { told }) => all + (told[code] ?? 0), 0));
        });
        expect(await usedToday()).toBe(dayLimit);
        const latest = (systemClock() + MINUTE) / SECOND;
        for (const reset of resets) {
          expect(reset * SECOND).toBeGreaterThan(before);
          expect(reset).toBeLessThanOrEqual(latest);
        }
      } finally {
        bundle.remove();
      }
    });

    it('and charge no day for what the minute refuses', async () => {
      await awayFromTheTurn();
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => gate.ask('signals', textOf('free'))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      const { body } = await gate.ask('customer_usage', textOf('free'));
      expect(body).toMatchObject({ usage: { day: { used: 60 }, minute: { used: 60 } } });
    });
  });

  it('work in a cluster, where a script may touch one slot only', async () => {
    const cluster = await startRedis('--cluster-enabled', 'yes');
    const there = redisCounters({ url: cluster.url });
    try {
      expect(await cluster.ask('CLUSTER ADDSLOTSRANGE 0 16383')).toBe('+OK\r\n');
      await eventually(async () => expect(await cluster.ask('CLUSTER INFO')).toContain('cluster_state:ok'));
      for (let n = 1; n <= 40; n++) {
        const charge = { bucket: `key:${n}`, minuteLimit: 2, quota: 'calls', dayLimit: 9, cost: 1 };
        expect((await there.admit(charge)).dayUsed).toBe(1);
        expect((await there.admit({ ...charge, quota: 'asset_reads' })).minuteUsed).toBe(2);
        expect((await there.admit(charge)).refused).toBe('rate_limited');
        expect((await there.peek(charge)).dayUsed).toBe(1);
      }
    } finally {
      await there.close();
      await cluster.stop();
    }
  });

  describe('are closed while the store is', () => {
    const closed = async (): Promise<void> => {
      const begun = performance.now();
      const answers = await Promise.all([
        gate.ask('signals', textOf('free')),
        gate.ask('asset'),
        gate.ask('customer_usage', textOf('free')),
      ]);
      expect(performance.now() - begun).toBeLessThan(PATIENCE_MS);
      for (const { status, body, headers } of answers) {
        expectRefusal(status, body, 'rate_limit_unavailable');
        expect(headers.get('retry-after')).toBe('1');
        expect(headers.get('x-ratelimit-limit')).toBeNull();
        expect(headers.get('vary')).toBe('X-API-Key');
      }
    };
    /** What asks no store goes on, at its usual speed. */
    const untouched = async (): Promise<void> => {
      expect((await gate.ask('open', textOf('free'))).status).toBe(200);
      expect((await gate.ask('realness', textOf('free'))).status).toBe(200);
      expect((await gate.ask('signals', 'nonsense')).status).toBe(401);
      for (const { method, path } of RETIRED_ROUTES) {
        expect((await fetch(gate.running.url + path.replace(/\{\w+\}/, 'A'), { method })).status).toBe(410);
      }
      const metrics = await (await fetch(`${gate.running.url}/metrics`)).text();
      expect(metrics).toMatch(/^barograph_refusals_total\{code="rate_limit_unavailable"\} [1-9]/m);
      expect(metrics).toMatch(/^barograph_refusals_total\{code="warming_up"\} 0$/m);
      expect((await fetch(`${gate.running.url}/livez`)).status).toBe(200);
    };
    const usedByDay = async () => {
      const { body } = await gate.ask('customer_usage', textOf('free'));
      return (body as { usage: { day: { used: number } } }).usage.day.used;
    };
    const open = () =>
      eventually(async () => {
        const { status } = await gate.ask('signals', textOf('free'));
        if (status === 503) throw new Error('still closed');
      }, 10_000);

    it('killed, and started again', { retry: 2 }, async () => {
      await open();
      await server.kill();
      try {
        await closed();
        await untouched();
        await closed();
      } finally {
        await server.start();
      }
      await open();
    });

    it('standing still, and moving again', { retry: 2 }, async () => {
      await open();
      const before = await usedByDay();
      server.pause();
      try {
        await closed();
        await untouched();
        await closed();
      } finally {
        server.resume();
      }
      // The store now carries out what it was sent meanwhile; nobody waits for that, and nobody pays for it.
      expect(await eventually(usedByDay, 10_000)).toBe(before);
      await open();
    });

    it('slower than anybody waits', { retry: 2 }, async () => {
      await open();
      await server.ask('CLIENT PAUSE 2500 ALL');
      await closed();
      await untouched();
      await open();
    });

    it('and the audit has it, without a secret', () => {
      const said = gate.lines.join('');
      expect(said).toContain('"event":"limiter.unavailable"');
      expect(said).not.toContain(textOf('free'));
      expect(said).not.toContain(server.url);
    });
  });
});
