// The bus between two threads of one process: both ends publish, both ends hear everything.
import { type Bus, BusUnavailable, type Topic } from '../../ports/bus.js';
import { Listeners } from './listeners.js';

/** The part of a `MessagePort` of `node:worker_threads` that the bus needs. */
export interface PortEnd {
  postMessage(value: unknown): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  unref?(): void;
  close(): void;
}

/** Marks the bus's own messages on a port that may carry others. */
interface Carried {
  readonly bus: Topic;
  readonly message: string;
}

const isCarried = (value: unknown): value is Carried =>
  typeof value === 'object' && value !== null && 'bus' in value && 'message' in value;

export function portBus(port: PortEnd): Bus {
  const listeners = new Listeners();
  let open = true;
  port.on('message', (value) => {
    if (open && isCarried(value)) listeners.deliver(value.bus, value.message);
  });
  port.on('close', () => {
    open = false;
  });
  // The bus alone must not keep a process alive that is done with everything else.
  port.unref?.();
  return {
    async publish(topic, message) {
      if (!open) throw new BusUnavailable(new Error('closed'));
      port.postMessage({ bus: topic, message } satisfies Carried);
      listeners.deliver(topic, message);
    },
    subscribe: async (topic, listener) => listeners.add(topic, listener),
    healthy: () => open,
    async close() {
      if (open) port.close();
      open = false;
      listeners.clear();
    },
  };
}
