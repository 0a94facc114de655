// One open response of server-sent events on the raw socket: begins, writes, keeps alive, says farewell.
import type { ServerResponse } from 'node:http';
import type { Connection, Farewell } from './connection.js';
import type { Rhythm } from './rhythm.js';
import { type Outlet, type Passage, Valve } from './valve.js';

const HEARTBEAT = Buffer.from(':\n\n');
const RETRY_LEAST_MS = 2_000;
const RETRY_SPREAD_MS = 3_000;

/** Spread out, so that the clients of a stopped process do not all come back at once. */
function retryLine(): string {
  return `retry: ${RETRY_LEAST_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n`;
}

export class SseConnection implements Connection {
  readonly wire = 'sse';
  readonly #res: ServerResponse;
  readonly #rhythm: Rhythm;
  readonly #isWelcome: () => boolean;
  readonly #valve: Valve;

  /** Sends the head. Other headers must have been set on the response before. */
  constructor(res: ServerResponse, rhythm: Rhythm, isWelcome: () => boolean = () => true) {
    this.#res = res;
    this.#isWelcome = isWelcome;
    this.#rhythm = rhythm;
    // The end of the connection is the end of the body: no chunk marks, so that everybody can get the same bytes.
    res.removeHeader('Transfer-Encoding');
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      Connection: 'close',
    });
    res.flushHeaders();
    // Behind another response of the same connection there is no socket yet, and the response keeps the bytes.
    const outlet: Outlet = res.socket ?? res;
    outlet.write(Buffer.from(`${retryLine()}\n`));
    this.#valve = new Valve(outlet, rhythm.now());
  }

  write(bytes: Buffer): Passage {
    return this.#valve.pass(bytes, this.#rhythm.now());
  }

  /** A comment, which clients do not see, but proxies and sockets do. */
  heartbeat(): Passage {
    return this.write(HEARTBEAT);
  }

  mayStay(): boolean {
    return !this.#res.destroyed && this.#isWelcome();
  }

  close(farewell: Farewell): void {
    if (farewell === 'stopping') this.#res.end(`${retryLine()}: this process is stopping\n\n`);
    else this.#res.destroy();
  }
}
