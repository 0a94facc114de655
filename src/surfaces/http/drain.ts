// Stopping without breaking an answer: no new connections, requests in flight finish, the rest is cut in the end.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchanges } from './exchanges.js';

export interface Drain {
  readonly begun: boolean;
  /** Settles when the last connection is closed. */
  begin(): Promise<void>;
}

export function drainOf(server: Server, exchanges: Exchanges, patienceMs: number): Drain {
  const sockets = new Set<Socket>();
  let ended: Promise<void> | undefined;
  // Node forgets sockets that were upgraded; they must not keep the process alive either.
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function end(): Promise<void> {
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, patienceMs);
    exchanges.closeConnectionsAfterwards();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(cut);
    // The server counts a destroyed socket as gone before it is closed and its response recorded.
    await Promise.all([...sockets].map((socket) => once(socket, 'close')));
  }

  return {
    get begun() {
      return ended !== undefined;
    },
    begin() {
      ended ??= end();
      return ended;
    },
  };
}
