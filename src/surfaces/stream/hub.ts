// Hands the newest frame of a feed to everybody who listens, each at its own interval, all with the same bytes.
import { Cadence } from './cadence.js';
import type { Connection, Farewell } from './connection.js';
import { Editions, type FeedFrame } from './edition.js';
import { SIGN_OF_LIFE } from './message.js';
import type { Rhythm } from './rhythm.js';
import type { Passage } from './valve.js';
import { Wheel } from './wheel.js';

export interface Wish {
  readonly limit: number;
  /** Seconds. */
  readonly interval: number;
  /** The newest frame that the client says it has. */
  readonly lastSeq?: number | null;
}

const TICK_MS = 100;
/** With the tick that may pass until it is noticed, nobody hears nothing for more than 20 seconds. */
const LONGEST_SILENCE_MS = 20_000 - TICK_MS;
/** A frame that is due just now is waited for, so that it does not come right behind a heartbeat. */
const GRACE_MS = 2 * TICK_MS;
const RETRY_MS = 1_000;
/** So many are served in one go before other work gets its turn. */
const SLICE = 512;

class Subscriber {
  connection: Connection | null;
  readonly limit: number;
  readonly intervalMs: number;
  /** Digest of the rows that the client holds. */
  rows: string | null = null;
  /** Something could not be handed over the last time. */
  behind = false;
  /** The next snapshot may not come before. */
  dueAt: number;
  /** Something must have been said by then. */
  beatAt: number;
  /** The tick of the wheel that counts; entries of other ticks are left-overs. */
  tick = -1;

  constructor(connection: Connection, wish: Wish, now: number) {
    this.connection = connection;
    this.limit = wish.limit;
    this.intervalMs = wish.interval * 1_000;
    this.dueAt = now;
    this.beatAt = now;
  }
}

/** One period later; what came a tick early or late does not shift the rhythm. */
function after(at: number, now: number, period: number): number {
  return (now - at <= TICK_MS ? at : now) + period;
}

export class Hub {
  readonly #rhythm: Rhythm;
  readonly #wheel: Wheel<Subscriber>;
  readonly #subscribers = new Set<Subscriber>();
  readonly #cadence = new Cadence(GRACE_MS);
  readonly #stop: () => void;
  #closed = false;
  #editions: Editions | null = null;

  constructor(rhythm: Rhythm) {
    this.#rhythm = rhythm;
    this.#wheel = new Wheel(TICK_MS, LONGEST_SILENCE_MS, rhythm.now());
    this.#stop = rhythm.every(TICK_MS, () => {
      const now = rhythm.now();
      this.#wheel.turn(now, (subscriber, tick) => {
        if (subscriber.tick === tick) this.#wake(subscriber, now);
      });
    });
  }

  get size(): number {
    return this.#subscribers.size;
  }

  publish(frame: FeedFrame): void {
    this.#editions = new Editions(frame);
    this.#cadence.note(this.#rhythm.now());
    this.#deliver(this.#editions, this.#subscribers.values());
  }

  /** The first message goes out at once. The returned function ends the subscription, silently and only once. */
  subscribe(connection: Connection, wish: Wish): () => void {
    // Somebody whose request was still being looked at when the others were sent away.
    if (this.#closed) {
      connection.close('stopping');
      return () => undefined;
    }
    const now = this.#rhythm.now();
    const subscriber = new Subscriber(connection, wish, now);
    this.#subscribers.add(subscriber);
    this.#editions?.refresh();
    if (this.#editions !== null && wish.lastSeq === this.#editions.seq) {
      subscriber.rows = this.#editions.of(wish.limit).rowsDigest;
    }
    this.#wake(subscriber, now);
    return () => this.#forget(subscriber);
  }

  /** Ends the streams of those who have lost the right to listen, without waiting for their next message. */
  review(): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.connection?.mayStay() === false) this.#end(subscriber, 'key_ended');
    }
  }

  /** Says farewell to everybody and stops the clockwork. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const subscriber of this.#subscribers) this.#end(subscriber, 'stopping');
  }

  #deliver(editions: Editions, rest: Iterator<Subscriber>): void {
    const now = this.#rhythm.now();
    for (let served = 0; served < SLICE; served++) {
      const next = rest.next();
      if (next.done === true) return;
      if (now >= next.value.dueAt - TICK_MS && this.#serve(next.value, now) === 'held')
        this.#sleep(next.value, now);
    }
    // Whoever a newer frame has overtaken gets that one instead.
    this.#rhythm.soon(() => {
      if (this.#editions === editions) this.#deliver(editions, rest);
    });
  }

  #wake(subscriber: Subscriber, now: number): void {
    this.#serve(subscriber, now);
    if (subscriber.connection !== null) this.#sleep(subscriber, now);
  }

  #sleep(subscriber: Subscriber, now: number): void {
    const { beatAt, dueAt } = subscriber;
    const { nextBy } = this.#cadence;
    const at = dueAt > now ? dueAt : nextBy > now ? nextBy : beatAt;
    subscriber.tick = this.#wheel.put(subscriber, Math.min(beatAt, at));
  }

  /** Sends a snapshot if it is due and different, else a heartbeat if that is due, else nothing. */
  #serve(subscriber: Subscriber, now: number): Passage | null {
    const { connection } = subscriber;
    if (connection === null) return null;
    const edition = this.#isDue(subscriber, now) ? this.#editions?.of(subscriber.limit) : undefined;
    const changed = edition !== undefined && edition.rowsDigest !== subscriber.rows;
    if (!changed && now < subscriber.beatAt) return null;
    if (!connection.mayStay()) {
      this.#end(subscriber, 'key_ended');
      return null;
    }
    const message = changed ? edition.message : this.#editions?.heartbeat;
    const passage = connection.write(message?.bytes(connection.wire) ?? SIGN_OF_LIFE[connection.wire]);
    if (passage === 'stalled') {
      this.#end(subscriber, 'stalled');
    } else if (passage === 'held') {
      subscriber.behind = true;
      subscriber.beatAt = now + RETRY_MS;
    } else if (changed) {
      subscriber.behind = false;
      subscriber.rows = edition.rowsDigest;
      subscriber.dueAt = after(subscriber.dueAt, now, subscriber.intervalMs);
      subscriber.beatAt = now + Math.min(subscriber.intervalMs + GRACE_MS, LONGEST_SILENCE_MS);
    } else {
      subscriber.beatAt = after(subscriber.beatAt, now, Math.min(subscriber.intervalMs, LONGEST_SILENCE_MS));
    }
    return passage;
  }

  /** Who came between two frames would get each one late for ever; waiting once for the next brings it into step. */
  #isDue({ rows, behind, dueAt, intervalMs }: Subscriber, now: number): boolean {
    if (now < dueAt - TICK_MS) return false;
    return (
      rows === null || behind || !this.#cadence.isNextNear(now, Math.min(intervalMs, LONGEST_SILENCE_MS))
    );
  }

  #end(subscriber: Subscriber, farewell: Farewell): void {
    const { connection } = subscriber;
    this.#forget(subscriber);
    connection?.close(farewell);
  }

  #forget(subscriber: Subscriber): void {
    subscriber.connection = null;
    this.#subscribers.delete(subscriber);
  }
}
