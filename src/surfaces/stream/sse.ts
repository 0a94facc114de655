// The leaderboard as server-sent events for pages of this origin: the server stands in for the key that a browser cannot send.
import type { IncomingMessage } from 'node:http';
import type { LeaderboardFeedInput } from '../../contracts/attention/stream.js';
import { Failure } from '../../contracts/failures.js';
import type { Feed } from '../../contracts/feed.js';
import { inputReader } from '../http/operation-input.js';
import { POLICY_HEADERS } from '../http/reply.js';
import type { ServiceAnswer, ServiceRoute } from '../http/service-route.js';
import type { Hub } from './hub.js';
import { refuseOtherSites } from './origin.js';
import type { Refused } from './refused.js';
import type { Rhythm } from './rhythm.js';
import { SseConnection } from './sse-connection.js';
import type { StreamLimits, StreamSlots } from './stream-slots.js';

export interface SseParts {
  readonly hub: Hub;
  readonly slots: StreamSlots;
  readonly limits: StreamLimits;
  readonly rhythm: Rhythm;
  /** Who is asking, as far as the network tells. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** Origins of pages, besides our own, that may listen. */
  readonly allowedOrigins: readonly string[];
  readonly refused: Refused;
}

/** The seq of the last snapshot that the client has seen, if it says so and it can be one. */
function lastSeq(req: IncomingMessage): number | null {
  const id = req.headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

/** Looks at no key and at no cookie: whatever a client sends of that kind has no effect. */
export function sseRoute(feed: Feed, parts: SseParts): ServiceRoute {
  const { hub, slots, limits, rhythm, addressOf } = parts;
  const readInput = inputReader(feed, 0);
  return {
    methods: ['GET'],
    path: feed.path,
    async answer({ incoming, outgoing, requestId }): Promise<ServiceAnswer> {
      const admitted = <T>(ask: () => T): T => {
        try {
          return ask();
        } catch (error) {
          if (error instanceof Failure) parts.refused('sse', error, incoming, requestId);
          throw error;
        }
      };
      admitted(() => refuseOtherSites(incoming, parts.allowedOrigins));
      const wish = (await readInput(incoming, {})) as LeaderboardFeedInput;
      for (let at = 0; at < POLICY_HEADERS.length; at += 2) {
        outgoing.setHeader(POLICY_HEADERS[at]!, POLICY_HEADERS[at + 1]!);
      }
      if (incoming.method === 'HEAD') {
        outgoing.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' }).end();
        return 'sent';
      }
      const release = admitted(() => slots.take(`address ${addressOf(incoming)}`, limits.perAddress));
      outgoing.once('close', release);
      // The client may have gone while its wish was read.
      if (outgoing.destroyed) {
        release();
        return 'sent';
      }
      const connection = new SseConnection(outgoing, rhythm);
      outgoing.once('close', hub.subscribe(connection, { ...wish, lastSeq: lastSeq(incoming) }));
      return 'sent';
    },
  };
}
