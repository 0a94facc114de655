// The two streams of the leaderboard around one hub: what the composition plugs into the HTTP server.
import type { IncomingMessage } from 'node:http';
import { Gauge, type Registry } from 'prom-client';
import { type Network, networkOf } from '../../access/address.js';
import type { Audit } from '../../access/audit.js';
import { clientAddress } from '../../access/client-address.js';
import { liveFreshness } from '../../answers/board-shapes.js';
import type { LiveBoard } from '../../answers/live-board.js';
import { leaderboardFrame } from '../../answers/snapshot.js';
import {
  type LeaderboardHeartbeat,
  leaderboardSocket,
  leaderboardStream,
} from '../../contracts/attention/stream.js';
import { Failure } from '../../contracts/failures.js';
import type { Clock } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import type { RequestEvent } from '../http/ledger.js';
import { refusalCounter } from '../http/refusal-counter.js';
import type { ServiceRoute } from '../http/service-route.js';
import type { Upgrade } from '../http/upgrade.js';
import type { FeedFrame } from './edition.js';
import { Hub } from './hub.js';
import { auditedRefusals } from './refused.js';
import { type Rhythm, realRhythm } from './rhythm.js';
import { sseRoute } from './sse.js';
import { type StreamLimits, StreamSlots, USUAL_STREAM_LIMITS } from './stream-slots.js';
import { type Authenticate, webSocketSurface } from './websocket.js';

/** An IPv6 customer owns at least a /64. */
const ONE_CALLER = { v4: 32, v6: 64 };

export interface LeaderboardStreamsOptions {
  readonly live: Pick<LiveBoard, 'latest' | 'onChange'>;
  readonly clock: Clock;
  readonly authenticate: Authenticate;
  readonly record: (event: RequestEvent) => void;
  readonly audit?: Audit;
  readonly metrics: Registry;
  readonly allowedOrigins?: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly Network[];
  /** Tells when keys have changed, so that streams of an ended key end at once. */
  readonly onKeysChange?: (listener: () => void) => void;
  readonly limits?: Partial<StreamLimits>;
  /** Shared with the other streams of the process. */
  readonly slots?: StreamSlots;
  readonly rhythm?: Rhythm;
}

export interface LeaderboardStreams {
  readonly routes: readonly ServiceRoute[];
  readonly upgrade: Upgrade;
  /** Says farewell to everybody; call it after the server has stopped accepting. */
  close(): void;
}

export function feedFrame(published: NonNullable<LiveBoard['latest']>, clock: Clock): FeedFrame {
  const { header } = published;
  const freshness = () => liveFreshness(header, clock());
  return {
    seq: header.sequence,
    freshness,
    snapshot: (limit) => leaderboardFrame(published, limit, freshness()),
    heartbeat: (): LeaderboardHeartbeat => ({
      event: 'heartbeat',
      seq: header.sequence,
      as_of: formatInstant(header.at),
      last_frame_sha256: header.fingerprint,
    }),
  };
}

/** A request that does not ask for the upgrade. */
function plainRequest(path: `/${string}`): ServiceRoute {
  const detail = 'This address speaks WebSocket; see /docs for the handshake.';
  return {
    methods: ['GET'],
    path,
    answer: () => {
      throw new Failure('bad_request', { detail });
    },
  };
}

export function leaderboardStreams(options: LeaderboardStreamsOptions): LeaderboardStreams {
  const { live, clock, authenticate, record, metrics } = options;
  const rhythm = options.rhythm ?? realRhythm;
  const limits = { ...USUAL_STREAM_LIMITS, ...options.limits };
  const slots = options.slots ?? new StreamSlots(limits.perProcess);
  const hub = new Hub(rhythm);
  const publish = () => {
    if (live.latest !== null) hub.publish(feedFrame(live.latest, clock));
  };
  publish();
  live.onChange(publish);
  new Gauge({
    name: 'leaderboard_streams_open',
    help: 'Open streams of the leaderboard, of both wires.',
    registers: [metrics],
    collect() {
      this.set(hub.size);
    },
  });
  const addressOf = (req: IncomingMessage) => {
    const address = clientAddress(req, options.trustedProxies ?? []);
    return address === null ? 'unknown' : networkOf(address, ONE_CALLER);
  };
  options.onKeysChange?.(() => hub.review());
  const refused = auditedRefusals(options.audit ?? (() => undefined), options.trustedProxies ?? []);
  const countRefusal = refusalCounter(metrics);
  const allowedOrigins = options.allowedOrigins ?? [];
  const webSockets = webSocketSurface(leaderboardSocket, {
    hub,
    slots,
    rhythm,
    refused,
    authenticate,
    // A handshake is none of the requests that the HTTP surface counts.
    record: (event) => {
      if (event.error !== undefined) countRefusal(event.error);
      record(event);
    },
    allowedOrigins,
  });
  return {
    routes: [
      sseRoute(leaderboardStream, { hub, slots, limits, rhythm, addressOf, allowedOrigins, refused }),
      plainRequest(leaderboardSocket.path),
    ],
    upgrade: webSockets.upgrade,
    close() {
      webSockets.close();
      hub.close();
    },
  };
}
