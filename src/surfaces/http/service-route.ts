// A route that is no operation: documents, metrics, pages, streams and handlers that other libraries bring.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.js';
import { JSON_POLICY, pairs, type Reply, reply, SECURITY_HEADERS } from './reply.js';

export interface ServiceCall {
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly inPath: Readonly<Record<string, string>>;
}

/** A whole reply, a fetch Response, or `sent` when the route has begun to write on the raw response itself. */
export type ServiceAnswer = Reply | Response | 'sent';

export interface ServiceRoute {
  /** GET includes HEAD. */
  readonly methods: readonly string[];
  /** A template, or a path that ends in `/*`. */
  readonly path: `/${string}`;
  readonly answer: (call: ServiceCall) => ServiceAnswer | Promise<ServiceAnswer>;
}

/** What a route that brings its own response may leave out, or replace. */
const USUAL_HEADERS = {
  ...Object.fromEntries(pairs(SECURITY_HEADERS)),
  'Cache-Control': 'no-store',
  'Content-Security-Policy': JSON_POLICY,
};

/** Returns a Response where the adapter has to write it. */
export async function serveRoute(
  route: ServiceRoute,
  exchange: Exchange,
  request: Request,
  inPath: Readonly<Record<string, string>>,
): Promise<Response | null> {
  const { req: incoming, res: outgoing, id: requestId } = exchange;
  const usual = { ...USUAL_HEADERS, 'X-Request-Id': requestId };
  for (const [name, value] of Object.entries(usual)) outgoing.setHeader(name, value);
  const answer = await route.answer({ request, incoming, outgoing, requestId, inPath });
  if (answer instanceof Response) {
    exchange.answered = true;
    return answer;
  }
  if (answer === 'sent') exchange.answered = true;
  else exchange.send(answer);
  return null;
}

export function fixedRoute(path: `/${string}`, content: Parameters<typeof reply>[0]): ServiceRoute {
  const fixed = reply(content);
  return { methods: ['GET'], path, answer: () => fixed };
}
