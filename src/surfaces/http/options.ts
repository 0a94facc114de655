// What the HTTP surface is made from; everything that it touches is handed in.
import type { IncomingMessage } from 'node:http';
import type { Registry } from 'prom-client';
import type { Allowance } from '../../contracts/caller.js';
import type { Feed } from '../../contracts/feed.js';
import type { Access, AnswersTo, Operation } from '../../contracts/operation.js';
import type { RetiredRoute } from '../../contracts/research/retired.js';
import type { DirectRoute } from './direct-route.js';
import type { Before } from './early.js';
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
  /** Counts a metered call at once, for answers from kept bytes; null where the guard must be asked. */
  readonly spend?: (access: Access, req: IncomingMessage) => Allowance | null;
  /** Required as soon as one operation needs a key. */
  readonly guard?: Guard;
  /** Answers before anything else, from the request line alone. */
  readonly before?: Before;
  /** Routes that `before` answers, for the documents. */
  readonly retired?: readonly RetiredRoute[];
  /** Origins of pages, besides our own, that may read what is answered. */
  readonly allowedOrigins?: readonly string[];
  /** Takes over WebSocket handshakes. */
  readonly upgrade?: Upgrade;
  readonly extraRoutes?: readonly ServiceRoute[];
  /** Answered without the framework, whatever the method, by exact path. */
  readonly direct?: ReadonlyMap<string, DirectRoute>;
  readonly limits?: Partial<HttpLimits>;
}
