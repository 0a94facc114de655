// Who listens to which topic, and delivery that one bad listener cannot stop.
import type { Topic } from '../../ports/bus.js';

export type Listener = (message: string) => void;

export class Listeners {
  readonly #byTopic = new Map<Topic, Set<{ readonly hear: Listener }>>();

  /** The same function may listen twice; each subscription has its own way out. */
  add(topic: Topic, hear: Listener): () => Promise<void> {
    const subscription = { hear };
    const present = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, present.add(subscription));
    return async () => {
      present.delete(subscription);
    };
  }

  deliver(topic: Topic, message: string): void {
    const present = this.#byTopic.get(topic);
    if (present === undefined) return;
    for (const subscription of Array.from(present)) {
      // One that left while the message was under way must not hear it any more.
      if (!present.has(subscription)) continue;
      try {
        subscription.hear(message);
      } catch {
        // A listener answers for its own faults; the bus goes on to the next one.
      }
    }
  }

  clear(): void {
    for (const present of this.#byTopic.values()) present.clear();
    this.#byTopic.clear();
  }
}
