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
