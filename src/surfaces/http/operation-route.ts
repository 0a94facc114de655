// One operation as a route: guard, parse, answer, reply, in this order.
import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Caller } from '../../contracts/caller.js';
import type { Operation } from '../../contracts/operation.js';
import { jsonBody } from '../../kernel/json-body.js';
import { prefersMarkdown } from './accepted-form.js';
import type { Exchange } from './exchange.js';
import type { KeptAnswers } from './kept-answers.js';
import { inputReader } from './operation-input.js';
import { USUAL_RETRY_S } from './refusal.js';
import { type Content, MARKDOWN_TYPE, POLICY_HEADERS, type Reply, reply } from './reply.js';
import type { RequestMetrics } from './request-metrics.js';

export type Answer = (input: unknown, caller: Caller) => Promise<unknown>;

/** Says who asks, or throws a Failure where they may not. Public operations are not guarded. The headers it sets go out with answers and refusals alike. */
export type Guard = (
  operation: Operation,
  req: IncomingMessage,
  setHeader: (name: string, value: string) => void,
  requestId: string,
) => Promise<Caller>;

interface Surroundings {
  readonly guard: Guard | undefined;
  readonly kept: KeptAnswers;
  readonly metrics: RequestMetrics;
  readonly bodyBytes: number;
}

const PRIVATE = 'private, no-store, max-age=0';

export type Serve = (exchange: Exchange, inPath: Readonly<Record<string, string>>) => Promise<void>;

export function operationRoute(operation: Operation, answer: Answer, around: Surroundings): Serve {
  const { guard, kept, metrics } = around;
  const isPublic = operation.access.kind === 'public';
  if (!isPublic && guard === undefined) {
    throw new Error(`${operation.name} needs a key, and nothing looks at keys`);
  }
  const readInput = inputReader(operation, around.bodyBytes);
  const policy = operation.surface === 'attention' ? POLICY_HEADERS : [];
  // Answers that depend on the caller are never kept. Metered ones do not, but on the way they are private.
  const isShared = isPublic || operation.access.kind === 'metered';
  // Bytes are kept by their address, which does not tell one form of an answer from the other.
  const { page } = operation;
  const keeps = operation.keeps === 'frame' && operation.method === 'GET' && isShared && page === undefined;
  const cacheControl = !keeps ? 'no-store' : isPublic ? 'no-cache' : PRIVATE;
  const vary = keeps && !isPublic ? ['Vary', 'X-API-Key'] : [];

  function contentOf(output: unknown, accept: string | undefined): Pick<Content, 'body' | 'type'> {
    return page !== undefined && prefersMarkdown(accept)
      ? { body: page(output), type: MARKDOWN_TYPE }
      : { body: jsonBody(output) };
  }

  function keep(url: string, answered: Reply, generation: number): void {
    const recording = {
      route: operation.path,
      access: operation.access,
      observeGet: metrics.series(operation.path, 'GET', answered.status),
      observeHead: metrics.series(operation.path, 'HEAD', answered.status),
    };
    kept.keep(
      url,
      { ...answered, headers: [...answered.headers, ...vary, ...policy] },
      recording,
      generation,
    );
  }

  return async (exchange, inPath) => {
    exchange.setHeaders(policy);
    const caller = isPublic
      ? ANONYMOUS
      : await guard!(operation, exchange.req, (...header) => exchange.setHeader(...header), exchange.id);
    const input = await readInput(exchange.req, inPath);
    const { generation } = kept;
    const output = await answer(input, caller);
    const status = operation.status?.(output) ?? 200;
    const headers = status === 503 ? ['Retry-After', String(USUAL_RETRY_S)] : [];
    if (page !== undefined) exchange.setHeader('Vary', isPublic ? 'Accept' : 'X-API-Key, Accept');
    const content = contentOf(output, exchange.req.headers.accept);
    const answered = reply({ ...content, status, cacheControl, headers });
    if (keeps && status === 200) keep(exchange.req.url!, answered, generation);
    exchange.send(answered);
  };
}
