// Which pages may talk to the service: browsers say where a request comes from, and a page cannot make them lie about it.

/** Written exactly as a browser sends it: scheme, host, and the port where it is not the usual one. */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^*]+$/.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}

/**
 * No rule of browsers keeps foreign pages from opening a WebSocket, so the server has to.
 * Programs send no origin and are judged by their key alone; `null`, the origin of sandboxed pages, is foreign.
 */
export function isOriginAllowed(
  origin: string | undefined,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.origin === 'null' || page.origin !== origin.toLowerCase()) return false;
  if (allowed.includes(page.origin)) return true;
  // The scheme is the proxy's affair; with it, a port that is the usual one may be left out.
  const here = `${page.protocol}//${host ?? ''}`;
  return host !== undefined && URL.canParse(here) && new URL(here).host === page.host;
}
