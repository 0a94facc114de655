// When frames come, as far as the last two tell: who is out of step with them waits for the next one.

export class Cadence {
  /** How late a frame may be and still be waited for. */
  readonly #graceMs: number;
  #at = Number.NEGATIVE_INFINITY;
  #period = Number.POSITIVE_INFINITY;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  note(now: number): void {
    this.#period = now - this.#at;
    this.#at = now;
  }

  /** Until then the next frame should be there; in the past, or endless, where nobody can tell. */
  get nextBy(): number {
    return this.#at + this.#period + this.#graceMs;
  }

  /** True when the newest frame has aged and the next is near enough to wait for it. */
  isNextNear(now: number, patienceMs: number): boolean {
    const wait = this.nextBy - now;
    return now - this.#at > this.#period / 8 && wait > 0 && wait - this.#graceMs < patienceMs;
  }
}
