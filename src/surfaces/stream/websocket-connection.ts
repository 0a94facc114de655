// One open WebSocket: writes ready-made frames on its socket, pings, ignores what the client says, says farewell.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection, Farewell } from './connection.js';
import type { Rhythm } from './rhythm.js';
import { type Passage, Valve } from './valve.js';

const CLOSE_CODES: Readonly<Record<Farewell, readonly [code: number, reason: string]>> = {
  stopping: [1001, 'this process is stopping'],
  stalled: [1013, 'the reader was too slow'],
  key_ended: [4401, 'the key has ended'],
};

const MISSED_PONGS = 2;
/** Clients have nothing to say; a few words are overlooked. */
const PATIENT_FOR_MESSAGES = 8;

export class WebSocketConnection implements Connection {
  readonly wire = 'websocket';
  readonly #ws: WebSocket;
  readonly #rhythm: Rhythm;
  readonly #valve: Valve;
  readonly #mayStay: () => boolean;
  #unanswered = 0;
  #messages = 0;

  constructor(ws: WebSocket, socket: Duplex, mayStay: () => boolean, rhythm: Rhythm) {
    this.#ws = ws;
    this.#rhythm = rhythm;
    this.#mayStay = mayStay;
    // Past the library, which would build a head for every single client. Without compression it queues nothing
    // inside, so that its own frames and these follow each other whole.
    this.#valve = new Valve(socket, rhythm.now());
    ws.on('pong', () => {
      this.#unanswered = 0;
    });
    ws.on('message', () => {
      this.#messages += 1;
      if (this.#messages > PATIENT_FOR_MESSAGES) ws.close(1008, 'this feed takes no messages');
    });
    // The library closes with the fitting code; the event must only be heard.
    ws.on('error', () => undefined);
  }

  write(bytes: Buffer): Passage {
    if (this.#ws.readyState !== this.#ws.OPEN) return 'held';
    return this.#valve.pass(bytes, this.#rhythm.now());
  }

  mayStay(): boolean {
    return this.#mayStay();
  }

  close(farewell: Farewell): void {
    this.#ws.close(...CLOSE_CODES[farewell]);
  }

  /** Called in a steady rhythm; a client that leaves two pings unanswered is gone. */
  ping(): void {
    if (this.#unanswered >= MISSED_PONGS) {
      this.#ws.terminate();
    } else if (this.#ws.readyState === this.#ws.OPEN) {
      this.#unanswered += 1;
      this.#ws.ping();
    }
  }
}
