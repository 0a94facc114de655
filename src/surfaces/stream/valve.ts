// The one rule against slow readers: nothing is handed to a socket that still holds what it was handed before.

/** `held`: skipped, because the reader is behind; `stalled`: it has been behind for too long. */
export type Passage = 'passed' | 'held' | 'stalled';

/** A socket, or a response that stands for one. */
export interface Outlet {
  readonly writableLength: number;
  write(bytes: Buffer): boolean;
}

const PATIENCE_MS = 30_000;

export class Valve {
  readonly #outlet: Outlet;
  #passedAt: number;

  constructor(outlet: Outlet, now: number) {
    this.#outlet = outlet;
    this.#passedAt = now;
  }

  pass(bytes: Buffer, now: number): Passage {
    if (this.#outlet.writableLength > 0) {
      return now - this.#passedAt >= PATIENCE_MS ? 'stalled' : 'held';
    }
    this.#outlet.write(bytes);
    this.#passedAt = now;
    return 'passed';
  }
}
