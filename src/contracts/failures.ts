// Every way in which the service refuses, in one catalogue: status, meaning and remedy per code.
import { z } from 'zod';

interface FailureKind {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
  /** Kept for contracts that only retired work could raise; nothing raises it today. */
  readonly reserved?: true;
}

const kinds = {
  invalid_parameter: {
    status: 400,
    meaning: 'A parameter is missing, malformed or out of range.',
    remedy: 'Compare the call with the parameters in /docs.',
  },
  unknown_parameter: {
    status: 400,
    meaning: 'The call carries a parameter that the operation does not have.',
    remedy: 'Remove it; unknown parameters are refused so that a typing error cannot pass unseen.',
  },
  invalid_ticker: {
    status: 400,
    meaning: 'The text is not a ticker symbol.',
    remedy: 'Use one to six letters or digits, class shares as BRK.B or BRK-B.',
  },
  invalid_symbol: {
    status: 400,
    meaning: 'The text is not the symbol of an index.',
    remedy: 'Symbols are capitals and digits, as GET /indices lists them.',
  },
  invalid_limit: {
    status: 400,
    meaning: 'The limit is not a whole number within its bounds.',
    remedy: 'See the bounds of `limit` in /docs.',
  },
  invalid_interval: {
    status: 400,
    meaning: 'The interval is not a whole number of seconds from 1 to 300.',
    remedy: 'Give whole seconds from 1 to 300.',
  },
  invalid_as_of: {
    status: 400,
    meaning: 'The instant is not RFC 3339 with an offset.',
    remedy: 'Write it as 2026-01-31T14:30:00Z or with an offset such as +01:00; encode the plus sign as %2B.',
  },
  invalid_body: {
    status: 400,
    meaning: 'The body is not the JSON that the operation takes.',
    remedy: 'Send one JSON object as described in /docs.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor was not issued by this service for this question.',
    remedy: 'Begin again without a cursor.',
  },
  invalid_channel: {
    status: 400,
    meaning: 'There is no such channel.',
    remedy: 'Name one or more of indices, conditions, narratives and releases, with commas between them.',
  },
  no_tickers: {
    status: 400,
    meaning: 'The list of tickers is empty.',
    remedy: 'Name at least one.',
  },
  too_many_tickers: {
    status: 400,
    meaning: 'The list has more tickers than one call may ask for.',
    remedy: 'Send several calls: a batch takes 25 tickers, a decision packet 5.',
  },
  duplicate_tickers: {
    status: 400,
    meaning: 'The list names a ticker twice.',
    remedy: 'Name each once; BRK.B and BRK-B are the same.',
  },
  invalid_run_id: {
    status: 400,
    meaning: 'The text is not the id of a research run.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  idempotency_key_required: {
    status: 400,
    meaning: 'The call would change something and carries no idempotency key.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  billing_invalid: {
    status: 400,
    meaning: 'The billing instruction of the call cannot be carried out.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  bad_request: {
    status: 400,
    meaning: 'The request is not well-formed HTTP.',
    remedy: 'Check the request line, the path encoding and the headers.',
  },
  unauthorized: {
    status: 401,
    meaning: 'Missing or invalid API key.',
    remedy: 'Send a valid key in the X-API-Key header.',
  },
  insufficient_tokens: {
    status: 402,
    meaning: 'The prepaid balance does not cover the call.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The key is valid but does not carry the scope that the operation needs.',
    remedy: 'Use a key with the scope that /docs names for the operation.',
  },
  origin_not_allowed: {
    status: 403,
    meaning: 'Pages of this origin may not open a connection here.',
    remedy: 'Serve the page from the host of the service, or have its origin added to the allow list.',
  },
  not_found: {
    status: 404,
    meaning: 'There is nothing at this path.',
    remedy: 'See the routes in /docs.',
  },
  ticker_not_found: {
    status: 404,
    meaning: 'The ticker was not known to the archive at that instant.',
    remedy: 'Check the symbol, or ask for a later instant.',
  },
  unknown_ticker: {
    status: 404,
    meaning: 'The ticker is not among the assets that are scored.',
    remedy: 'Check the symbol.',
  },
  unknown_index: {
    status: 404,
    meaning: 'The symbol is not one of the indexes of the catalogue.',
    remedy: 'Take one from GET /indices.',
  },
  leaf_not_found: {
    status: 404,
    meaning: 'The log has no leaf at this place.',
    remedy: 'Places go from 0 to one less than the size in /v1/log/checkpoint.',
  },
  watchlist_not_found: {
    status: 404,
    meaning: 'The caller has no watchlist of this id.',
    remedy: 'Save it first with PUT on the same path.',
  },
  not_publishable: {
    status: 404,
    meaning: 'The result exists but may not be published.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  batch_not_found: {
    status: 404,
    meaning: 'There is no batch of this id.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive completely in time.',
    remedy: 'Send it again.',
  },
  command_failed: {
    status: 409,
    meaning: 'A command cannot do what it was asked for as things stand; only the command line says this.',
    remedy: 'The message tells what stands in the way.',
  },
  too_many_watchlists: {
    status: 409,
    meaning: 'The customer has as many watchlists as it may have.',
    remedy: 'Replace one of them: a list is replaced by saving under its id.',
  },
  cursor_expired: {
    status: 410,
    meaning: 'The cursor points before the oldest event that is still served.',
    remedy: 'Begin again without a cursor; what lies between is in the archive export.',
  },
  research_unbound_ticker_dossier_read_retired: {
    status: 410,
    meaning: 'Dossiers keyed by ticker text are retired for good.',
    remedy: 'Join on exact instruments with GET /api/research/public/hub-pit-identity-cohort/v1.',
  },
  research_unbound_run_dossier_read_retired: {
    status: 410,
    meaning: 'Dossiers keyed by a run are retired for good.',
    remedy: 'Join on exact instruments with GET /api/research/public/hub-pit-identity-cohort/v1.',
  },
  research_unbound_ticker_history_read_retired: {
    status: 410,
    meaning: 'Histories keyed by ticker text are retired for good.',
    remedy: 'Join on exact instruments with GET /api/research/public/hub-pit-identity-cohort/v1.',
  },
  research_unbound_digs_status_read_retired: {
    status: 410,
    meaning: 'The status of digs is retired for good.',
    remedy: 'Join on exact instruments with GET /api/research/public/hub-pit-identity-cohort/v1.',
  },
  research_fresh_mutation_requires_exact_hub_pit_identity: {
    status: 410,
    meaning: 'Research on bare tickers is retired for good: it would need an exact point-in-time identity.',
    remedy: 'Join on exact instruments with GET /api/research/public/hub-pit-identity-cohort/v1.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the operation accepts.',
    remedy: 'Send at most 64 KiB.',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The address is longer than 4,096 characters.',
    remedy: 'Shorten the query.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not declared as JSON.',
    remedy: 'Send Content-Type: application/json.',
  },
  as_of_out_of_range: {
    status: 416,
    meaning: 'The instant lies in the future or before the archive begins.',
    remedy: 'Ask for an instant between the beginning of the archive, shown by /health, and now.',
  },
  tree_size_out_of_range: {
    status: 416,
    meaning: 'The log has never had this many leaves, or the two sizes are in the wrong order.',
    remedy: 'Ask for sizes from 1 to the one in /v1/log/checkpoint, the smaller one first.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The calls of this minute are used up.',
    remedy: 'Try again after the time in Retry-After.',
  },
  quota_exceeded: {
    status: 429,
    meaning: 'The quota of this day is used up; days end at midnight UTC.',
    remedy: 'Try again after the time in Retry-After, or use a key with a larger plan.',
  },
  too_many_streams: {
    status: 429,
    meaning: 'This caller has as many open streams as it may have.',
    remedy: 'Close a stream, or share one between the parts of your program.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    meaning: 'The service failed on its own account.',
    remedy: 'Try again; report the request_id if it stays.',
  },
  archive_unavailable: {
    status: 503,
    meaning: 'The archive does not answer.',
    remedy: 'Try again after the time in Retry-After.',
  },
  log_key_unavailable: {
    status: 503,
    meaning: 'This process cannot sign for the log: it holds no key, or not the one that the log names.',
    remedy:
      'Ask another process of the service; the operator gives this one the file log.key of the recorder.',
  },
  replay_busy: {
    status: 503,
    meaning: 'Too many instants without a recorded frame are being computed at once.',
    remedy: 'Try again after the time in Retry-After.',
  },
  warming_up: {
    status: 503,
    meaning: 'No frame has been recorded yet.',
    remedy: 'Try again in a few seconds; /health shows the progress.',
  },
  source_unavailable: {
    status: 503,
    meaning: 'A source behind the answer does not deliver.',
    remedy: 'Try again after the time in Retry-After; /health shows the sources.',
  },
  customer_api_not_configured: {
    status: 503,
    meaning: 'The server has no valid key record, so that no key can be accepted.',
    remedy: 'The operator creates one with `barograph keys create`.',
  },
  rate_limit_unavailable: {
    status: 503,
    meaning: 'The limiter does not answer, and without it no call is admitted.',
    remedy: 'Try again after the time in Retry-After; public operations go on.',
  },
  default_universe_unavailable: {
    status: 503,
    meaning: 'The default set of assets cannot be read.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  billing_unavailable: {
    status: 503,
    meaning: 'Billing does not answer.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  queue_unavailable: {
    status: 503,
    meaning: 'The queue of research work does not answer.',
    remedy: 'Nothing raises it today; kept for clients that know it.',
    reserved: true,
  },
  streams_exhausted: {
    status: 503,
    meaning: 'This process has as many open streams as it can serve.',
    remedy: 'Try again after the time in Retry-After.',
  },
  shutting_down: {
    status: 503,
    meaning: 'This process is stopping.',
    remedy: 'Try again; another process or the restarted one will answer.',
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof kinds;
export const FAILURES: Readonly<Record<FailureCode, FailureKind>> = kinds;

/** Thrown anywhere; becomes the one envelope at the edge. `detail` must not repeat what the caller sent. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly retryAfterSeconds: number | undefined;
  constructor(
    code: FailureCode,
    options: { detail?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(options.detail ?? FAILURES[code].meaning, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return FAILURES[this.code].status;
  }
}

export const ErrorEnvelope = z
  .strictObject({
    error_contract: z.literal('api-error-envelope-v1'),
    error: z.string().describe('Machine-readable code; the catalogue is part of the documentation.'),
    message: z.string().describe('One sentence for people. Never repeats what the caller sent.'),
    status_code: z.int().describe('The HTTP status again, for clients that lose it.'),
    request_id: z.string().describe('Names this request in the logs of the service.'),
    retry_after_s: z.int().optional().describe('Seconds to wait before trying again.'),
  })
  .meta({ id: 'ErrorEnvelope', description: 'The one error body of all surfaces.' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

export function envelopeOf(failure: Failure, requestId: string): ErrorEnvelope {
  return {
    error_contract: 'api-error-envelope-v1',
    error: failure.code,
    message: failure.message,
    status_code: failure.status,
    request_id: requestId,
    ...(failure.retryAfterSeconds === undefined ? {} : { retry_after_s: failure.retryAfterSeconds }),
  };
}
