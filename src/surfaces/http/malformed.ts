// What never became a request: the parser's own errors and timeouts, answered on the bare socket.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../contracts/failures.js';
import type { Exchanges } from './exchanges.js';
import type { Ledger } from './ledger.js';
import { refusal } from './refusal.js';
import { pairs, type Reply } from './reply.js';

/** The errors that Node hands over with a parser's complaint. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

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

function onTheWire(reply: Reply, requestId: string): Buffer {
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`];
  const headers = [...reply.headers, 'X-Request-Id', requestId, 'Connection', 'close'];
  for (const [name, value] of pairs(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), reply.body]);
}

/** Ends the connection with a refusal; what the client still sends is read for a moment, or a reset would eat the answer. */
export function refuseSocket(socket: Duplex, failure: Failure, requestId: string, lingerMs: number): void {
  socket.on('error', () => socket.destroy());
  socket.end(onTheWire(refusal(failure, requestId), requestId));
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
  socket.resume();
}

interface Surroundings {
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
    const failure = failureOfParser(error);
    const id = pending?.id ?? around.nextId();
    refuseSocket(socket, failure, id, around.lingerMs);
    if (pending === undefined) {
      around.ledger.recordRefused(id, '-', '(malformed)', failure);
    } else {
      pending.answered = true;
      pending.record(around.ledger, failure.status, failure);
    }
  };
}
