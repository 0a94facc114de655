// Wakes many sleepers with one timer: a ring of slots, one per tick, each holding those whose time falls into it.

export class Wheel<Sleeper> {
  readonly #slots: Sleeper[][];
  readonly #tickMs: number;
  #tick: number;

  /** No sleeper may sleep longer than the ring is long. */
  constructor(tickMs: number, longestMs: number, now: number) {
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: Math.ceil(longestMs / tickMs) + 2 }, () => []);
    this.#tick = Math.floor(now / tickMs);
  }

  /** Returns the tick that will wake the sleeper; one that is put again is recognised by its newest tick. */
  put(sleeper: Sleeper, at: number): number {
    const last = this.#tick + this.#slots.length - 1;
    const tick = Math.min(Math.max(Math.ceil(at / this.#tickMs), this.#tick + 1), last);
    this.#slots[tick % this.#slots.length]!.push(sleeper);
    return tick;
  }

  /** Wakes everybody whose time has come, also after the process was held up for long. */
  turn(now: number, wake: (sleeper: Sleeper, tick: number) => void): void {
    const until = Math.floor(now / this.#tickMs);
    while (this.#tick < until) {
      this.#tick += 1;
      const slot = this.#tick % this.#slots.length;
      const sleepers = this.#slots[slot]!;
      if (sleepers.length === 0) continue;
      this.#slots[slot] = [];
      for (const sleeper of sleepers) wake(sleeper, this.#tick);
    }
  }
}
