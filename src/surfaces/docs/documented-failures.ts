// The refusals of an operation as OpenAPI responses: grouped by status, with an example per code.
import { envelopeOf, FAILURES, Failure, type FailureCode } from '../../contracts/failures.js';
import type { Access, Operation } from '../../contracts/operation.js';
import { LIMIT_HEADER_REFS } from './documented-limits.js';

/** What the edge itself may answer, whatever the operation. */
export const EDGE_FAILURES: readonly FailureCode[] = [
  'bad_request',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'shutting_down',
];
const EDGE_OF_BODIES: readonly FailureCode[] = [
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
];

const EXAMPLE_ID = '5f1c09ab42de-1z';
const ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

function example(code: FailureCode): object {
  const envelope = envelopeOf(new Failure(code), EXAMPLE_ID);
  const value = [429, 503].includes(FAILURES[code].status) ? { ...envelope, retry_after_s: 5 } : envelope;
  return { summary: FAILURES[code].remedy, value };
}

/** What the answers of one operation have that others have not. */
export interface Peculiarities {
  /** The answer that may come with a 503 as well. */
  readonly unready?: object | undefined;
  /** A refusal by the limiter says where the caller stands. */
  readonly tellsLimits?: boolean;
}

function documented(status: number, codes: readonly FailureCode[], own: Peculiarities): object {
  const answer = status === 503 ? own.unready : undefined;
  return {
    description: codes.map((code) => `\`${code}\`: ${FAILURES[code].meaning}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(status === 503 || status === 429
        ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
        : {}),
      ...(status === 429 && own.tellsLimits === true ? LIMIT_HEADER_REFS : {}),
      ...(status === 401 ? { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } } : {}),
    },
    content: {
      'application/json': {
        schema: answer === undefined ? ENVELOPE : { anyOf: [answer, ENVELOPE] },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** Refusals of the edge stand once among the components, where an operation adds nothing to their status. */
export function sharedFailures(operations: readonly Operation[]): Record<string, object> {
  const bodies = operations.some(({ method }) => method !== 'GET') ? EDGE_OF_BODIES : [];
  return Object.fromEntries(
    [...EDGE_FAILURES, ...bodies].map((code) => [code, documented(FAILURES[code].status, [code], {})]),
  );
}

export function documentedFailures(
  codes: readonly FailureCode[],
  own: Peculiarities = {},
): Record<string, object> {
  const unique = [...new Set(codes)];
  const statuses = [...new Set(unique.map((code) => FAILURES[code].status))].sort((a, b) => a - b);
  const shared = new Set([...EDGE_FAILURES, ...EDGE_OF_BODIES]);
  return Object.fromEntries(
    statuses.map((status) => {
      const group = unique.filter((code) => FAILURES[code].status === status);
      const [first] = group;
      const isOwn = status === 503 && own.unready !== undefined;
      const alone = group.length === 1 && first !== undefined && shared.has(first) && !isOwn;
      const response = alone ? { $ref: `#/components/responses/${first}` } : documented(status, group, own);
      return [String(status), response];
    }),
  );
}

const COUNTED: readonly FailureCode[] = ['rate_limited', 'quota_exceeded', 'rate_limit_unavailable'];

function failuresOfAccess(access: Access): readonly FailureCode[] {
  switch (access.kind) {
    case 'public':
    case 'recognised':
      return [];
    case 'metered':
      return ['unauthorized', ...COUNTED];
    case 'key':
      return [
        'unauthorized',
        'customer_api_not_configured',
        ...(access.scope === null ? [] : (['insufficient_scope'] as const)),
        ...(access.quota === null ? (['rate_limit_unavailable'] as const) : COUNTED),
      ];
  }
}

export function failuresOf(
  operation: Pick<Operation, 'access' | 'method' | 'failures'>,
): readonly FailureCode[] {
  const key = failuresOfAccess(operation.access);
  const body: FailureCode[] = operation.method !== 'GET' ? ['invalid_body', ...EDGE_OF_BODIES] : [];
  return [...operation.failures, ...key, ...body, ...EDGE_FAILURES];
}
