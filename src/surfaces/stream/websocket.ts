// The leaderboard over a WebSocket: everything is decided on the upgrade request, and refused there in plain HTTP.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { SNAPSHOT_PROTOCOL } from '../../access/websocket-key.js';
import type { LeaderboardFeedInput } from '../../contracts/attention/stream.js';
import { Failure } from '../../contracts/failures.js';
import type { Feed } from '../../contracts/feed.js';
import { refuseSocket } from '../http/bare-socket.js';
import { elapsedMs, type RequestEvent } from '../http/ledger.js';
import { USUAL_LIMITS } from '../http/limits.js';
import { inputReader } from '../http/operation-input.js';
import { failureOf } from '../http/refusal.js';
import { requestIds } from '../http/request-ids.js';
import { faultOfTarget, pathOf } from '../http/request-target.js';
import type { Upgrade } from '../http/upgrade.js';
import type { Hub } from './hub.js';
import { refuseForeignOrigin } from './origin.js';
import type { Refused } from './refused.js';
import type { Rhythm } from './rhythm.js';
import type { StreamSlots } from './stream-slots.js';
import { WebSocketConnection } from './websocket-connection.js';

export interface Admission {
  readonly keyId: string;
  /** How many streams the plan of the key allows at once. */
  readonly streams: number;
  /** Asked again while the stream is open: false once the key is revoked, expired or without the scope. */
  recheck(): boolean;
}

/** Reads the key from the subprotocols of the handshake and decides about it. */
export type Authenticate = (
  req: IncomingMessage,
  requestId: string,
) => Admission | Failure | Promise<Admission | Failure>;

export interface WebSocketParts {
  readonly hub: Hub;
  readonly slots: StreamSlots;
  readonly rhythm: Rhythm;
  readonly refused: Refused;
  readonly authenticate: Authenticate;
  /** Origins of pages, besides our own, that may connect. */
  readonly allowedOrigins: readonly string[];
  readonly record: (event: RequestEvent) => void;
}

export interface WebSocketSurface {
  readonly upgrade: Upgrade;
  close(): void;
}

const PING_MS = 25_000;
// The declared types of the library do not know the last one yet.
const SERVER: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 1_024,
  // Whatever is offered besides, the key among it, is never said back.
  handleProtocols: () => SNAPSHOT_PROTOCOL,
  closeTimeout: 2_000,
};

export function webSocketSurface(feed: Feed, parts: WebSocketParts): WebSocketSurface {
  const { hub, slots, rhythm } = parts;
  const readInput = inputReader(feed, 0);
  const nextId = requestIds();
  const server = new WebSocketServer(SERVER);
  const open = new Set<WebSocketConnection>();
  const stopPinging = rhythm.every(PING_MS, () => {
    for (const connection of open) connection.ping();
  });
  // What the library itself finds wrong with a handshake.
  const refusers = new WeakMap<Duplex, (failure: Failure) => void>();
  server.on('wsClientError', (error, socket) => {
    refusers.get(socket)?.(new Failure('bad_request', { detail: `${error.message}.` }));
  });

  async function admit(req: IncomingMessage, id: string): Promise<[Admission, LeaderboardFeedInput]> {
    const fault = faultOfTarget(req, USUAL_LIMITS);
    if (fault !== null) throw fault;
    if (pathOf(req.url ?? '') !== feed.path) throw new Failure('not_found');
    refuseForeignOrigin(req, parts.allowedOrigins);
    const admission = await parts.authenticate(req, id);
    if (admission instanceof Failure) throw admission;
    return [admission, (await readInput(req, {})) as LeaderboardFeedInput];
  }

  function begin(ws: WebSocket, socket: Duplex, admission: Admission, wish: LeaderboardFeedInput): void {
    const connection = new WebSocketConnection(ws, socket, () => admission.recheck(), rhythm);
    open.add(connection);
    const leave = hub.subscribe(connection, wish);
    ws.once('close', () => {
      leave();
      open.delete(connection);
    });
  }

  async function handshake(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const startedAt = performance.now();
    const id = nextId();
    const record = (status: number, more: Partial<RequestEvent>) =>
      parts.record({
        request_id: id,
        method: req.method ?? '-',
        route: pathOf(req.url ?? '') === feed.path ? feed.path : '(none)',
        status,
        duration_ms: elapsedMs(startedAt),
        bytes: 0,
        ...more,
      });
    const refuse = (failure: Failure) => {
      refusers.delete(socket);
      refuseSocket(socket, failure, id, USUAL_LIMITS.lingerMs);
      parts.refused('websocket', failure, req, id);
      record(failure.status, { error: failure.code });
    };
    refusers.set(socket, refuse);
    socket.on('error', () => socket.destroy());
    try {
      const [admission, wish] = await admit(req, id);
      if (socket.destroyed) return;
      const release = slots.take(`key ${admission.keyId}`, admission.streams);
      // The end of the socket is the one thing that every way of closing comes to.
      socket.once('close', release);
      server.handleUpgrade(req, socket, head, (ws) => {
        refusers.delete(socket);
        socket.once('close', () => record(101, { bytes: req.socket.bytesWritten }));
        begin(ws, socket, admission, wish);
      });
    } catch (error) {
      refuse(failureOf(error));
    }
  }

  return {
    upgrade: (req, socket, head) => void handshake(req, socket, head),
    close() {
      stopPinging();
      server.close();
    },
  };
}
