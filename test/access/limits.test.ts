// How much gets in: exact windows, honest waiting times, closed when nobody counts, and one account per caller.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, floorTo, HOUR, MINUTE, parseInstant, SECOND } from '../../src/kernel/instant.js';
import { expectRefusal } from '../http/harness.js';
import { type Answered, type Gate, openGate, record, textOf } from './gate.js';

let gate: Gate;
const open = async (trusted: readonly string[] = []) => {
  gate = await openGate({ trusted });
  gate.keys(record('free'), record('wide', { plan: 'operator' }));
};
beforeEach(() => open());
afterEach(() => gate.running.stop());

const free = () => textOf('free');
const many = (count: number, ask: () => Promise<Answered>) => Promise.all(Array.from({ length: count }, ask));
const dayUsed = async () => {
  const { body } = await gate.ask('customer_usage', free());
  return (body['usage'] as { day: { used: number } }).day.used;
};
const numberIn = ({ headers }: Answered, name: string) => Number(headers.get(name));

describe('windows', () => {
  test('of 500 calls at once exactly 60 get in, and only those are charged', async () => {
    const answers = await many(500, () => gate.ask('signals', free()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(440);
    expect(await dayUsed()).toBe(60);
    const left = answers
      .filter(({ status }) => status === 200)
      .map((one) => numberIn(one, 'x-ratelimit-remaining'));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  test('the next minute lets in again, and who waits as told is let in', async () => {
    await gate.clock.turnTo(floorTo(gate.clock.now(), MINUTE) + 29 * SECOND + 1);
    await many(60, () => gate.ask('signals', free()));
    const refused = await gate.ask('signals', free());
    expectRefusal(refused.status, refused.body, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('31');
    expect(refused.body['retry_after_s']).toBe(31);
    expect(numberIn(refused, 'x-ratelimit-reset') * SECOND).toBe(floorTo(gate.clock.now(), MINUTE) + MINUTE);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    await gate.clock.turnTo(gate.clock.now() + 31 * SECOND);
    expect((await gate.ask('signals', free())).status).toBe(200);
  });

  test('says all limits with every counted answer', async () => {
    const { headers } = await gate.ask('asset', free());
    const reset = (floorTo(gate.clock.now(), MINUTE) + MINUTE) / SECOND;
    const shown = [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-quota-limit',
      'x-quota-remaining',
    ];
    expect(shown.map((name) => headers.get(name))).toEqual(['60', '59', String(reset), '500', '499']);
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=500;w=86400');
    expect(headers.get('ratelimit')).toBe('"minute";r=59;t=60, "day";r=499;t=32400');
  });

  test('the day ends at midnight UTC, also on a leap day', async () => {
    await gate.clock.turnTo(parseInstant('2028-02-29T23:50:00Z')!);
    for (let used = 0; used < 500; used += 50) {
      await many(50, () => gate.ask('asset', free()));
      await gate.clock.turnTo(gate.clock.now() + MINUTE - (used === 450 ? MINUTE : 0));
    }
    const refused = await gate.ask('asset', free());
    expectRefusal(refused.status, refused.body, 'quota_exceeded');
    expect(numberIn(refused, 'retry-after')).toBe(60);
    expect(refused.headers.get('x-quota-remaining')).toBe('0');
    expect((await gate.ask('signals', free())).status, 'another account').toBe(200);
    await gate.clock.turnTo(parseInstant('2028-03-01T00:00:00Z')! - 1);
    expect((await gate.ask('asset', free())).status).toBe(429);
    await gate.clock.turnTo(parseInstant('2028-03-01T00:00:00Z')!);
    const again = await gate.ask('asset', free());
    expect([again.status, again.headers.get('x-quota-remaining')]).toEqual([200, '499']);
  });

  test('20 batch calls a day, which are no asset reads', async () => {
    const answers = await many(25, () => gate.ask('batch', free()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 429)!;
    expectRefusal(refused.status, refused.body, 'quota_exceeded');
    expect((await gate.ask('asset', free())).headers.get('x-quota-remaining')).toBe('499');
  });

  test('one key does not use up another', async () => {
    await many(70, () => gate.ask('signals', free()));
    expect((await gate.ask('signals', textOf('wide'))).headers.get('x-ratelimit-remaining')).toBe('5999');
  });
});

describe('the usage of a key', () => {
  test('a thousand looks change nothing, and the body says what the headers say', async () => {
    await many(7, () => gate.ask('signals', free()));
    await many(3, () => gate.ask('asset', free()));
    const looks = await many(1_000, () => gate.ask('customer_usage', free()));
    expect(new Set(looks.map(({ text }) => text)).size).toBe(1);
    const [{ body, headers }] = looks as [Answered, ...Answered[]];
    expect(body).toMatchObject({
      contract_version: 'customer_usage.v1',
      generated_at: '2026-03-04T15:00:00.000Z',
      customer: { customer_id: 'free', key_id: 'free', plan: 'free', state: 'active', environment: 'live' },
      usage: {
        minute: { start: '2026-03-04T15:00:00.000Z', end: '2026-03-04T15:01:00.000Z', used: 10 },
        day: {
          start: '2026-03-04T00:00:00.000Z',
          end: '2026-03-05T00:00:00.000Z',
          used: 7,
          unit: 'requests',
        },
        operations: [
          { operation: 'asset_reads', day: { used: 3 } },
          { operation: 'batch_calls', day: { used: 0 } },
        ],
      },
      limits: { minute: 60, day: 5_000, batch_items: 25, keys: 1 },
      remaining: {
        minute: 50,
        day: 4_993,
        operations: [
          { operation: 'asset_reads', day: 497 },
          { operation: 'batch_calls', day: 20 },
        ],
      },
      billing: { mode: 'none', state: 'ok', tokens: null, period: null, currency: null },
    });
    expect([headers.get('x-ratelimit-remaining'), headers.get('x-quota-remaining')]).toEqual(['50', '4993']);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-quota-limit')]).toEqual(['60', '5000']);
  });

  test('a thousand calls of a wide plan are a thousand, in the headers and in the body', async () => {
    const wide = () => textOf('wide');
    const remaining: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const answers = await many(20, () => gate.ask('asset', wide()));
      remaining.push(...answers.map((one) => numberIn(one, 'x-ratelimit-remaining')));
    }
    expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 1_000 }, (_, n) => 5_999 - n));
    const { body, headers } = await gate.ask('customer_usage', wide());
    expect(body).toMatchObject({
      usage: {
        minute: { used: 1_000 },
        day: { used: 0 },
        operations: [{ operation: 'asset_reads', day: { used: 1_000 } }, { day: { used: 0 } }],
      },
      remaining: { minute: 5_000, operations: [{ day: 1_999_000 }, { day: 200_000 }] },
    });
    expect(headers.get('x-ratelimit-remaining')).toBe('5000');
    expect((await gate.ask('signals', wide())).headers.get('x-ratelimit-remaining')).toBe('4999');
    expect((await gate.ask('asset', wide())).headers.get('x-ratelimit-remaining')).toBe('4998');
  });

  test('still answers when everything is used up', async () => {
    await many(61, () => gate.ask('signals', free()));
    const { status, body } = await gate.ask('customer_usage', free());
    expect([status, body['remaining']]).toMatchObject([200, { minute: 0, day: 4_940 }]);
  });

  test('is about the key that asks', async () => {
    await gate.ask('signals', free());
    const { body } = await gate.ask('customer_usage', textOf('wide'));
    expect(body).toMatchObject({ customer: { key_id: 'wide' }, usage: { day: { used: 0 } } });
  });
});

describe('when the counters do not answer', () => {
  test.each(['signals', 'asset', 'batch', 'customer_usage'] as const)('%s is closed', async (name) => {
    gate.counters.down = true;
    const { status, body, headers } = await gate.ask(name, free());
    expectRefusal(status, body, 'rate_limit_unavailable');
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-store, max-age=0');
    expect(gate.lines.join('')).toContain('limiter.unavailable');
  });

  test('what counts nothing goes on, refusals come first, and everything comes back', async () => {
    gate.counters.down = true;
    expect((await gate.ask('open', free())).status).toBe(200);
    expect((await gate.ask('realness', free())).status).toBe(200);
    expect((await gate.ask('signals')).status).toBe(401);
    expect((await gate.ask('asset')).status).toBe(503);
    gate.counters.down = false;
    expect((await gate.ask('signals', free())).status).toBe(200);
  });
});

describe('without a key', () => {
  const left = async (forwarded?: string) =>
    numberIn(
      await gate.ask('asset', undefined, forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }),
      'x-quota-remaining',
    );

  test('a stranger cannot become many by claiming other addresses', async () => {
    expect([await left('1.1.1.1'), await left('2.2.2.2'), await left()]).toEqual([499, 498, 497]);
  });

  test('behind a trusted proxy every address has its account, and an IPv6 network one', async () => {
    await gate.running.stop();
    await open(['127.0.0.0/8']);
    expect([await left('1.1.1.1'), await left('2.2.2.2'), await left('1.1.1.1')]).toEqual([499, 499, 498]);
    expect([await left('9.9.9.9, 1.1.1.1'), await left('8.8.8.8, 1.1.1.1')]).toEqual([497, 496]);
    expect([await left('::ffff:1.1.1.1'), await left('::ffff:101:101')]).toEqual([495, 494]);
    expect([
      await left('2001:db8::1'),
      await left('2001:db8::ffff:2'),
      await left('2001:db8:0:1::1'),
    ]).toEqual([499, 498, 499]);
    expect(await left('2001:db8:9::1.1.1.1')).toBe(499);
  });

  test('500 asset reads a day, 60 a minute, and no account of a key is touched', async () => {
    const answers = await many(70, () => gate.ask('asset'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect((await gate.ask('asset', free())).headers.get('x-quota-remaining')).toBe('499');
  });

  test('the account outlives the hour and ends with the day', async () => {
    await left();
    await gate.clock.turnTo(gate.clock.now() + HOUR);
    expect(await left()).toBe(498);
    await gate.clock.turnTo(floorTo(gate.clock.now(), DAY) + DAY);
    expect(await left()).toBe(499);
  });

  test('a batch needs a key', async () => {
    const { status, body } = await gate.ask('batch');
    expectRefusal(status, body, 'unauthorized');
  });

  test('the audit holds no whole address', async () => {
    await gate.running.stop();
    await open(['127.0.0.0/8']);
    await gate.ask('batch', undefined, { 'X-Forwarded-For': '203.0.113.77' });
    await gate.ask('batch', undefined, { 'X-Forwarded-For': '2001:db8:aa:bb:cc::1' });
    const said = gate.lines.join('');
    expect(said).toContain('"client":"203.0.113.0/24"');
    expect(said).toContain('"client":"2001:db8:aa:0:0:0:0:0/48"');
    expect(said).not.toContain('203.0.113.77');
  });
});
