// How often callers were refused, by code: tells a limiter that is away from a service that is warming up.
import { Counter, type Registry } from 'prom-client';
import { FAILURES, type FailureCode } from '../../contracts/failures.js';

const NAME = 'barograph_refusals_total';

export type CountRefusal = (code: FailureCode) => void;

/** One counter for every surface of the process: whoever comes first registers it. */
export function refusalCounter(registry: Registry): CountRefusal {
  const known = registry.getSingleMetric(NAME) as Counter<'code'> | undefined;
  const counter = known ?? zeroed(registry);
  return (code) => counter.inc({ code });
}

/** Bounded by the catalogue; every code is there from the beginning, so that the first refusal is seen as a rise. */
function zeroed(registry: Registry): Counter<'code'> {
  const counter = new Counter({
    name: NAME,
    help: 'Requests, handshakes and tool calls that were refused, by the code that they were told.',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of Object.keys(FAILURES)) counter.inc({ code }, 0);
  return counter;
}
