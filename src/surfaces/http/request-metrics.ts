// What Prometheus learns about requests: durations by route, method and status, refusals by code, and how many are in flight.
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { DurationHistogram, type Observe } from './duration-histogram.js';
import { type CountRefusal, refusalCounter } from './refusal-counter.js';

/** Default metrics of the client library that end in _total without being counters; promtool refuses them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface RequestMetrics {
  /** The series of one combination of labels, for those who observe it often. */
  series(route: string, method: string, status: number): Observe;
  readonly refused: CountRefusal;
}

export function requestMetrics(registry: Registry, inFlight: () => number): RequestMetrics {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that have arrived and are not answered yet.',
    registers: [registry],
    collect() {
      this.set(inFlight());
    },
  });
  const durations = new DurationHistogram(
    'http_request_duration_seconds',
    'From the arrival of the headers to the end of the response.',
  );
  durations.register(registry);
  // Bounded: templates, the methods that the parser knows, and statuses.
  const known = new Map<string, Observe>();
  return {
    refused: refusalCounter(registry),
    series(route, method, status) {
      const key = `${method} ${status} ${route}`;
      let observe = known.get(key);
      if (observe === undefined) {
        observe = durations.series({ route, method, status: String(status) });
        known.set(key, observe);
      }
      return observe;
    },
  };
}
