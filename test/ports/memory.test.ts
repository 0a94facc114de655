// The memory stores against the suites of their ports.
import { MessageChannel } from 'node:worker_threads';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { portBus } from '../../src/storage/memory/port-bus.js';
import { archiveSuite } from './archive.suite.js';
import { busSuite } from './bus.suite.js';
import { countersSuite } from './counters.suite.js';
import { testClock } from './samples.js';

archiveSuite('memory', async (clock) => ({ store: memoryStore({ clock }), remove: async () => {} }));

busSuite('memory', async () => {
  const bus = memoryBus();
  return { publisher: bus, subscriber: bus, remove: () => bus.close() };
});

busSuite('message port', async () => {
  const { port1, port2 } = new MessageChannel();
  const [publisher, subscriber] = [portBus(port1), portBus(port2)];
  return {
    publisher,
    subscriber,
    async remove() {
      await publisher.close();
      await subscriber.close();
    },
  };
});

countersSuite('memory', async () => {
  const clock = testClock();
  const counters = memoryCounters({ clock: clock.now });
  return { counters, elsewhere: counters, clock, remove: () => counters.close() };
});
