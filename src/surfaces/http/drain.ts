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

/** How long a connection on which nothing was ever sent may still say what it came for. */
const SILENT_MS = 250;

export function drainOf(server: Server, exchanges: Exchanges, patienceMs: number): Drain {
  const sockets = new Set<Socket>();
  let ended: Promise<void> | undefined;
  // Node forgets sockets that were upgraded; they must not keep the process alive either.
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function end(): Promise<void> {
    // Node waits for them as for a request that is on its way.
    const silent = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SILENT_MS);
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, patienceMs);
    exchanges.closeConnectionsAfterwards();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(silent);
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
