// A route that the framework never sees: for what is called so often that finding the route would cost more than the answer.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Exchange } from './exchange.js';
import { JSON_POLICY, pairs, SECURITY_HEADERS } from './reply.js';

export interface DirectRoute {
  readonly path: `/${string}`;
  /** Answers through the exchange; what it throws is refused. */
  readonly serve: (exchange: Exchange) => Promise<void>;
}

export async function serveDirectly({ path, serve }: DirectRoute, exchange: Exchange): Promise<void> {
  exchange.route = path;
  try {
    await serve(exchange);
  } catch (error) {
    exchange.refuse(error);
  }
}

/** Writes the response of another library, as it comes, as fast as the client takes it. */
export async function sendResponse(exchange: Exchange, response: Response): Promise<void> {
  const { res } = exchange;
  if (exchange.answered || res.destroyed) {
    await response.body?.cancel();
    return;
  }
  exchange.answered = true;
  for (const [name, value] of pairs(SECURITY_HEADERS)) res.setHeader(name, value);
  res.setHeader('Content-Security-Policy', JSON_POLICY);
  res.setHeader('X-Request-Id', exchange.id);
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of response.headers) {
    if (name !== 'connection' && name !== 'cache-control') res.setHeader(name, value);
  }
  if (response.body === null) {
    res.writeHead(response.status).end();
    return;
  }
  res.writeHead(response.status);
  // A stream may be silent for long, and its client waits for the head.
  if (response.headers.get('content-type') === 'text/event-stream') res.flushHeaders();
  // A client that goes away ends the pipeline, which cancels the body; that is no fault.
  await pipeline(Readable.fromWeb(response.body as never), res).catch(() => {});
}
