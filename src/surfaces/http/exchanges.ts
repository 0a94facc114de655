// The requests in flight, found by their message or by their socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Exchange } from './exchange.js';
import type { Ledger } from './ledger.js';

export class Exchanges {
  readonly #open = new Set<Exchange>();
  readonly #byRequest = new WeakMap<IncomingMessage, Exchange>();
  readonly #newestBySocket = new WeakMap<Duplex, Exchange>();

  get count(): number {
    return this.#open.size;
  }

  open(id: string, req: IncomingMessage, res: ServerResponse, startedAt: number, ledger: Ledger): Exchange {
    const exchange = new Exchange(id, req, res, startedAt);
    this.#open.add(exchange);
    this.#byRequest.set(req, exchange);
    this.#newestBySocket.set(req.socket, exchange);
    res.once('close', () => {
      this.#open.delete(exchange);
      exchange.record(ledger);
    });
    return exchange;
  }

  of(req: IncomingMessage): Exchange {
    const exchange = this.#byRequest.get(req);
    if (exchange === undefined) throw new Error('the request was never opened');
    return exchange;
  }

  /** The last request of the socket, as long as its response is not through. */
  pendingOn(socket: Duplex): Exchange | undefined {
    const exchange = this.#newestBySocket.get(socket);
    return exchange !== undefined && this.#open.has(exchange) ? exchange : undefined;
  }

  /** The responses that have not begun will close their connection. */
  closeConnectionsAfterwards(): void {
    for (const { res } of this.#open) if (!res.headersSent) res.shouldKeepAlive = false;
  }
}
