// An MCP server as a route of the HTTP surface: Streamable HTTP, stateless unless asked otherwise, for clients of every era.
import type { IncomingMessage } from 'node:http';
import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { isOriginAllowed } from '../../access/origin.js';
import { ANONYMOUS, type Caller } from '../../contracts/caller.js';
import { Failure } from '../../contracts/failures.js';
import type { Access, Operation } from '../../contracts/operation.js';
import { type DirectRoute, sendResponse } from '../http/direct-route.js';
import type { Exchange } from '../http/exchange.js';
import { readJsonBody } from '../http/json-body.js';
import { USUAL_LIMITS } from '../http/limits.js';
import type { Guard } from '../http/operation-route.js';
import type { CountRefusal } from '../http/refusal-counter.js';
import { type Reply, reply } from '../http/reply.js';
import { type PlainCall, plainCall } from './plain-call.js';
import { isOfSession, type SessionBounds, Sessions } from './sessions.js';
import type { Asker } from './tool-calls.js';
import type { ToolResult } from './tool-result.js';

/** Which requests are let in at all, whatever they ask. */
export interface Door {
  readonly guard: Guard;
  /** True for a Host header that names this server. */
  readonly isKnownHost: (host: string | undefined) => boolean;
  /** Origins of pages, besides our own, that may call. */
  readonly origins: readonly string[];
  readonly onFault: (error: unknown) => void;
  readonly onRefusal?: CountRefusal;
}

/** What stands behind the route. */
export interface Desk {
  readonly factory: (asker: Asker) => ReturnType<McpServerFactory>;
  /** For tools that ask their client back: keeps sessions with clients of the 2025 revisions. */
  readonly sessions?: SessionBounds;
  /** Answers a plain call of a known tool, where no sessions are kept; the name and version stand in every modern result. */
  readonly plain?: {
    readonly has: (tool: string) => boolean;
    readonly call: (tool: string, given: object, asker: Asker) => Promise<ToolResult>;
    readonly identity: { readonly name: string; readonly title: string; readonly version: string };
  };
}

export interface McpEndpoint {
  readonly route: DirectRoute;
  /** Tells listening clients that a list has changed. */
  readonly notify: McpHttpHandler['notify'];
  /** Ends what is still open; afterwards nothing is answered. */
  close(): Promise<void>;
}

/** Open listening streams of one endpoint: nothing of ours ever sends on them. */
const MOST_SUBSCRIPTIONS = 100;

const ANY_KEY: Access = { kind: 'key', scope: null, quota: null };
const RECOGNISED: Access = { kind: 'recognised' };

export function mcpEndpoint(path: `/${string}`, desk: Desk, door: Door): McpEndpoint {
  const askers = new WeakMap<Request, Asker>();
  const handler: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => desk.factory(askers.get(requestInfo!)!),
    {
      maxSubscriptions: MOST_SUBSCRIPTIONS,
      maxRequestBodySize: USUAL_LIMITS.bodyBytes,
    },
  );
  const sessions = desk.sessions === undefined ? null : new Sessions(desk.factory, desk.sessions);
  const plain = desk.plain === undefined || sessions !== null ? null : plainAnswers(desk.plain);

  /** A key that is sent must be good, even where none is needed: a typing error shall not pass for a small quota. */
  async function keyHolder(exchange: Exchange): Promise<Caller> {
    const look = (access: Access) =>
      door.guard(
        { name: `mcp ${path}`, access } as Operation,
        exchange.req,
        (...header) => exchange.setHeader(...header),
        exchange.id,
      );
    const caller = await look(RECOGNISED);
    return caller.kind === 'anonymous' ? look(ANY_KEY) : caller;
  }

  /** Where the answer is written by the library, the headers of the guard wait on the response itself. */
  function askerOf({ req, id }: Exchange, setHeader: (name: string, value: string) => void): Asker {
    return { requestId: id, admit: (operation) => door.guard(operation, req, setHeader, id) };
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { req } = exchange;
    const isPost = req.method === 'POST';
    if (!isPost && (sessions === null || !isWithinSession(req))) {
      exchange.refuse(new Failure('method_not_allowed'), ['Allow', 'POST']);
      return;
    }
    refuseStrangers(req, door);
    const caller = req.headers['x-api-key'] === undefined ? ANONYMOUS : await keyHolder(exchange);
    if (!isPost) return byLibrary(exchange, undefined, caller);
    const message = await readJsonBody(req, USUAL_LIMITS.bodyBytes).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'invalid_body') return undefined;
      throw error;
    });
    const call = plain === null ? null : plainCall(req.headers, message);
    if (call !== null && desk.plain!.has(call.tool)) {
      const asker = askerOf(exchange, (...header) => exchange.setHeader(...header));
      exchange.send(await plain!(call, asker));
    } else if (message === undefined) {
      exchange.send(protocolFault(-32_700, 'Parse error: the body is not JSON.'));
    } else if (Array.isArray(message)) {
      exchange.send(protocolFault(-32_600, 'Invalid Request: batches are not accepted.'));
    } else {
      await byLibrary(exchange, message, caller);
    }
  }

  /** The body is read already, so the library gets a request without one; its signal ends with the connection. */
  async function byLibrary(exchange: Exchange, message: unknown, caller: Caller): Promise<void> {
    const { req, res } = exchange;
    const { method } = req as { method: string };
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value));
    const request = new Request(`http://localhost${path}`, { method, headers, signal: gone.signal });
    const setHeader = (name: string, value: string) => {
      if (res.headersSent) return;
      // What was set at the door for pages of other origins must not be lost to another reason to vary.
      const vary = name === 'Vary' ? res.getHeader(name) : undefined;
      res.setHeader(name, vary === undefined ? value : `${String(vary)}, ${value}`);
    };
    const asker = askerOf(exchange, setHeader);
    const send = (response: Response) => sendResponse(exchange, response);
    if (sessions !== null && (await isOfSession(request, message))) {
      await sessions.serve({ request, message, caller, asker }, send);
    } else {
      askers.set(request, asker);
      await send(await handler.fetch(request, { parsedBody: message }));
    }
  }

  async function close(): Promise<void> {
    await Promise.all([handler.close(), sessions?.close()]);
  }

  return { route: { path, serve }, notify: handler.notify, close };
}

/** A stream for what the server has to say, or the end of the session. */
function isWithinSession({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'DELETE') && headers['mcp-session-id'] !== undefined;
}

function refuseStrangers({ headers }: IncomingMessage, { isKnownHost, origins }: Door): void {
  if (!isKnownHost(headers.host) || !isOriginAllowed(headers.origin, headers.host, origins)) {
    throw new Failure('origin_not_allowed');
  }
}

function protocolFault(code: number, message: string): Reply {
  return reply({ status: 400, body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }) });
}

type Answered = (call: PlainCall, asker: Asker) => Promise<Reply>;

function plainAnswers({ call, identity }: NonNullable<Desk['plain']>): Answered {
  const ends = {
    modern: `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(identity)}}}}`,
    legacy: '}}',
  };
  return async ({ era, id, tool, given }, asker) => {
    const { members } = await call(tool, given, asker);
    return reply({
      body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}${ends[era]}`,
    });
  };
}
