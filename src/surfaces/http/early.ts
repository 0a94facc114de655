// Answers that are given on the raw request line, before the request is looked at in any other way.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Arrival } from '../../access/client-address.js';
import type { Failure } from '../../contracts/failures.js';
import { endSocket } from './bare-socket.js';
import type { Exchange } from './exchange.js';
import type { Ledger } from './ledger.js';
import type { Reply } from './reply.js';

export interface Early {
  /** The template under which it is recorded. */
  readonly route: string;
  readonly reply: Reply;
  readonly failure?: Failure;
}

/** Sees the target of every request as it stands in the request line; null where it has nothing to say. */
export type Before = (target: string, call: Arrival, requestId: string) => Early | null;

/** How much of a body is to come at the most, as far as the headers tell. */
function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

interface Patience {
  readonly bodyBytes: number;
  readonly lingerMs: number;
}

/** A short body is passed over by Node; with a long one the connection ends, and the body is left unread. */
export function answerEarly(exchange: Exchange, early: Early, patience: Patience, ledger: Ledger): void {
  const { req, res } = exchange;
  exchange.route = early.route;
  if (bodyBytes(req) <= patience.bodyBytes) {
    exchange.send(early.reply, early.failure);
    return;
  }
  res.shouldKeepAlive = false;
  if (!isNext(req, res)) {
    exchange.send(early.reply, early.failure);
    return;
  }
  exchange.answered = true;
  endSocket(req.socket, { ...early.reply, ...headless(req, early.reply) }, exchange.id, patience.lingerMs);
  exchange.record(ledger, early.reply.status, early.failure);
}

/** False while an earlier request of the same connection still waits for its answer. */
function isNext({ socket }: IncomingMessage, res: ServerResponse): boolean {
  return res.socket === socket;
}

function headless({ method }: IncomingMessage, { body }: Reply): { readonly body: Buffer } {
  return { body: method === 'HEAD' ? Buffer.alloc(0) : body };
}
