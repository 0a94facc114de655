// One request from its arrival to its record: the id, the route it matched, how it was answered.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../../contracts/failures.js';
import { causeText, elapsedMs, type Ledger } from './ledger.js';
import { failureOf, refusal } from './refusal.js';
import { type HeaderList, pairs, type Reply, withVary } from './reply.js';

/** What nginx calls it when the client closes first. */
const CLIENT_CLOSED = 499;

export class Exchange {
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly #startedAt: number;
  /** By lower-case name. */
  readonly #headers = new Map<string, readonly [name: string, value: string]>();
  route = '(none)';
  /** True once somebody has taken over the response and will finish it. */
  answered = false;
  #bytes: number | undefined;
  #failure: Failure | undefined;
  #recorded = false;

  constructor(id: string, req: IncomingMessage, res: ServerResponse, startedAt: number) {
    this.id = id;
    this.req = req;
    this.res = res;
    this.#startedAt = startedAt;
  }

  /** A header of the response, whether that is an answer or a refusal; takes the place of a usual one. */
  setHeader(name: string, value: string): void {
    this.#headers.set(name.toLowerCase(), [name, value]);
  }

  setHeaders(headers: HeaderList): void {
    for (const [name, value] of pairs(headers)) this.setHeader(name, value);
  }

  /** `failure` is what the reply tells, for the record. */
  send(reply: Reply, failure?: Failure): void {
    if (this.answered || this.res.headersSent || this.res.destroyed) return;
    this.answered = true;
    this.#failure ??= failure;
    this.#bytes = this.req.method === 'HEAD' ? 0 : reply.body.length;
    this.res.writeHead(reply.status, [...this.#withOwn(reply.headers), 'X-Request-Id', this.id]);
    this.res.end(reply.body);
  }

  refuse(error: unknown, headers: HeaderList = []): void {
    this.#failure ??= failureOf(error);
    // Half an answer cannot be taken back; the cut connection tells the client that it is not whole.
    if (this.res.headersSent && !this.res.writableEnded) this.res.destroy();
    else this.send(refusal(this.#failure, this.id, headers));
  }

  #withOwn(usual: HeaderList): HeaderList {
    const own =
      this.#headers.size === 0
        ? usual
        : [
            ...pairs(usual).filter(([name]) => !this.#headers.has(name.toLowerCase())),
            ...this.#headers.values(),
          ].flat();
    return withVary(this.res.getHeader('Vary'), own);
  }

  /** Writes the event once; `status` where the response went past Node's own bookkeeping. */
  record(to: Ledger, status?: number, failure?: Failure): void {
    if (this.#recorded) return;
    this.#recorded = true;
    const aborted = status === undefined && !this.res.writableFinished;
    const cause = causeText((failure ?? this.#failure)?.cause);
    const code = (failure ?? this.#failure)?.code;
    to.record({
      request_id: this.id,
      method: this.req.method ?? '-',
      route: this.route,
      status: status ?? (aborted && !this.res.headersSent ? CLIENT_CLOSED : this.res.statusCode),
      duration_ms: elapsedMs(this.#startedAt),
      bytes: this.#bytes ?? Number(this.res.getHeader('content-length') ?? 0),
      ...(code === undefined ? {} : { error: code }),
      ...(cause === undefined ? {} : { cause }),
      ...(aborted ? { aborted } : {}),
    });
  }
}
