// Time as the streams see it: a clock that never goes back, and tasks that come again; tests turn their own.

export interface Rhythm {
  /** Milliseconds since some beginning. */
  now(): number;
  /** Repeats a task until the returned function is called. */
  every(milliseconds: number, task: () => void): () => void;
  /** Lets other work go first. */
  soon(task: () => void): void;
}

export const realRhythm: Rhythm = {
  now: () => performance.now(),
  every(milliseconds, task) {
    const timer = setInterval(task, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
  soon: (task) => void setImmediate(task),
};
