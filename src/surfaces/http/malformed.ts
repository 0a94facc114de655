// What never became a request: the parser's own errors and timeouts, answered on the bare socket.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../contracts/failures.js';
import { endSocket, refuseSocket } from './bare-socket.js';
import type { Before } from './early.js';
import type { Exchanges } from './exchanges.js';
import type { Ledger } from './ledger.js';

/** The errors that Node hands over with a parser's complaint. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** A target may hold anything here, also what made the parser give up. */
const REQUEST_LINE = /^[A-Z]+ ([^ \r\n]+)/;
const UNFINISHED_REQUEST_LINE = /^[A-Z]+ [^\r\n ]*$/;

export function failureOfParser(error: ParserError): Failure {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('request_timeout');
    case 'HPE_HEADER_OVERFLOW': {
      // One limit covers the request line and the headers; what overflowed shows in the packet.
      const packet = error.rawPacket?.toString('latin1') ?? '';
      return new Failure(UNFINISHED_REQUEST_LINE.test(packet) ? 'uri_too_long' : 'headers_too_large');
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Failure('payload_too_large');
    default:
      return new Failure('bad_request');
  }
}

interface Surroundings {
  readonly before: Before | undefined;
  readonly exchanges: Exchanges;
  readonly ledger: Ledger;
  readonly nextId: () => string;
  readonly lingerMs: number;
}

export function malformedListener(around: Surroundings): (error: ParserError, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const pending = around.exchanges.pendingOn(socket);
    if (pending?.req.complete === true) {
      // The fault lies in what was pipelined behind a good request: that one gets its answer, and nothing follows.
      pending.res.shouldKeepAlive = false;
      pending.res.once('close', () => socket.destroy());
      return;
    }
    if (pending?.res.headersSent === true) {
      socket.destroy();
      return;
    }
    const id = pending?.id ?? around.nextId();
    // A path that no parser takes can still be that of a route which always answers.
    const target = REQUEST_LINE.exec(error.rawPacket?.toString('latin1') ?? '')?.[1];
    const call = { headers: {}, socket: socket as Socket };
    const early = pending || target === undefined ? null : (around.before?.(target, call, id) ?? null);
    if (early?.failure !== undefined) {
      endSocket(socket, early.reply, id, around.lingerMs);
      around.ledger.recordRefused(id, '-', early.route, early.failure);
      return;
    }
    const failure = failureOfParser(error);
    refuseSocket(socket, failure, id, around.lingerMs);
    if (pending === undefined) {
      around.ledger.recordRefused(id, '-', '(malformed)', failure);
    } else {
      pending.answered = true;
      pending.record(around.ledger, failure.status, failure);
    }
  };
}
