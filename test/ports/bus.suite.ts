// The promises of the bus port, asked of every bus in the same words.
import { describe, expect, it } from 'vitest';
import type { Bus } from '../../src/ports/bus.js';

export interface OpenedBus {
  readonly publisher: Bus;
  /** Another end of the same bus; it may be the same object. */
  readonly subscriber: Bus;
  readonly remove: () => Promise<void>;
}

async function eventually(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!holds() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
}

export function busSuite(name: string, open: () => Promise<OpenedBus>): void {
  const lent = async (test: (bus: OpenedBus) => Promise<void>): Promise<void> => {
    const bus = await open();
    try {
      await test(bus);
    } finally {
      await bus.remove();
    }
  };

  describe(`${name}: the bus`, () => {
    it('delivers in the order of publication, to every listener of the topic and no other', () =>
      lent(async ({ publisher, subscriber }) => {
        const heard: string[][] = [[], [], [], []];
        await subscriber.subscribe('attention.frame', (message) => heard[0]!.push(message));
        await subscriber.subscribe('attention.frame', (message) => heard[1]!.push(message));
        await publisher.subscribe('attention.frame', (message) => heard[2]!.push(message));
        await subscriber.subscribe('macro.frame', (message) => heard[3]!.push(message));
        const sent = Array.from({ length: 500 }, (_, i) => `{"n":${i},"text":"naïve 🚀"}`);
        for (const message of sent) await publisher.publish('attention.frame', message);
        await eventually(() => heard.slice(0, 3).every((messages) => messages.length === 500));
        expect(heard).toEqual([sent, sent, sent, []]);
      }));

    it('keeps the order of messages that were not waited for', () =>
      lent(async ({ publisher, subscriber }) => {
        const heard: string[] = [];
        await subscriber.subscribe('attention.signals', (message) => heard.push(message));
        const sent = Array.from({ length: 200 }, (_, i) => String(i));
        await Promise.all(sent.map((message) => publisher.publish('attention.signals', message)));
        await eventually(() => heard.length === 200);
        expect(heard).toEqual(sent);
      }));

    it('does not let a listener that throws hurt the others or the publisher', () =>
      lent(async ({ publisher, subscriber }) => {
        const heard: string[] = [];
        await subscriber.subscribe('macro.frame', () => {
          throw new Error('a bad listener');
        });
        await subscriber.subscribe('macro.frame', (message) => heard.push(message));
        await publisher.publish('macro.frame', 'one');
        await publisher.publish('macro.frame', 'two');
        await eventually(() => heard.length === 2);
        expect(subscriber.healthy()).toBe(true);
      }));

    it('lets a listener leave, once, and only itself', () =>
      lent(async ({ publisher, subscriber }) => {
        const heard: string[] = [];
        const listener = (message: string): void => void heard.push(message);
        const leave = await subscriber.subscribe('access.revoked', listener);
        await subscriber.subscribe('access.revoked', listener);
        await publisher.publish('access.revoked', 'a');
        await eventually(() => heard.length === 2);
        await leave();
        await leave();
        await publisher.publish('access.revoked', 'b');
        await eventually(() => heard.length === 3);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(heard).toEqual(['a', 'a', 'b']);
      }));

    it('gives a new listener nothing of the past', () =>
      lent(async ({ publisher, subscriber }) => {
        await publisher.publish('attention.frame', 'before');
        await new Promise((resolve) => setTimeout(resolve, 20));
        const heard: string[] = [];
        await subscriber.subscribe('attention.frame', (message) => heard.push(message));
        await publisher.publish('attention.frame', 'after');
        await eventually(() => heard.length > 0);
        expect(heard).toEqual(['after']);
      }));

    it('carries a message of a megabyte', () =>
      lent(async ({ publisher, subscriber }) => {
        const heard: string[] = [];
        await subscriber.subscribe('attention.frame', (message) => heard.push(message));
        const message = 'é'.repeat(500_000);
        await publisher.publish('attention.frame', message);
        await eventually(() => heard.length === 1);
        expect(heard[0] === message).toBe(true);
      }));

    it('is healthy until it is closed, and may be closed twice', () =>
      lent(async ({ publisher, subscriber }) => {
        await subscriber.subscribe('attention.frame', () => {});
        await eventually(() => publisher.healthy() && subscriber.healthy());
        await publisher.close();
        await publisher.close();
        await subscriber.close();
        expect([publisher.healthy(), subscriber.healthy()]).toEqual([false, false]);
        await expect(publisher.publish('attention.frame', 'late')).rejects.toThrow();
      }));
  });
}
