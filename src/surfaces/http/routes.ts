// The table of routes: every operation and service route under its path, and a refusal for every other method.

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { Failure } from '../../contracts/failures.js';
import type { Exchange } from './exchange.js';
import type { Exchanges } from './exchanges.js';
import type { Serve } from './operation-route.js';
import { pathTemplate } from './path-template.js';
import { type ServiceRoute, serveRoute } from './service-route.js';

export interface OperationRoute {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly serve: Serve;
}

type Handle = (
  exchange: Exchange,
  request: Request,
  inPath: Readonly<Record<string, string>>,
) => Promise<Response | null>;

/** A path and what each of its methods does. */
type Place = Map<string, Handle>;

function places(operations: readonly OperationRoute[], services: readonly ServiceRoute[]): [string, Place][] {
  const table = new Map<string, Place>();
  const add = (path: string, method: string, handle: Handle) => {
    const place = table.get(path) ?? new Map<string, Handle>();
    if (place.has(method)) throw new Error(`${method} ${path} is declared twice`);
    table.set(path, place.set(method, handle));
  };
  for (const { method, path, serve } of operations) {
    add(path, method, async (exchange, _request, inPath) => {
      await serve(exchange, inPath);
      return null;
    });
  }
  for (const route of services) {
    for (const method of route.methods) {
      add(route.path, method, (exchange, request, inPath) => serveRoute(route, exchange, request, inPath));
    }
  }
  // The first match wins, so that a fixed path comes before one with a parameter in the same place.
  const openness = (path: string) => (path.includes('{') ? 1 : 0) + (path.endsWith('*') ? 2 : 0);
  return [...table].sort(([a], [b]) => openness(a) - openness(b));
}

export type Fetch = (request: Request, bindings: HttpBindings) => Promise<Response>;

export function routes(
  operations: readonly OperationRoute[],
  services: readonly ServiceRoute[],
  exchanges: Exchanges,
): Fetch {
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const [path, place] of places(operations, services)) {
    const { pattern, read } = pathTemplate(path);
    for (const [method, handle] of place) {
      app.on(method, pattern, async (c) => {
        const exchange = exchanges.of(c.env.incoming);
        exchange.route = path;
        const response = await handle(
          exchange,
          c.req.raw,
          read((name) => c.req.param(name)),
        );
        return response ?? RESPONSE_ALREADY_SENT;
      });
    }
    const allow = [...place.keys()]
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    app.all(pattern, (c) => {
      const exchange = exchanges.of(c.env.incoming);
      exchange.route = path;
      exchange.refuse(new Failure('method_not_allowed'), ['Allow', allow]);
      return RESPONSE_ALREADY_SENT;
    });
  }
  app.notFound((c) => {
    exchanges.of(c.env.incoming).refuse(new Failure('not_found'));
    return RESPONSE_ALREADY_SENT;
  });
  // Rethrown, because the framework hands only instances of Error to its handler.
  app.onError((error) => {
    throw error;
  });
  return async (request, bindings) => {
    try {
      return await app.fetch(request, bindings);
    } catch (error) {
      exchanges.of(bindings.incoming).refuse(error);
      return RESPONSE_ALREADY_SENT;
    }
  };
}
