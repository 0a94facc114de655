// What the HTTP surface is made from; everything that it touches is handed in.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Feed } from '../../contracts/feed.js';
import type { AnswersTo, Operation } from '../../contracts/operation.js';
import type { RequestEvent } from './ledger.js';
import type { HttpLimits } from './limits.js';
import type { Guard } from './operation-route.js';
import type { ServiceRoute } from './service-route.js';
import type { Upgrade } from './upgrade.js';

export interface HttpSurfaceOptions<Operations extends Record<string, Operation>> {
  readonly operations: Operations;
  readonly answers: AnswersTo<Operations>;
  /** Only for the documents: their routes are among the extra ones, or behind the upgrade. */
  readonly feeds?: Readonly<Record<string, Feed>>;
  readonly version: string;
  /** The address under which clients reach this server, for the documents. */
  readonly publicUrl: string;
  readonly log: (event: RequestEvent) => void;
  /** A registry of its own for every surface: the names of the metrics are fixed. */
  readonly metrics: Registry;
  /** Required as soon as one operation needs a key. */
  readonly guard?: Guard;
  /** Sees the raw request before anything else; true when it has answered. */
  readonly before?: (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean;
  /** Takes over WebSocket handshakes. */
  readonly upgrade?: Upgrade;
  readonly extraRoutes?: readonly ServiceRoute[];
  readonly limits?: Partial<HttpLimits>;
}
