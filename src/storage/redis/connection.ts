// One way to hold a Redis connection: it fails fast while the server is away and comes back by itself.
import { Redis } from 'ioredis';

export interface RedisConnection {
  readonly redis: Redis;
  /** Settles after the first attempt to connect, whatever came of it; never rejects. */
  readonly attempted: Promise<void>;
  close(): Promise<void>;
}

const CONNECT_MS = 500;
export const ANSWER_MS = 1_000;
const SLOWEST_RETRY_MS = 500;

export function connectRedis(url: string, name: string): RedisConnection {
  const redis = new Redis(checked(url), {
    connectionName: `barograph-${name}`,
    connectTimeout: CONNECT_MS,
    commandTimeout: ANSWER_MS,
    // A command timeout leaves the socket standing. A peer that vanished without a word must be left, too.
    socketTimeout: 2 * ANSWER_MS,
    enableOfflineQueue: false,
    // Never sent twice: the first sending may have been carried out before the connection broke.
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    disableClientInfo: true,
    retryStrategy: (attempt) => Math.min(2 ** attempt * 10, SLOWEST_RETRY_MS),
    // After a failover the old address may lead to a replica: look it up again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Every failed command tells its own caller; without a listener the driver would print connection errors.
  redis.on('error', () => {});

  const attempted = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ANSWER_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', done);
    redis.once('close', done);
  });

  return {
    redis,
    attempted,
    async close() {
      if (redis.status === 'end') return;
      const ended = new Promise<void>((resolve) => {
        redis.once('end', () => resolve());
      });
      // A connection that waits for its next attempt has no socket whose end it could announce.
      const waiting = redis.status === 'reconnecting';
      redis.disconnect();
      if (!waiting) await ended;
    },
  };
}

/** The message alone: the driver's errors carry the failed command, and that may be the one with the password. */
export function withoutSecrets(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : 'unknown failure');
}

function checked(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new Error('the Redis address is not a valid redis:// or rediss:// URL');
  }
  return url;
}
