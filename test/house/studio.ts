// A house in miniature: a turned clock, a store, a recorder on the fixture world, for tests of the whole.
import { type Clock, type Instant, parseInstant } from '../../src/kernel/instant.js';

export const NOON: Instant = parseInstant('2026-03-04T15:00:00Z')!;

/** A clock that moves only when it is turned, and wakes those who wait for it. */
export class TurnedClock {
  #now: Instant;
  #sleepers: { at: Instant; wake: () => void }[] = [];

  constructor(now: Instant = NOON) {
    this.#now = now;
  }

  readonly now: Clock = () => this.#now;

  readonly until = (at: Instant): Promise<void> =>
    at <= this.#now
      ? Promise.resolve()
      : new Promise((wake) => {
          this.#sleepers.push({ at, wake });
        });

  /** Goes to an instant and lets everybody who is due finish what they were waiting to do. */
  async turnTo(at: Instant): Promise<void> {
    this.#now = Math.max(this.#now, at);
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }

  wakeAll(): void {
    for (const { wake } of this.#sleepers) wake();
    this.#sleepers = [];
  }
}

/** A gate for tapes whose verdicts do not matter. */
export const POLICY = { veto: 0.7, caution: 0.5, secret: '0'.repeat(64) };
