// The bus inside one thread: messages reach the listeners in the order of publication.
import { type Bus, BusUnavailable, type Topic } from '../../ports/bus.js';
import { Listeners } from './listeners.js';

export function memoryBus(): Bus {
  const listeners = new Listeners();
  const waiting: { readonly topic: Topic; readonly message: string }[] = [];
  let open = true;
  let delivering = false;
  return {
    async publish(topic, message) {
      if (!open) throw new BusUnavailable(new Error('closed'));
      waiting.push({ topic, message });
      // A listener may publish; its message waits until everyone has heard the present one.
      if (delivering) return;
      delivering = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        listeners.deliver(next.topic, next.message);
      }
      delivering = false;
    },
    subscribe: async (topic, listener) => listeners.add(topic, listener),
    healthy: () => open,
    async close() {
      open = false;
      listeners.clear();
    },
  };
}
