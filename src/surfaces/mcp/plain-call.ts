// Recognises a plain call of a tool, of either era, so that it can be answered without the machinery of a protocol server.
import type { IncomingHttpHeaders } from 'node:http';

const NEWEST = '2026-07-28';
const EARLIER: readonly (string | undefined)[] = [undefined, '2025-03-26', '2025-06-18', '2025-11-25'];
const META = 'io.modelcontextprotocol/';

export interface PlainCall {
  readonly era: 'modern' | 'legacy';
  readonly id: string | number;
  readonly tool: string;
  readonly given: object;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

/** The envelope of the newest revision in its ordinary form, with headers that say the same. */
function isModern(headers: IncomingHttpHeaders, tool: string, meta: Record<string, unknown>): boolean {
  const info = meta[`${META}clientInfo`];
  return (
    headers['mcp-protocol-version'] === NEWEST &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === tool &&
    meta[`${META}protocolVersion`] === NEWEST &&
    isObject(meta[`${META}clientCapabilities`]) &&
    (info === undefined || isImplementation(info))
  );
}

function isLegacy(headers: IncomingHttpHeaders, meta: Record<string, unknown>): boolean {
  return (
    EARLIER.includes(headers['mcp-protocol-version'] as string | undefined) &&
    headers['mcp-method'] === undefined &&
    headers['mcp-name'] === undefined &&
    !Object.keys(meta).some((name) => name.startsWith(META))
  );
}

function acceptsBoth(accept: string | undefined): boolean {
  return ['application/json', 'text/event-stream'].every((type) => accept?.includes(type));
}

/** Null for everything that is the least out of the ordinary: the library knows every rule, and answers that. */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | null {
  if (!isObject(message) || !acceptsBoth(headers.accept)) return null;
  const { jsonrpc, id, method, params, ...more } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params)) return null;
  if (Object.keys(more).length > 0) return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  const { name: tool, arguments: given = {}, _meta: meta = {}, ...others } = params;
  if (typeof tool !== 'string' || !isObject(given) || !isObject(meta)) return null;
  if (Object.keys(others).length > 0) return null;
  const call = { id: id as string | number, tool, given };
  if (isModern(headers, tool, meta)) return { era: 'modern', ...call };
  return isLegacy(headers, meta) ? { era: 'legacy', ...call } : null;
}
