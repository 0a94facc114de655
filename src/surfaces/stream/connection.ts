// What a hub knows of the other end of a stream, whichever wire it is on.
import type { Passage } from './valve.js';

export type Wire = 'sse' | 'websocket';

/** Why the service ends a stream. */
export type Farewell = 'stalled' | 'stopping' | 'key_ended';

export interface Connection {
  readonly wire: Wire;
  /** The bytes are complete in the form of the wire, and shared: they are never changed. */
  write(bytes: Buffer): Passage;
  /** False as soon as the caller has lost the right to listen. */
  mayStay(): boolean;
  close(farewell: Farewell): void;
}
