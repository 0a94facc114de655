// Lets one task through at a time, in the order of arrival.

export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();

  pass<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task, task);
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** Resolves when all who queued before have passed. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
