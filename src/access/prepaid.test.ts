import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Quota } from '../contracts/caller.js';
import { DAY, type Instant, MILLISECOND, MINUTE, SECOND } from '../kernel/instant.js';
import type { Charge, Counters, Standing } from '../ports/counters.js';
import { memoryCounters } from '../storage/memory/counters.js';
import { PLANS, type Plan } from './plans.js';
import { PrepaidCounters } from './prepaid.js';

const LIMIT = 1_000;
const WIDE: Plan = { ...PLANS.operator, requestsPerMinute: LIMIT };
/** A hundredth of the limit. */
const MOST_UNSPENT = LIMIT / 100;

class Till {
  now: Instant = 1_000 * DAY + 10 * MINUTE;
  charges = 0;
  down = false;
  readonly store = memoryCounters({ clock: () => this.now });
  readonly plan: Plan;
  readonly prepaid: PrepaidCounters;

  constructor(plan: Plan) {
    this.plan = plan;
    this.prepaid = this.open();
  }

  /** Another process at the same store. */
  open(): PrepaidCounters {
    const counters: Counters = {
      ...this.store,
      admit: (charge) => {
        this.charges += 1;
        return this.store.admit(charge);
      },
      giveBack: (...given) => (this.down ? Promise.reject(new Error('gone')) : this.store.giveBack(...given)),
      close: async () => undefined,
    };
    return new PrepaidCounters(counters, () => this.now);
  }

  charge(quota: Quota = 'asset_reads'): Charge {
    const { requestsPerMinute: minuteLimit, perDay } = this.plan;
    return { bucket: 'key:a', minuteLimit, quota, dayLimit: perDay[quota], cost: 1 };
  }

  async call(at = this.prepaid, quota: Quota = 'asset_reads'): Promise<Standing> {
    return at.spend(this.charge(quota)) ?? (await at.prepay(this.charge(quota)));
  }

  async calls(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.call();
  }
}

const used = ({ minuteUsed, dayUsed }: Standing) => [minuteUsed, dayUsed];

describe('prepaid calls', () => {
  it('are one by one in a narrow plan, to the exact limit', async () => {
    const till = new Till(PLANS.free);
    for (let n = 1; n <= 60; n += 1) expect((await till.call()).minuteUsed).toBe(n);
    expect((await till.call()).refused).toBe('rate_limited');
    expect(till.charges).toBe(61);
  });

  it('are charged in blocks in a wide one, shown one by one, and given out to the last', async () => {
    const till = new Till(WIDE);
    for (let n = 1; n <= LIMIT; n += 1) {
      const standing = await till.call();
      expect([standing.refused, ...used(standing)]).toEqual([null, n, n]);
      expect(used(await till.prepaid.peek(till.charge()))).toEqual([n, n]);
      const charged = (await till.store.peek(till.charge())).minuteUsed;
      expect(charged - n).toBeLessThanOrEqual(Math.min(MOST_UNSPENT, n / 16));
    }
    expect((await till.call()).refused).toBe('rate_limited');
    expect(till.charges).toBeLessThan(350);
  });

  it('are never more than a hundredth of the minute, however many ask at once', async () => {
    const till = new Till(WIDE);
    await till.calls(500);
    let admitted = 500;
    for (let round = 0; round < 12; round += 1) {
      const standings = await Promise.all(Array.from({ length: 50 }, () => till.call()));
      admitted += standings.filter(({ refused }) => refused === null).length;
      const charged = (await till.store.peek(till.charge())).minuteUsed;
      expect(charged).toBeGreaterThanOrEqual(admitted);
      expect(charged - admitted).toBeLessThanOrEqual(MOST_UNSPENT);
      expect(used(await till.prepaid.peek(till.charge()))).toEqual([admitted, admitted]);
    }
    expect(admitted).toBe(LIMIT);
  });

  it('keep nobody out who shares the minute', async () => {
    const till = new Till(WIDE);
    await till.calls(993);
    // As many as are left, all at once, on another account of the day.
    const others = await Promise.all(
      Array.from({ length: 12 }, () => till.prepaid.admit(till.charge('calls'))),
    );
    expect(others.filter(({ refused }) => refused === null)).toHaveLength(7);
    expect(used(await till.prepaid.peek(till.charge()))).toEqual([LIMIT, 993]);
    expect(used(await till.prepaid.peek(till.charge('calls')))).toEqual([LIMIT, 7]);
    expect((await till.call()).refused).toBe('rate_limited');
  });

  it('see what other calls of the same caller have used in the meantime', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    await till.prepaid.admit(till.charge('calls'));
    expect(used(await till.call())).toEqual([402, 401]);
  });

  it('end with their minute, and leave the day as if they had never been paid for', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    expect((await till.store.peek(till.charge())).dayUsed).toBeGreaterThan(400);
    till.now += MINUTE;
    expect(used(await till.call())).toEqual([1, 401]);
    expect(used(await till.store.peek(till.charge()))).toEqual([1, 401]);
    till.now += SECOND;
    expect(used(await till.call())).toEqual([2, 402]);
  });

  it('do not come over midnight', async () => {
    const till = new Till(WIDE);
    till.now = 1_001 * DAY - SECOND;
    await till.calls(400);
    till.now += SECOND;
    expect(used(await till.call())).toEqual([1, 1]);
    expect(used(await till.store.peek(till.charge()))).toEqual([1, 1]);
  });

  it('go back when the process ends', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    await till.prepaid.close();
    expect(used(await till.store.peek(till.charge()))).toEqual([400, 400]);
  });

  it('are counted by other processes until they are back, and by those only', async () => {
    const till = new Till(WIDE);
    const elsewhere = till.open();
    await till.calls(400);
    const seen = (await elsewhere.peek(till.charge())).minuteUsed;
    expect(seen).toBeGreaterThan(400);
    expect(seen).toBeLessThanOrEqual(400 + MOST_UNSPENT);
    expect(used(await till.prepaid.peek(till.charge()))).toEqual([400, 400]);
    await till.prepaid.close();
    expect(used(await elsewhere.peek(till.charge()))).toEqual([400, 400]);
  });

  it('stay counted, and are shown so, where the store does not take them back', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    till.down = true;
    till.now += MINUTE;
    await till.call();
    await new Promise(setImmediate);
    const shown = used(await till.prepaid.peek(till.charge()));
    expect(shown).toEqual(used(await till.store.peek(till.charge())));
    expect(shown[1]).toBeGreaterThan(401);
  });

  it('are no longer bought where the plan has become narrow', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    const narrow = { ...till.charge(), minuteLimit: 60 };
    while (till.prepaid.spend(narrow) !== null);
    expect((await till.prepaid.prepay(narrow)).refused).toBe('rate_limited');
  });
});

describe('of a caller who has fallen silent', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('the calls go back soon after the minute', async () => {
    const till = new Till(WIDE);
    await till.calls(400);
    till.now += MINUTE + SECOND;
    await vi.advanceTimersByTimeAsync((MINUTE + SECOND) / MILLISECOND);
    expect((await till.store.peek(till.charge())).dayUsed).toBe(400);
    await vi.advanceTimersByTimeAsync((2 * MINUTE) / MILLISECOND);
    expect(vi.getTimerCount(), 'nobody is remembered').toBe(0);
  });
});

/** Carries out what it is asked in the order of asking, each a little later, and answers in that order: as over a connection. */
function distant(
  store: Counters,
  delays: Iterator<number>,
): { counters: Counters; idle: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  const later = <T>(ask: () => Promise<T>): Promise<T> => {
    const steps = delays.next().value as number;
    const answer = last.then(async () => {
      for (let n = 0; n < steps; n += 1) await Promise.resolve();
      return ask();
    });
    last = answer;
    return answer;
  };
  return {
    counters: {
      ...store,
      admit: (charge) => later(() => store.admit(charge)),
      peek: (charge) => later(() => store.peek(charge)),
      giveBack: (...given) => later(() => store.giveBack(...given)),
      close: async () => undefined,
    },
    idle: () => new Promise((resolve) => void setImmediate(resolve)),
  };
}

const QUOTAS = ['asset_reads', 'batch_calls', 'calls'] as const;

describe('over a slow store, whatever is asked and when', () => {
  it('exactly the admitted calls are shown, and exactly the limit is admitted', async () => {
    const waves = fc.array(
      fc.record({
        quota: fc.constantFrom(...QUOTAS),
        size: fc.integer({ min: 1, max: 40 }),
        pass: fc.constantFrom(0, 0, 0, SECOND, MINUTE),
      }),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(waves, fc.infiniteStream(fc.integer({ min: 0, max: 4 })), async (all, delays) => {
        const till = new Till({ ...WIDE, requestsPerMinute: 400 });
        const { counters, idle } = distant(till.store, delays[Symbol.iterator]());
        const prepaid = new PrepaidCounters(counters, () => till.now);
        const admitted = { minute: 0, asset_reads: 0, batch_calls: 0, calls: 0 };
        const one = async (quota: Quota): Promise<Standing> => {
          const standing =
            quota === 'calls' ? await prepaid.admit(till.charge(quota)) : await till.call(prepaid, quota);
          const more = standing.refused === null ? 1 : 0;
          admitted[quota] += more;
          admitted.minute += more;
          return standing;
        };
        for (const { quota, size, pass } of all) {
          till.now += pass;
          if (pass === MINUTE) admitted.minute = 0;
          await Promise.all(Array.from({ length: size }, () => one(quota)));
          await idle();
          for (const each of QUOTAS) {
            expect(used(await prepaid.peek(till.charge(each)))).toEqual([admitted.minute, admitted[each]]);
          }
        }
        while ((await one('asset_reads')).refused === null);
        expect(admitted.minute).toBe(400);
        await prepaid.close();
        expect((await till.store.peek(till.charge())).dayUsed).toBe(admitted.asset_reads);
      }),
      { numRuns: 60 },
    );
  });
});
