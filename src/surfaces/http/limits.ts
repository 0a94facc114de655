// How much and how long one client may take: the bounds of the HTTP server.

export interface HttpLimits {
  readonly bodyBytes: number;
  readonly urlCharacters: number;
  /** Request line and headers together. */
  readonly headerBytes: number;
  readonly headers: number;
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** The same to the end of its body. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** How often the two timeouts above are looked at. */
  readonly checkEveryMs: number;
  readonly requestsPerSocket: number;
  readonly connections: number;
  /** How long a refused connection may still send before it is cut. */
  readonly lingerMs: number;
  /** How long a stopping server waits for the requests in flight. */
  readonly drainMs: number;
  readonly keptAnswers: number;
  readonly keptBytes: number;
  readonly keptForMs: number;
}

export const USUAL_LIMITS: HttpLimits = {
  bodyBytes: 64 * 1024,
  urlCharacters: 4_096,
  headerBytes: 16 * 1024,
  headers: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  // Longer than the usual 60 s of load balancers, so that the balancer closes first and no request meets a closed socket.
  keepAliveTimeoutMs: 65_000,
  checkEveryMs: 1_000,
  requestsPerSocket: 10_000,
  connections: 10_000,
  lingerMs: 1_000,
  drainMs: 8_000,
  keptAnswers: 2_000,
  keptBytes: 64 * 1024 * 1024,
  keptForMs: 5_000,
};
