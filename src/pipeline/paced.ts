// Runs long work in slices, so that whoever shares the thread is never kept waiting.

const SLICE_MS = 12;

export interface Pace {
  /** Lets the others go first when the slice is used up; throws when the work is no longer wanted. */
  readonly rest: () => Promise<void>;
  /** Runs a generator to its end, resting between its steps. */
  run<T>(steps: Generator<void, T>): Promise<T>;
}

export function pacedBy(signal?: AbortSignal, sliceMs = SLICE_MS): Pace {
  let startedAt = performance.now();
  const rest = async (): Promise<void> => {
    signal?.throwIfAborted();
    if (performance.now() - startedAt < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  };
  return {
    rest,
    async run(steps) {
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        await rest();
      }
    },
  };
}
