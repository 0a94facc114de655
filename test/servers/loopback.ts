// Free ports on the loopback address, and waiting until something answers there.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const LOOPBACK = '127.0.0.1';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Tries until the attempt succeeds; throws what it last threw when the patience ends. */
export async function eventually<T>(attempt: () => Promise<T>, patienceMs = 20_000): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= end) throw error;
      await sleep(pause);
    }
  }
}
