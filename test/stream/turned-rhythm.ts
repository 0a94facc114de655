// A rhythm that stands still until a test turns it.
import type { Rhythm } from '../../src/surfaces/stream/rhythm.js';

interface Task {
  readonly everyMs: number;
  readonly run: () => void;
  nextAt: number;
}

const STEP_MS = 100;

export class TurnedRhythm implements Rhythm {
  #now = 1_000;
  readonly #tasks = new Set<Task>();

  now(): number {
    return this.#now;
  }

  every(everyMs: number, run: () => void): () => void {
    const task = { everyMs, run, nextAt: this.#now + everyMs };
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  soon(task: () => void): void {
    task();
  }

  /** Goes on by so many seconds, step by step, and does what falls due on the way. */
  turn(seconds: number): void {
    const until = this.#now + seconds * 1_000;
    while (this.#now < until) {
      this.#now = Math.min(this.#now + STEP_MS, until);
      for (const task of this.#tasks) {
        while (task.nextAt <= this.#now) {
          task.nextAt += task.everyMs;
          task.run();
        }
      }
    }
  }

  /** As if the process had been held up: everything falls due at once. */
  jump(seconds: number): void {
    this.#now += seconds * 1_000;
    for (const task of this.#tasks) {
      task.nextAt = this.#now + task.everyMs;
      task.run();
    }
  }
}
