import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../kernel/instant.js';
import { memoryCounters } from '../storage/memory/counters.js';
import { PLANS, type Plan } from './plans.js';
import { Prepaid } from './prepaid.js';

const WIDE: Plan = { ...PLANS.operator, requestsPerMinute: 1_000 };

function till(plan: Plan) {
  let now = 1_000 * MINUTE;
  const memory = memoryCounters({ clock: () => now });
  let charges = 0;
  const counters = {
    ...memory,
    admit: (charge: Parameters<typeof memory.admit>[0]) => {
      charges += 1;
      return memory.admit(charge);
    },
  };
  const prepaid = new Prepaid(counters, () => now);
  const account = { bucket: 'key:a', plan };
  return {
    call: async () => {
      const spent = prepaid.spend(account, 'asset_reads');
      if (spent !== null) return { allowance: spent, refusal: null };
      return prepaid.admit(account, 'asset_reads');
    },
    charges: () => charges,
    pass: (by: number) => {
      now += by;
    },
    used: async () => {
      const seen = await memory.peek({
        bucket: 'key:a',
        minuteLimit: plan.requestsPerMinute,
        quota: 'asset_reads',
        dayLimit: plan.perDay.asset_reads,
        cost: 0,
      });
      return seen.minuteUsed;
    },
  };
}

describe('prepaid calls', () => {
  it('are one by one in a narrow plan, to the exact limit', async () => {
    const { call, charges } = till(PLANS.free);
    for (let n = 1; n <= 60; n += 1) expect((await call()).allowance.minuteUsed).toBe(n);
    expect((await call()).refusal?.code).toBe('rate_limited');
    expect(charges()).toBe(61);
  });

  it('are charged in blocks in a wide one, shown one by one, and given out to the last', async () => {
    const { call, charges, used } = till(WIDE);
    for (let n = 1; n <= 1_000; n += 1) {
      const { allowance, refusal } = await call();
      expect([refusal, allowance.minuteUsed, allowance.dayUsed]).toEqual([null, n, n]);
      // A block and a half: the next one is paid for when half of it is spent.
      expect(await used()).toBeLessThanOrEqual(n + 15);
    }
    expect((await call()).refusal?.code).toBe('rate_limited');
    expect(charges()).toBeLessThan(250);
  });

  it('end with their minute', async () => {
    const { call, pass, used } = till(WIDE);
    for (let n = 0; n < 200; n += 1) await call();
    pass(MINUTE);
    expect((await call()).allowance.minuteUsed).toBe(1);
    pass(SECOND);
    expect((await call()).allowance.minuteUsed).toBe(2);
    expect(await used()).toBe(2);
  });
});
