// Counters in Redis: every process that shares the store shares the limits.
import type { Result } from 'ioredis';
import { DAY, MINUTE, SECOND } from '../../kernel/instant.js';
import { type Charge, type Counters, CountersUnavailable, type Standing } from '../../ports/counters.js';
import { ADMISSION_SCRIPT, bucketKey, GIVE_BACK_SCRIPT } from './admission-script.js';
import { ANSWER_MS, connectRedis, withoutSecrets } from './connection.js';
import { StoreClock } from './store-clock.js';

type Mode = 'charge' | 'look';
type Reply = [
  refused: string,
  minuteUsed: number,
  dayUsed: number,
  minuteReset: number,
  dayReset: number,
  seconds: string,
  microseconds: string,
];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    barographAdmission(
      key: string,
      minuteLimit: number,
      quota: string,
      dayLimit: number,
      cost: number,
      mode: Mode,
      deadline: number,
    ): Result<Reply, Context>;
    barographGiveBack(
      key: string,
      quota: string,
      cost: number,
      minute: number,
      day: number,
    ): Result<null, Context>;
  }
}

/** A charge later than this would come too late: its answer has to be back before the caller is told otherwise. */
const CHARGE_WITHIN_MS = ANSWER_MS - 100;

export function redisCounters({ url }: { readonly url: string }): Counters {
  const connection = connectRedis(url, 'counters');
  const { redis, attempted } = connection;
  redis.defineCommand('barographAdmission', { numberOfKeys: 1, lua: ADMISSION_SCRIPT });
  redis.defineCommand('barographGiveBack', { numberOfKeys: 1, lua: GIVE_BACK_SCRIPT });
  const storeClock = new StoreClock();

  const ask = async (charge: Charge, mode: Mode, begun: number): Promise<Reply> => {
    const { bucket, minuteLimit, quota, dayLimit, cost } = charge;
    const sent = performance.now();
    const deadline = storeClock.at(begun + CHARGE_WITHIN_MS);
    const reply = await redis.barographAdmission(
      bucketKey(bucket),
      minuteLimit,
      quota,
      dayLimit,
      cost,
      mode,
      deadline,
    );
    storeClock.learn(storeTime(reply), { sent, received: performance.now() });
    return reply;
  };

  const decide = async (charge: Charge, mode: Mode): Promise<Standing> => {
    await attempted;
    const begun = performance.now();
    try {
      const reply = await ask(charge, mode, begun);
      if (reply[0] !== 'late') return standing(reply);
      // Nothing was charged. Where it is not late at all, the store's clock was not known well; now it is.
      const again = await within(begun + ANSWER_MS, ask(charge, mode, begun));
      if (again[0] === 'late') throw new Error('the store was too slow');
      return standing(again);
    } catch (error) {
      throw new CountersUnavailable(withoutSecrets(error));
    }
  };

  return {
    admit: (charge) => decide(charge, 'charge'),
    peek: (charge) => decide(charge, 'look'),
    async giveBack({ bucket, quota, cost }, { minuteResetAt, dayResetAt }) {
      await attempted;
      const minute = minuteResetAt / MINUTE - 1;
      const day = dayResetAt / DAY - 1;
      try {
        await redis.barographGiveBack(bucketKey(bucket), quota, cost, minute, day);
      } catch (error) {
        throw new CountersUnavailable(withoutSecrets(error));
      }
    },
    healthy: () =>
      decide({ bucket: 'health', minuteLimit: 0, quota: 'health', dayLimit: 0, cost: 0 }, 'look').then(
        () => true,
        () => false,
      ),
    close: () => connection.close(),
  };
}

/** Two attempts together take no longer than one may. */
async function within<T>(end: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store was too slow')), end - performance.now());
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function storeTime([, , , , , seconds, microseconds]: Reply): number {
  return Number(seconds) * SECOND + Number(microseconds);
}

function standing(reply: Reply): Standing {
  const [refused, minuteUsed, dayUsed, minuteReset, dayReset] = reply;
  return {
    refused: refused === 'quota_exceeded' || refused === 'rate_limited' ? refused : null,
    minuteUsed,
    dayUsed,
    minuteResetAt: minuteReset * SECOND,
    dayResetAt: dayReset * SECOND,
    at: storeTime(reply),
  };
}
