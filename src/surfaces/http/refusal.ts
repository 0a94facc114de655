// Turns whatever was thrown into the one envelope and the headers that belong to its status.
import { envelopeOf, Failure } from '../../contracts/failures.js';
import { type HeaderList, type Reply, reply } from './reply.js';

/** Said with every 503 that names no time of its own. */
export const USUAL_RETRY_S = 5;

/** What is not a Failure is our own fault; its text stays in the log. */
export function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('internal_error', { cause: error });
}

export function refusal(failure: Failure, requestId: string, headers: HeaderList = []): Reply {
  const wait = failure.retryAfterSeconds ?? (failure.status === 503 ? USUAL_RETRY_S : undefined);
  const envelope = {
    ...envelopeOf(failure, requestId),
    ...(wait === undefined ? {} : { retry_after_s: wait }),
  };
  return reply({
    status: failure.status,
    body: JSON.stringify(envelope),
    headers: [
      ...(wait === undefined ? [] : ['Retry-After', String(wait)]),
      ...(failure.status === 401 ? ['WWW-Authenticate', 'ApiKey realm="barograph"'] : []),
      ...headers,
    ],
  });
}
