// The bus over Redis: what one recorder publishes reaches every process that is subscribed at that moment.
import { type Bus, BusUnavailable, type Topic } from '../../ports/bus.js';
import { Listeners } from '../memory/listeners.js';
import { connectRedis, withoutSecrets } from './connection.js';

const PREFIX = 'barograph:';
/** A silent peer is found out by asking it; the subscriber would otherwise wait for ever. */
const HEARTBEAT_MS = 1_000;

export function redisBus({ url }: { readonly url: string }): Bus {
  const publisher = connectRedis(url, 'publisher');
  const subscriber = connectRedis(url, 'subscriber');
  const listeners = new Listeners();
  /** How many listen to each topic; a topic without listeners is absent. */
  const wanted = new Map<Topic, number>();
  /** Topics for which the present connection has confirmed the subscription. */
  const confirmed = new Set<Topic>();
  let answering = true;
  let turn: Promise<void> = Promise.resolve();

  /** Brings the server's subscriptions in line with the listeners; one at a time, so that they cannot cross. */
  const reconcile = (): Promise<void> => {
    turn = turn.then(async () => {
      try {
        for (const topic of wanted.keys()) {
          if (confirmed.has(topic) || subscriber.redis.status !== 'ready') continue;
          await subscriber.redis.subscribe(PREFIX + topic);
          confirmed.add(topic);
        }
        for (const topic of confirmed) {
          if (wanted.has(topic)) continue;
          confirmed.delete(topic);
          await subscriber.redis.unsubscribe(PREFIX + topic);
        }
      } catch {
        // The next heartbeat or the next connection tries again; until then the bus is not healthy.
      }
    });
    return turn;
  };

  const heartbeat = setInterval(() => {
    void Promise.all([publisher.redis.ping(), subscriber.redis.ping()]).then(
      () => {
        answering = true;
        return reconcile();
      },
      () => {
        answering = false;
      },
    );
  }, HEARTBEAT_MS);
  heartbeat.unref();

  subscriber.redis.on('close', () => confirmed.clear());
  subscriber.redis.on('ready', () => void reconcile());
  subscriber.redis.on('message', (channel: string, message: string) => {
    listeners.deliver(channel.slice(PREFIX.length) as Topic, message);
  });

  return {
    async publish(topic, message) {
      await publisher.attempted;
      try {
        await publisher.redis.publish(PREFIX + topic, message);
      } catch (error) {
        answering = false;
        throw new BusUnavailable(withoutSecrets(error));
      }
    },
    async subscribe(topic, listener) {
      const leave = listeners.add(topic, listener);
      wanted.set(topic, (wanted.get(topic) ?? 0) + 1);
      await subscriber.attempted;
      await reconcile();
      let left = false;
      return async () => {
        if (left) return;
        left = true;
        await leave();
        const others = (wanted.get(topic) ?? 1) - 1;
        if (others === 0) wanted.delete(topic);
        else wanted.set(topic, others);
        await reconcile();
      };
    },
    healthy() {
      const connected = publisher.redis.status === 'ready' && subscriber.redis.status === 'ready';
      return answering && connected && [...wanted.keys()].every((topic) => confirmed.has(topic));
    },
    async close() {
      clearInterval(heartbeat);
      listeners.clear();
      wanted.clear();
      await Promise.all([publisher.close(), subscriber.close()]);
    },
  };
}
