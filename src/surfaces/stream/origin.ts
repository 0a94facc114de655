// Which pages may open a stream: browsers say where a request comes from, and a page cannot make them lie about it.
import type { IncomingMessage } from 'node:http';
import { isOriginAllowed } from '../../access/origin.js';
import { Failure } from '../../contracts/failures.js';

/** A program sends no Origin and is let through; a page of another site, or of none (`null`), is not. */
export function refuseForeignOrigin({ headers }: IncomingMessage, allowed: readonly string[]): void {
  if (!isOriginAllowed(headers.origin, headers.host, allowed)) throw new Failure('origin_not_allowed');
}

/** For a route that stands in for a key: only pages of this very origin or on the list, or a person at the address bar. */
export function refuseOtherSites(req: IncomingMessage, allowed: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (origin !== undefined && allowed.includes(origin)) return;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Failure('origin_not_allowed');
  }
  refuseForeignOrigin(req, []);
}
