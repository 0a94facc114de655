// Pages of other origins: those on the list may read what is answered; for everybody else browsers keep it closed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Early } from './early.js';
import { SECURITY_HEADERS } from './reply.js';

const METHODS = 'GET, HEAD, POST, PUT';
/** What a page may send: the key, a body, its place in a stream, and what MCP clients say about themselves. */
const SENT = [
  'X-API-Key',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');
/** What a page may read besides the usual. */
const SHOWN = [
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'X-Barograph-Policy',
  'Link',
].join(', ');
const REMEMBER_S = 600;

export interface CrossOrigin {
  /** Puts the permission on the response, where there is one to give. */
  greet(req: IncomingMessage, res: ServerResponse): void;
  /** The answer to a browser that asks first; null where it did not, or is not on the list. */
  preflight(req: IncomingMessage): Early | null;
}

/** Credentials are never allowed: a key is sent by the page itself, and there are no cookies. */
export function crossOriginOf(allowed: readonly string[]): CrossOrigin {
  const isListed = (origin: string | undefined): origin is string =>
    origin !== undefined && allowed.includes(origin);
  const granted: Early = {
    route: '(preflight)',
    reply: {
      status: 204,
      body: Buffer.alloc(0),
      headers: [
        'Access-Control-Allow-Methods',
        METHODS,
        'Access-Control-Allow-Headers',
        SENT,
        'Access-Control-Max-Age',
        String(REMEMBER_S),
        'Cache-Control',
        'no-store',
        ...SECURITY_HEADERS,
      ],
    },
  };
  return {
    greet({ headers }, res) {
      if (allowed.length === 0) return;
      // Also where nothing is granted: a cache must not give one page the answer of another.
      res.setHeader('Vary', 'Origin');
      if (!isListed(headers.origin)) return;
      res.setHeader('Access-Control-Allow-Origin', headers.origin);
      res.setHeader('Access-Control-Expose-Headers', SHOWN);
    },
    preflight({ method, headers }) {
      const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      return asks && isListed(headers.origin) ? granted : null;
    },
  };
}
