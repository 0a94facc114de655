// The right to write, held by one at a time; those who wait get it in the order in which they came.

export class Claim {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  take(): boolean {
    if (this.#held) return false;
    this.#held = true;
    return true;
  }

  /** Resolves once the claim is ours; rejects with the signal's reason, and then nothing is held. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.take()) return;
    await new Promise<void>((resolve, reject) => {
      const granted = (): void => {
        signal.removeEventListener('abort', gaveUp);
        resolve();
      };
      const gaveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(granted), 1);
        reject(signal.reason);
      };
      this.#waiting.push(granted);
      signal.addEventListener('abort', gaveUp, { once: true });
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }
}
