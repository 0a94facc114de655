// What time it is at the store, as far as its answers tell: an order can so carry a deadline that the store itself can keep.
import { type Instant, MILLISECOND } from '../../kernel/instant.js';

/** Both in milliseconds by a clock that never jumps; whatever the store said lies between them. */
export interface RoundTrip {
  readonly sent: number;
  readonly received: number;
}

export class StoreClock {
  /** How far the store is ahead at least. Until it has answered once, everything is too late for it. */
  #ahead = 0;

  at(moment: number): Instant {
    return Math.floor(moment * MILLISECOND + this.#ahead);
  }

  /** The largest of the lower bounds is the best one, until an answer shows that the store's clock was set back. */
  learn(at: Instant, { sent, received }: RoundTrip): void {
    const atLeast = at - received * MILLISECOND;
    const atMost = at - sent * MILLISECOND;
    if (atLeast > this.#ahead || atMost < this.#ahead) this.#ahead = atLeast;
  }
}
