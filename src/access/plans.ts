// How much a caller may ask for: the numbers of every plan, and of those who come without a key.
import type { Quota } from '../contracts/caller.js';

export interface Plan {
  /** How many keys a customer may have at once; null is no bound. */
  readonly keys: number | null;
  readonly requestsPerMinute: number;
  readonly perDay: Readonly<Record<Quota, number>>;
  readonly tickersPerBatch: number;
  readonly concurrentStreams: number;
}

export const PLANS = {
  free: {
    keys: 1,
    requestsPerMinute: 60,
    perDay: { calls: 5_000, asset_reads: 500, batch_calls: 20 },
    tickersPerBatch: 25,
    concurrentStreams: 2,
  },
  /** For the people who run the server: wide enough never to be felt, narrow enough to stop a runaway loop. */
  operator: {
    keys: null,
    requestsPerMinute: 6_000,
    perDay: { calls: 2_000_000, asset_reads: 2_000_000, batch_calls: 200_000 },
    tickersPerBatch: 25,
    concurrentStreams: 100,
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as readonly PlanName[];

/** Without a key: asset reads like the free plan, by address; everything else needs a key. */
export const ANONYMOUS_PLAN: Plan = {
  keys: 0,
  requestsPerMinute: 60,
  perDay: { calls: 0, asset_reads: 500, batch_calls: 0 },
  tickersPerBatch: 0,
  concurrentStreams: 0,
};

/** The same with other numbers: for those who run the service for themselves. */
export function anonymousPlan(requestsPerMinute: number, assetReads: number): Plan {
  return {
    ...ANONYMOUS_PLAN,
    requestsPerMinute,
    perDay: { ...ANONYMOUS_PLAN.perDay, asset_reads: assetReads },
  };
}

export function isPlan(text: string): text is PlanName {
  return Object.hasOwn(PLANS, text);
}

/** A name that is no plan gives nothing. */
export function planNamed(name: string): Plan {
  return isPlan(name) ? PLANS[name] : ANONYMOUS_PLAN;
}
