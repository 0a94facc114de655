// What can be wrong with a request before any route is looked at: its address, its host, its headers.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contracts/failures.js';
import type { HttpLimits } from './limits.js';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
const VISIBLE = /^[\x21-\x7e]*$/;
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Path and query of the request line; proxies may write the whole address, which must then be one. */
function originForm(url: string): string | null {
  if (url.startsWith('/')) return url;
  const [before, host] = ABSOLUTE_FORM.exec(url) ?? [];
  if (before === undefined || !HOST.test(host!) || !URL.canParse(before)) return null;
  const rest = url.slice(before.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function malformed(detail: string): Failure {
  return new Failure('bad_request', { detail });
}

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Leaves the request with an address that starts with a slash; returns what forbids to go on. */
export function faultOfTarget(req: IncomingMessage, limits: HttpLimits): Failure | null {
  const url = req.url ?? '';
  if (url.length > limits.urlCharacters) return new Failure('uri_too_long');
  if (req.rawHeaders.length > 2 * limits.headers) {
    return new Failure('headers_too_large', { detail: `There are more than ${limits.headers} headers.` });
  }
  const { host, expect } = req.headers;
  if (host === undefined && req.httpVersion === '1.1') return malformed('The Host header is missing.');
  if (host !== undefined && host !== '' && !HOST.test(host))
    return malformed('The Host header is malformed.');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return malformed('The only expectation that can be met is 100-continue.');
  }
  const target = originForm(url);
  if (target === null || target.includes('#')) return malformed('The address of the request is malformed.');
  if (!VISIBLE.test(target)) return malformed('The address holds characters that must be percent-encoded.');
  if (target.includes('%') && !decodes(pathOf(target))) {
    return malformed('The path is not well percent-encoded.');
  }
  if (target !== url) req.url = target;
  return null;
}
