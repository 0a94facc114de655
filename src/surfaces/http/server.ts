// The HTTP server: every operation as a route, on a Node server whose own answers wear the one envelope too.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Failure } from '../../contracts/failures.js';
import type { Operation } from '../../contracts/operation.js';
import { crossOriginOf } from './cross-origin.js';
import { serveDirectly } from './direct-route.js';
import { documentationRoutes } from './documentation-routes.js';
import { drainOf } from './drain.js';
import { answerEarly } from './early.js';
import { Exchanges } from './exchanges.js';
import { answerFromKept } from './hot-lane.js';
import { KeptAnswers } from './kept-answers.js';
import { ledger as ledgerOf } from './ledger.js';
import { type HttpLimits, USUAL_LIMITS } from './limits.js';
import { malformedListener } from './malformed.js';
import { metricsRoute } from './metrics-route.js';
import { type Answer, operationRoute } from './operation-route.js';
import type { HttpSurfaceOptions } from './options.js';
import { requestIds } from './request-ids.js';
import { requestMetrics } from './request-metrics.js';
import { faultOfTarget, pathOf } from './request-target.js';
import { routes } from './routes.js';
import { fixedRoute } from './service-route.js';
import { listenForUpgrades } from './upgrade.js';

export interface HttpSurface {
  readonly server: Server;
  listen(port: number, host: string): Promise<{ port: number }>;
  /** A new frame is there: what was kept of the last one is not served any more. */
  forgetFrame(): void;
  /** Stops accepting, lets the requests in flight finish, settles when every connection is closed. */
  drain(): Promise<void>;
}

/** Node marks the last request of a socket and keeps the socket open, to refuse what follows with an empty body. */
interface LastOfSocket extends ServerResponse {
  readonly maxRequestsOnConnectionReached?: boolean;
}

/** Says only that the process answers: whether it is ready is another question, and the stores another's. */
const LIVENESS = fixedRoute('/livez', { body: 'alive\n', type: 'text/plain; charset=utf-8' });

function nodeServer(limits: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // Node would refuse a missing Host with an empty body.
    requireHostHeader: false,
  });
  // Node cuts silently at the limit; the one more lets the excess be seen and refused.
  server.maxHeadersCount = limits.headers + 1;
  server.maxRequestsPerSocket = limits.requestsPerSocket;
  server.maxConnections = limits.connections;
  return server;
}

export function createHttpSurface<Operations extends Record<string, Operation>>(
  options: HttpSurfaceOptions<Operations>,
): HttpSurface {
  const limits: HttpLimits = { ...USUAL_LIMITS, ...options.limits };
  const { before, guard } = options;
  const { bodyBytes, lingerMs } = limits;
  const nextId = requestIds();
  const exchanges = new Exchanges();
  const metrics = requestMetrics(options.metrics, () => exchanges.count);
  const ledger = ledgerOf(options.log, metrics);
  const kept = new KeptAnswers(limits);
  const crossOrigin = crossOriginOf(options.allowedOrigins ?? []);
  const server = nodeServer(limits);
  const drain = drainOf(server, exchanges, limits.drainMs);

  const fetch = routes(
    Object.entries(options.operations).map(([name, operation]) => ({
      method: operation.method,
      path: operation.path,
      serve: operationRoute(operation, options.answers[name] as Answer, { guard, kept, metrics, bodyBytes }),
    })),
    [
      LIVENESS,
      metricsRoute(options.metrics),
      ...documentationRoutes(options),
      ...(options.extraRoutes ?? []),
    ],
    exchanges,
  );
  const framework = getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
    // Our replies go past the adapter, so the Request and Response of the whole process can stay what they are.
    overrideGlobalObjects: false,
    hostname: 'localhost',
    // Called only for an address that makes no URL; answered below.
    errorHandler: () => undefined,
  });

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    id: string,
    startedAt: number,
  ): Promise<void> {
    const exchange = exchanges.open(id, req, res, startedAt, ledger);
    if (drain.begun) {
      res.shouldKeepAlive = false;
      exchange.refuse(new Failure('shutting_down', { retryAfterSeconds: 1 }));
      return;
    }
    const fault = faultOfTarget(req, limits);
    const direct = options.direct?.get(pathOf(req.url ?? ''));
    if (fault !== null) exchange.refuse(fault);
    else if (direct !== undefined) await serveDirectly(direct, exchange);
    else await framework(req, res);
    if (!exchange.answered) exchange.refuse(new Failure('bad_request'));
  }

  /** `isContinue`: the client waits with its body until it is told to go on. */
  function handle(req: IncomingMessage, res: LastOfSocket, isContinue = false): void {
    const startedAt = performance.now();
    const id = nextId();
    if (res.maxRequestsOnConnectionReached === true) res.shouldKeepAlive = false;
    crossOrigin.greet(req, res);
    const early = before?.(req.url ?? '', req, id) ?? crossOrigin.preflight(req);
    if (early !== null) {
      if (drain.begun) res.shouldKeepAlive = false;
      answerEarly(exchanges.open(id, req, res, startedAt, ledger), early, limits, ledger);
      return;
    }
    if (isContinue) res.writeContinue();
    const hot = drain.begun ? undefined : kept.find(req, startedAt);
    const isPublic = hot?.access.kind === 'public';
    const allowance = hot === undefined || isPublic ? null : (options.spend?.(hot.access, req) ?? null);
    if (hot !== undefined && (isPublic || allowance !== null))
      answerFromKept(hot, req, res, id, startedAt, ledger, allowance);
    else void answer(req, res, id, startedAt);
  }

  server.on('request', (req, res) => handle(req, res));
  server.on('checkExpectation', (req, res) => handle(req, res));
  server.on('checkContinue', (req, res) => handle(req, res, true));
  server.on('clientError', malformedListener({ before, exchanges, ledger, nextId, lingerMs }));
  listenForUpgrades(server, options.upgrade, { before, drain, ledger, nextId, lingerMs, handle });

  return {
    server,
    listen(port, host) {
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
        });
      });
    },
    forgetFrame: () => kept.forget(),
    drain: () => drain.begin(),
  };
}
