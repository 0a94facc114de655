// Counters in Redis: every process that shares the store shares the limits.
import type { Result } from 'ioredis';
import { SECOND } from '../../kernel/instant.js';
import { type Charge, type Counters, CountersUnavailable, type Standing } from '../../ports/counters.js';
import { ADMISSION_SCRIPT, bucketKey } from './admission-script.js';
import { connectRedis, withoutSecrets } from './connection.js';

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
      mode: 'charge' | 'look',
    ): Result<Reply, Context>;
  }
}

export function redisCounters({ url }: { readonly url: string }): Counters {
  const connection = connectRedis(url, 'counters');
  const { redis, attempted } = connection;
  redis.defineCommand('barographAdmission', { numberOfKeys: 1, lua: ADMISSION_SCRIPT });

  const decide = async (charge: Charge, mode: 'charge' | 'look'): Promise<Standing> => {
    await attempted;
    const { bucket, minuteLimit, quota, dayLimit, cost } = charge;
    try {
      return standing(
        await redis.barographAdmission(bucketKey(bucket), minuteLimit, quota, dayLimit, cost, mode),
      );
    } catch (error) {
      throw new CountersUnavailable(withoutSecrets(error));
    }
  };

  return {
    admit: (charge) => decide(charge, 'charge'),
    peek: (charge) => decide(charge, 'look'),
    healthy: () =>
      decide({ bucket: 'health', minuteLimit: 0, quota: 'health', dayLimit: 0, cost: 0 }, 'look').then(
        () => true,
        () => false,
      ),
    close: () => connection.close(),
  };
}

function standing(reply: Reply): Standing {
  const [refused, minuteUsed, dayUsed, minuteReset, dayReset, seconds, microseconds] = reply;
  return {
    refused: refused === 'quota_exceeded' || refused === 'rate_limited' ? refused : null,
    minuteUsed,
    dayUsed,
    minuteResetAt: minuteReset * SECOND,
    dayResetAt: dayReset * SECOND,
    at: Number(seconds) * SECOND + Number(microseconds),
  };
}
