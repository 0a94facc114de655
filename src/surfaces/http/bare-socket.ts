// Writes a whole response on a socket past Node's own response, and ends the connection with it.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../contracts/failures.js';
import { refusal } from './refusal.js';
import { pairs, type Reply } from './reply.js';

function onTheWire(reply: Reply, requestId: string): Buffer {
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`];
  const headers = [...reply.headers, 'X-Request-Id', requestId, 'Connection', 'close'];
  for (const [name, value] of pairs(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), reply.body]);
}

/** The connection stays for a moment after the last byte: a reset would eat the answer while the client still sends. */
export function endSocket(socket: Duplex, reply: Reply, requestId: string, lingerMs: number): void {
  socket.on('error', () => socket.destroy());
  socket.end(onTheWire(reply, requestId));
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

/** Ends the connection with a refusal; what the client still sends meanwhile is read and dropped. */
export function refuseSocket(socket: Duplex, failure: Failure, requestId: string, lingerMs: number): void {
  endSocket(socket, refusal(failure, requestId), requestId, lingerMs);
  socket.resume();
}
