// Sessions of clients of the 2025 revisions, for tools that ask back: few, each for one caller only, ended when idle.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../contracts/caller.js';
import { Failure } from '../../contracts/failures.js';
import type { Clock } from '../../kernel/instant.js';
import type { Asker } from './tool-calls.js';

export interface SessionBounds {
  readonly clock: Clock;
  /** Open at once. */
  readonly most: number;
  /** Microseconds after the last response. */
  readonly idleFor: number;
}

/** One request that its guards have let in. */
export interface Visit {
  readonly request: Request;
  /** The body; undefined where the method has none. */
  readonly message: unknown;
  readonly caller: Caller;
  readonly asker: Asker;
}

interface Session {
  /** The id of the key that opened it; null where it was opened without one. */
  readonly owner: string | null;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests whose responses are still being sent. */
  visits: number;
  usedAt: number;
}

const SESSION_ID = 'mcp-session-id';
const RETRY_AFTER_S = 60;

/** A request of the newest revision never is, whatever header it brings along. */
export async function isOfSession(request: Request, message: unknown): Promise<boolean> {
  if (request.method !== 'POST') return request.headers.has(SESSION_ID);
  const belongs = request.headers.has(SESSION_ID) || isInitializeRequest(message);
  return belongs && (await isLegacyRequest(request, message));
}

export class Sessions {
  readonly #factory: (asker: Asker) => ReturnType<McpServerFactory>;
  readonly #bounds: SessionBounds;
  readonly #sessions = new Map<string, Session>();
  /** A server lives as long as its session, but each call is admitted by the request that brought it. */
  readonly #asking = new AsyncLocalStorage<Asker>();
  #closed = false;

  constructor(factory: (asker: Asker) => ReturnType<McpServerFactory>, bounds: SessionBounds) {
    this.#factory = factory;
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `send` settles when the response is through: until then its session is in use. */
  async serve(visit: Visit, send: (response: Response) => Promise<void>): Promise<void> {
    const { request, message, asker } = visit;
    const id = request.headers.get(SESSION_ID);
    const session = id === null ? await this.#open(visit) : await this.#find(id, visit);
    if (session === null) return send(unknownSession());
    const { transport } = session;
    session.visits += 1;
    try {
      const answer = () => transport.handleRequest(request, { parsedBody: message });
      await send(await this.#asking.run(asker, answer));
    } finally {
      session.visits -= 1;
      session.usedAt = this.#bounds.clock();
      // Without an id the client was refused, and nobody can ever come back.
      if (transport.sessionId === undefined) await transport.close();
    }
  }

  /** Ends every session and its streams; afterwards none is opened. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(() => true);
  }

  async #open({ caller }: Visit): Promise<Session> {
    if (this.#closed) throw new Failure('shutting_down', { retryAfterSeconds: 1 });
    await this.#end((session) => this.#isIdle(session));
    if (this.#sessions.size >= this.#bounds.most) {
      const detail = 'As many sessions are open as this server keeps.';
      throw new Failure('streams_exhausted', { detail, retryAfterSeconds: RETRY_AFTER_S });
    }
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    transport.onclose = () => this.#sessions.delete(id);
    const session = { owner: ownerOf(caller), transport, visits: 0, usedAt: this.#bounds.clock() };
    // Taken before anything is awaited, so that a crowd cannot pass the bound together.
    this.#sessions.set(id, session);
    try {
      const server = await this.#factory(this.#askerOfTheMoment());
      await server.connect(transport);
    } catch (error) {
      await transport.close();
      throw error;
    }
    return session;
  }

  /** A stranger learns nothing: the session of somebody else is as unknown as none. */
  async #find(id: string, { caller }: Visit): Promise<Session | null> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(caller)) return null;
    if (!this.#isIdle(session)) return session;
    await session.transport.close();
    return null;
  }

  #isIdle({ visits, usedAt }: Session): boolean {
    return visits === 0 && this.#bounds.clock() - usedAt > this.#bounds.idleFor;
  }

  async #end(which: (session: Session) => boolean): Promise<void> {
    const ending = [...this.#sessions.values()].filter(which);
    await Promise.all(ending.map(({ transport }) => transport.close()));
  }

  #askerOfTheMoment(): Asker {
    const current = () => this.#asking.getStore()!;
    return {
      get requestId() {
        return current().requestId;
      },
      admit: (operation) => current().admit(operation),
    };
  }
}

function ownerOf(caller: Caller): string | null {
  return caller.kind === 'key' ? caller.key.id : null;
}

/** Tells clients to begin a new session. */
function unknownSession(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
