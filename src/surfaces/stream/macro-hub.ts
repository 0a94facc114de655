// Tells every listener of the macro stream what differs between the edition that it has and the newest one.
import type { HeldEdition } from '../../answers/macro/held-edition.js';
import {
  channelChanges,
  channelSnapshot,
  heartbeat,
  type SnapshotReason,
  type StreamEvent,
  seqOf,
} from '../../answers/macro/stream-shapes.js';
import { MacroChannel } from '../../contracts/macro/stream.js';
import type { Clock } from '../../kernel/instant.js';
import type { Connection, Farewell } from './connection.js';
import { sseEvent } from './message.js';
import type { Rhythm } from './rhythm.js';

export const HEARTBEAT_MS = 15_000;
const TICK_MS = 1_000;
/** So many are served in one go before other work gets its turn. */
const SLICE = 512;
const NOTHING = Buffer.alloc(0);

/** Where a listener begins: behind an edition that it has, or with a snapshot and the reason for it. */
export type Beginning =
  | { readonly has: HeldEdition }
  | { readonly has: null; readonly reason: SnapshotReason };

interface Listener {
  readonly connection: Connection;
  readonly channels: readonly MacroChannel[];
  /** The edition that the client has in full. */
  has: HeldEdition | null;
  readonly reason: SnapshotReason;
  beatAt: number;
}

export class MacroHub {
  readonly #rhythm: Rhythm;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  /** Bytes towards the newest edition, by what they begin from and their channels: made once, shared by all. */
  readonly #bytes = new Map<string, Buffer>();
  readonly #stop: () => void;
  #newest: HeldEdition | null = null;
  #lastBeat: { second: number; edition: HeldEdition | null; bytes: Buffer } = {
    second: -1,
    edition: null,
    bytes: NOTHING,
  };
  #closed = false;

  constructor(rhythm: Rhythm, clock: Clock) {
    this.#rhythm = rhythm;
    this.#clock = clock;
    this.#stop = rhythm.every(TICK_MS, () => this.#serveAll(this.#listeners.values(), this.#newest));
  }

  get size(): number {
    return this.#listeners.size;
  }

  publish(edition: HeldEdition): void {
    this.#newest = edition;
    this.#bytes.clear();
    this.#serveAll(this.#listeners.values(), edition);
  }

  /** The first events go out at once. The returned function ends the subscription, silently and only once. */
  subscribe(connection: Connection, channels: readonly MacroChannel[], beginning: Beginning): () => void {
    // Somebody whose request was still being looked at when the others were sent away.
    if (this.#closed) {
      connection.close('stopping');
      return () => undefined;
    }
    const listener: Listener = {
      connection,
      channels: MacroChannel.options.filter((channel) => channels.includes(channel)),
      has: beginning.has,
      reason: beginning.has === null ? beginning.reason : 'first',
      beatAt: this.#rhythm.now(),
    };
    this.#listeners.add(listener);
    this.#serve(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends the streams of those who have lost the right to listen. */
  review(): void {
    for (const listener of this.#listeners)
      if (!listener.connection.mayStay()) this.#end(listener, 'key_ended');
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    for (const listener of this.#listeners) this.#end(listener, 'stopping');
  }

  #serveAll(rest: Iterator<Listener>, edition: HeldEdition | null): void {
    for (let served = 0; served < SLICE; served += 1) {
      const next = rest.next();
      if (next.done === true) return;
      this.#serve(next.value);
    }
    // Whoever a newer edition has overtaken is served by its own round.
    this.#rhythm.soon(() => {
      if (this.#newest === edition) this.#serveAll(rest, edition);
    });
  }

  /** Brings a listener to the newest edition; a heartbeat where it is there already and has heard nothing for long. */
  #serve(listener: Listener): void {
    const newest = this.#newest;
    if (newest === null) return;
    const now = this.#rhythm.now();
    const news = listener.has === newest ? NOTHING : this.#towards(newest, listener);
    if (news.length === 0) listener.has = newest;
    if (news.length === 0 && now < listener.beatAt) return;
    if (!listener.connection.mayStay()) {
      this.#end(listener, 'key_ended');
      return;
    }
    const passage = listener.connection.write(news.length === 0 ? this.#beat(newest, now) : news);
    if (passage === 'stalled') this.#end(listener, 'stalled');
    // Held back: the next tick tries again, with whatever is the newest then.
    if (passage !== 'passed') return;
    listener.has = newest;
    listener.beatAt = now + HEARTBEAT_MS;
  }

  #towards(newest: HeldEdition, { has, reason, channels }: Listener): Buffer {
    return this.#shared(`${has === null ? reason : seqOf(has)} ${channels.join()}`, () =>
      channels.flatMap((channel) =>
        has === null
          ? [channelSnapshot(newest, channel, reason, this.#clock())]
          : channelChanges(has, newest, channel),
      ),
    );
  }

  /** Only the last event carries the id: a client that was cut off in between comes back for the whole of it. */
  #shared(key: string, events: () => readonly StreamEvent[]): Buffer {
    const known = this.#bytes.get(key);
    if (known) return known;
    const made = events();
    const last = made.length - 1;
    const bytes = Buffer.concat(
      made.map((event, i) => sseEvent(event.event, JSON.stringify(event), i === last ? event.seq : null)),
    );
    this.#bytes.set(key, bytes);
    return bytes;
  }

  /** The same bytes for all who are due in the same second; it carries the id too, so that a place does not grow old. */
  #beat(newest: HeldEdition, now: number): Buffer {
    const second = Math.floor(now / TICK_MS);
    if (this.#lastBeat.second !== second || this.#lastBeat.edition !== newest) {
      const event = heartbeat(newest, this.#clock());
      const bytes = sseEvent(event.event, JSON.stringify(event), event.seq);
      this.#lastBeat = { second, edition: newest, bytes };
    }
    return this.#lastBeat.bytes;
  }

  #end(listener: Listener, farewell: Farewell): void {
    this.#listeners.delete(listener);
    listener.connection.close(farewell);
  }
}
