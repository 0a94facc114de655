// One wide event per request, to the log and to the metrics: the only place where requests are recorded.
import type { Failure, FailureCode } from '../../contracts/failures.js';
import type { Observe } from './duration-histogram.js';
import type { RequestMetrics } from './request-metrics.js';

/** Never holds the raw URL, a header or a body: only what the service itself has chosen. */
export interface RequestEvent {
  readonly request_id: string;
  readonly method: string;
  /** The template of the matched path, or a word in parentheses. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes: number;
  readonly error?: FailureCode;
  readonly cause?: string;
  /** Answered from kept bytes. */
  readonly kept?: true;
  /** The client went away before the answer was complete. */
  readonly aborted?: true;
}

export interface Ledger {
  record(event: RequestEvent): void;
  /** The same with a series that the caller has kept. */
  recordKept(event: RequestEvent, observe: Observe): void;
  /** What was refused on the bare socket, before it was a request. */
  recordRefused(id: string, method: string, route: string, failure: Failure): void;
}

export function ledger(log: (event: RequestEvent) => void, metrics: RequestMetrics): Ledger {
  const record = (event: RequestEvent) => {
    metrics.series(event.route, event.method, event.status)(event.duration_ms / 1_000);
    if (event.error !== undefined) metrics.refused(event.error);
    log(event);
  };
  return {
    record,
    recordKept(event, observe) {
      observe(event.duration_ms / 1_000);
      log(event);
    },
    recordRefused(id, method, route, { status, code }) {
      record({ request_id: id, method, route, status, duration_ms: 0, bytes: 0, error: code });
    },
  };
}

/** To the microsecond; more digits say nothing. */
export function elapsedMs(since: number): number {
  return Math.round((performance.now() - since) * 1_000) / 1_000;
}

/** The text of an unexpected error with its stack and causes, for the log only. */
export function causeText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!(error instanceof Error)) return typeof error === 'string' ? error : JSON.stringify(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${causeText(error.cause)}`;
}
