// The promises of the counters port, asked of every store in the same words.
import { describe, expect, it } from 'vitest';
import { DAY, floorTo, MINUTE, SECOND } from '../../src/kernel/instant.js';
import type { Charge, Counters } from '../../src/ports/counters.js';
import { T0, type TestClock } from './samples.js';

export interface OpenedCounters {
  readonly counters: Counters;
  /** Another process's view of the same accounts; it may be the same object. */
  readonly elsewhere: Counters;
  /** Absent where the store reads a clock of its own. */
  readonly clock?: TestClock;
  readonly remove: () => Promise<void>;
}

const charge = (over: Partial<Charge> = {}): Charge => ({
  bucket: 'key:a',
  minuteLimit: 5,
  quota: 'asset_reads',
  dayLimit: 8,
  cost: 1,
  ...over,
});

/** A store with a clock of its own may turn the minute in the middle of a test. */
async function awayFromTheTurn({ counters, clock }: OpenedCounters): Promise<void> {
  if (clock !== undefined) return;
  const { at, minuteResetAt } = await counters.peek(charge({ bucket: 'nobody' }));
  const left = minuteResetAt - at;
  if (left < 5 * SECOND) await new Promise((resolve) => setTimeout(resolve, left / 1_000 + 50));
}

export function countersSuite(name: string, open: () => Promise<OpenedCounters>): void {
  const lent = async (test: (opened: OpenedCounters) => Promise<void>): Promise<void> => {
    const opened = await open();
    try {
      await awayFromTheTurn(opened);
      await test(opened);
    } finally {
      await opened.remove();
    }
  };

  describe(`${name}: the counters`, () => {
    it('admits up to the limit of the minute and then refuses without charging', () =>
      lent(async ({ counters, elsewhere }) => {
        for (let n = 1; n <= 5; n++) {
          const standing = await (n % 2 === 0 ? counters : elsewhere).admit(charge());
          expect([standing.refused, standing.minuteUsed, standing.dayUsed]).toEqual([null, n, n]);
        }
        for (let n = 0; n < 20; n++) {
          const standing = await counters.admit(charge());
          expect([standing.refused, standing.minuteUsed, standing.dayUsed]).toEqual(['rate_limited', 5, 5]);
        }
      }));

    it('names the longer wait when both windows are full', () =>
      lent(async ({ counters }) => {
        await counters.admit(charge({ cost: 5, dayLimit: 5 }));
        const standing = await counters.admit(charge({ dayLimit: 5 }));
        expect([standing.refused, standing.minuteUsed, standing.dayUsed]).toEqual(['quota_exceeded', 5, 5]);
      }));

    it('refuses a cost that does not fit, and still admits one that does', () =>
      lent(async ({ counters }) => {
        await counters.admit(charge({ cost: 3 }));
        expect((await counters.admit(charge({ cost: 3 }))).refused).toBe('rate_limited');
        expect((await counters.admit(charge({ cost: 3, minuteLimit: 100, dayLimit: 5 }))).refused).toBe(
          'quota_exceeded',
        );
        const standing = await counters.admit(charge({ cost: 2 }));
        expect([standing.refused, standing.minuteUsed, standing.dayUsed]).toEqual([null, 5, 5]);
      }));

    it('keeps buckets apart, shares the minute between quotas, keeps the days of quotas apart', () =>
      lent(async ({ counters }) => {
        await counters.admit(charge({ cost: 2 }));
        const other = await counters.admit(charge({ quota: 'batch_reads' }));
        expect([other.minuteUsed, other.dayUsed]).toEqual([3, 1]);
        const stranger = await counters.admit(charge({ bucket: 'key:b' }));
        expect([stranger.minuteUsed, stranger.dayUsed]).toEqual([1, 1]);
      }));

    it('peeks without charging', () =>
      lent(async ({ counters }) => {
        expect(await counters.peek(charge())).toMatchObject({ refused: null, minuteUsed: 0, dayUsed: 0 });
        await counters.admit(charge({ cost: 4 }));
        for (let n = 0; n < 5; n++) {
          expect(await counters.peek(charge())).toMatchObject({ refused: null, minuteUsed: 4, dayUsed: 4 });
        }
        expect(await counters.peek(charge({ cost: 2 }))).toMatchObject({
          refused: 'rate_limited',
          minuteUsed: 4,
        });
        expect(await counters.peek(charge({ cost: 5 }))).toMatchObject({
          refused: 'quota_exceeded',
          dayUsed: 4,
        });
        expect(await counters.admit(charge())).toMatchObject({ refused: null, minuteUsed: 5 });
      }));

    it('takes back what was never used, from the windows it was charged in and from no others', () =>
      lent(async ({ counters, elsewhere }) => {
        const { minuteResetAt, dayResetAt } = await counters.admit(charge({ cost: 5 }));
        await counters.admit(charge({ bucket: 'key:b', cost: 4 }));
        const back = { bucket: 'key:a', quota: 'asset_reads', cost: 2 };
        await counters.giveBack(back, { minuteResetAt: minuteResetAt - MINUTE, dayResetAt });
        expect(await elsewhere.peek(charge())).toMatchObject({ minuteUsed: 5, dayUsed: 3 });
        await counters.giveBack(back, { minuteResetAt, dayResetAt: dayResetAt - DAY });
        expect(await elsewhere.peek(charge())).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
        await counters.giveBack({ ...back, quota: 'batch_reads' }, { minuteResetAt, dayResetAt });
        expect(await elsewhere.peek(charge())).toMatchObject({ minuteUsed: 1, dayUsed: 3 });
        await counters.giveBack({ ...back, cost: 9 }, { minuteResetAt, dayResetAt });
        expect(await elsewhere.peek(charge())).toMatchObject({ minuteUsed: 0, dayUsed: 0 });
        expect(await elsewhere.peek(charge({ bucket: 'key:b' }))).toMatchObject({
          minuteUsed: 4,
          dayUsed: 4,
        });
        expect(await elsewhere.admit(charge({ cost: 5 }))).toMatchObject({ refused: null, minuteUsed: 5 });
      }));

    it('says when the windows end, aligned to the UTC minute and day', () =>
      lent(async ({ counters, clock }) => {
        const standing = await counters.admit(charge());
        expect(standing.minuteResetAt).toBe(floorTo(standing.at, MINUTE) + MINUTE);
        expect(standing.dayResetAt).toBe(floorTo(standing.at, DAY) + DAY);
        if (clock !== undefined) expect(standing.at).toBe(clock.now());
      }));

    it('admits exactly as many of many concurrent calls as the limits allow', () =>
      lent(async ({ counters, elsewhere }) => {
        const calls = Array.from({ length: 600 }, (_, n) =>
          (n % 2 === 0 ? counters : elsewhere).admit(charge({ minuteLimit: 150, dayLimit: 100 })),
        );
        const standings = await Promise.all(calls);
        expect(standings.filter(({ refused }) => refused === null)).toHaveLength(100);
        expect(await counters.peek(charge({ minuteLimit: 150 }))).toMatchObject({
          minuteUsed: 100,
          dayUsed: 100,
        });
      }));

    it('turns the minute and the day with the clock', () =>
      lent(async ({ counters, clock }) => {
        if (clock === undefined) return;
        clock.set(floorTo(T0, DAY) + DAY - 30 * SECOND);
        await counters.admit(charge({ cost: 5 }));
        clock.advance(30 * SECOND - 1);
        expect((await counters.admit(charge())).refused).toBe('rate_limited');
        clock.advance(1);
        expect(await counters.peek(charge())).toMatchObject({ refused: null, minuteUsed: 0, dayUsed: 0 });
        expect(await counters.admit(charge())).toMatchObject({ refused: null, minuteUsed: 1, dayUsed: 1 });
        clock.advance(MINUTE);
        expect(await counters.admit(charge())).toMatchObject({ refused: null, minuteUsed: 1, dayUsed: 2 });
        for (let n = 0; n < 3; n++) {
          clock.advance(MINUTE);
          await counters.admit(charge({ cost: 2 }));
        }
        expect(await counters.admit(charge())).toMatchObject({
          refused: 'quota_exceeded',
          minuteUsed: 2,
          dayUsed: 8,
        });
      }));

    it('is healthy', () =>
      lent(async ({ counters }) => {
        expect(await counters.healthy()).toBe(true);
      }));
  });
}
