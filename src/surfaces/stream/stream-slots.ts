// How many streams may be open, per caller and in the whole process; a stream without a slot is refused before it begins.
import { Failure } from '../../contracts/failures.js';

/** Besides these, a key has as many as its plan says. */
export interface StreamLimits {
  readonly perAddress: number;
  readonly perProcess: number;
}

export const USUAL_STREAM_LIMITS: StreamLimits = {
  // Many people can stand behind one address.
  perAddress: 64,
  // Below the connections of the server, so that requests still get through when all streams are taken.
  perProcess: 8_000,
};

const RETRY_AFTER_S = 10;

export class StreamSlots {
  readonly #total: number;
  readonly #byCaller = new Map<string, number>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Returns what gives the slot back; calling it again does nothing. */
  take(caller: string, most: number): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= most) throw new Failure('too_many_streams', { retryAfterSeconds: RETRY_AFTER_S });
    if (this.#taken >= this.#total) {
      throw new Failure('streams_exhausted', { retryAfterSeconds: RETRY_AFTER_S });
    }
    this.#byCaller.set(caller, own + 1);
    this.#taken += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#taken -= 1;
      const left = this.#byCaller.get(caller)! - 1;
      if (left === 0) this.#byCaller.delete(caller);
      else this.#byCaller.set(caller, left);
    };
  }
}
