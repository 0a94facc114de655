// Requests that want another protocol: WebSocket goes to its own handler, the rest is told that nothing changes here.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../contracts/failures.js';
import { endSocket, refuseSocket } from './bare-socket.js';
import type { Drain } from './drain.js';
import type { Before } from './early.js';
import type { Ledger } from './ledger.js';

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Surroundings {
  readonly before: Before | undefined;
  readonly drain: Drain;
  readonly ledger: Ledger;
  readonly nextId: () => string;
  readonly lingerMs: number;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
}

export function listenForUpgrades(server: Server, upgrade: Upgrade | undefined, around: Surroundings): void {
  const refuse = (req: IncomingMessage, socket: Duplex, failure: Failure) => {
    const id = around.nextId();
    refuseSocket(socket, failure, id, around.lingerMs);
    around.ledger.recordRefused(id, req.method ?? '-', '(upgrade)', failure);
  };

  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    refuse(req, socket, new Failure('method_not_allowed', { detail: 'This is not a proxy.' }));
  });
  // Without a listener Node ignores the header, which is what the protocol asks for.
  if (upgrade === undefined) return;

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = around.nextId();
    const early = around.before?.(req.url ?? '', req, id) ?? null;
    if (early?.failure !== undefined) {
      endSocket(socket, early.reply, id, around.lingerMs);
      around.ledger.recordRefused(id, req.method ?? '-', early.route, early.failure);
    } else if (around.drain.begun) refuse(req, socket, new Failure('shutting_down'));
    else if (req.headers.upgrade?.toLowerCase() === 'websocket') upgrade(req, socket, head);
    else if (req.method === 'GET' || req.method === 'HEAD') answerPlainly(req);
    // Node has stopped parsing, so a body could not be read any more.
    else
      refuse(
        req,
        socket,
        new Failure('bad_request', { detail: 'This connection cannot change its protocol.' }),
      );
  });

  /** Some clients offer HTTP/2 with every first request and expect an ordinary answer where it is not spoken. */
  function answerPlainly(req: IncomingMessage): void {
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(req.socket);
    res.once('finish', () => req.socket.end());
    around.handle(req, res);
  }
}
