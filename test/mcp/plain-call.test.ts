// The short way recognises ordinary calls only: whatever is out of the ordinary goes to the library.
import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { plainCall } from '../../src/surfaces/mcp/plain-call.js';

const ACCEPT = 'application/json, text/event-stream';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const PARAMS = { name: 't', arguments: { limit: 1 }, _meta: META };
const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PARAMS };
const HEADERS = {
  accept: ACCEPT,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 't',
};
const LEGACY = { ...MESSAGE, params: { name: 't' } };

it('takes the ordinary call of both eras', () => {
  const call = { id: 1, tool: 't' };
  expect(plainCall(HEADERS, MESSAGE)).toEqual({ era: 'modern', ...call, given: { limit: 1 } });
  expect(plainCall({ accept: ACCEPT }, LEGACY)).toEqual({ era: 'legacy', ...call, given: {} });
  expect(plainCall({ accept: ACCEPT, 'mcp-protocol-version': '2025-06-18' }, LEGACY)?.era).toBe('legacy');
});

it.each<[string, IncomingHttpHeaders, unknown]>([
  ['no accepted types', { ...HEADERS, accept: 'application/json' }, MESSAGE],
  ['another method', HEADERS, { ...MESSAGE, method: 'tools/list' }],
  ['a notification', HEADERS, { jsonrpc: '2.0', method: 'tools/call', params: PARAMS }],
  ['a fraction as id', HEADERS, { ...MESSAGE, id: 1.5 }],
  ['no object', HEADERS, 'tools/call'],
  ['a list', HEADERS, [MESSAGE]],
  ['more members', HEADERS, { ...MESSAGE, more: 1 }],
  ['more parameters', HEADERS, { ...MESSAGE, params: { ...PARAMS, requestState: 'x' } }],
  ['arguments that are a list', HEADERS, { ...MESSAGE, params: { ...PARAMS, arguments: [] } }],
  ['headers that say something else', { ...HEADERS, 'mcp-name': 'other' }, MESSAGE],
  ['headers that are missing', { accept: ACCEPT }, MESSAGE],
  ['an envelope that is missing', HEADERS, LEGACY],
  ['an envelope without capabilities', HEADERS, { ...MESSAGE, params: { ...PARAMS, _meta: {} } }],
  ['an unknown revision', { accept: ACCEPT, 'mcp-protocol-version': '2024-11-05' }, LEGACY],
])('leaves to the library: %s', (_what, headers, message) => {
  expect(plainCall(headers, message)).toBeNull();
});
