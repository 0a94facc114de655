// The standing of the key that asks, as the limiter sees it; looking charges nothing.
import { keyAccount, look } from '../access/admission.js';
import { planNamed } from '../access/plans.js';
import { type Allowance, ANONYMOUS, type Caller, type KeyHolder, type Quota } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import type { CustomerUsage } from '../contracts/research/usage.js';
import { DAY, formatInstant, type Instant, MINUTE } from '../kernel/instant.js';
import type { Counters } from '../ports/counters.js';

type Window = CustomerUsage['usage']['minute'];

const OWN_ACCOUNTS: readonly Quota[] = ['asset_reads', 'batch_calls'];

function windowOf(end: Instant, length: number, used: number): Window {
  return { start: formatInstant(end - length), end: formatInstant(end), used, unit: 'requests' };
}

const left = (limit: number, used: number): number => Math.max(0, limit - used);

function customerOf(key: KeyHolder): CustomerUsage['customer'] {
  return {
    customer_id: key.customerId,
    key_id: key.id,
    key_hint: `baro_${key.environment}_…${key.id.slice(-4)}`,
    plan: key.plan,
    environment: key.environment,
    state: 'active',
    key_expires_at: key.expiresAt === null ? null : formatInstant(key.expiresAt),
    rotation:
      key.oldKeyEndsAt === null
        ? { state: 'none', old_key_ends_at: null }
        : { state: 'overlap', old_key_ends_at: formatInstant(key.oldKeyEndsAt) },
  };
}

function usageOf(key: KeyHolder, all: Allowance, own: readonly Allowance[]): CustomerUsage {
  const plan = planNamed(key.plan);
  return {
    contract_version: 'customer_usage.v1',
    generated_at: formatInstant(all.at),
    customer: customerOf(key),
    scopes: [...key.scopes],
    usage: {
      minute: windowOf(all.minuteResetAt, MINUTE, all.minuteUsed),
      day: windowOf(all.dayResetAt, DAY, all.dayUsed),
      operations: own.map(({ quota, dayResetAt, dayUsed }) => ({
        operation: quota,
        day: windowOf(dayResetAt, DAY, dayUsed),
      })),
    },
    limits: {
      minute: all.minuteLimit,
      day: all.dayLimit,
      operations: own.map(({ quota, dayLimit }) => ({ operation: quota, day: dayLimit })),
      batch_items: plan.tickersPerBatch,
      concurrent_streams: plan.concurrentStreams,
      keys: plan.keys,
    },
    remaining: {
      minute: left(all.minuteLimit, all.minuteUsed),
      day: left(all.dayLimit, all.dayUsed),
      operations: own.map(({ quota, dayLimit, dayUsed }) => ({
        operation: quota,
        day: left(dayLimit, dayUsed),
      })),
    },
    billing: { mode: 'none', state: 'ok', tokens: null, period: null, currency: null },
  };
}

export function usageAnswer(counters: Counters) {
  return async (_input: object, caller: Caller = ANONYMOUS): Promise<CustomerUsage> => {
    if (caller.kind !== 'key') throw new Failure('unauthorized');
    const account = keyAccount(caller.key);
    const see = async (quota: Quota) => (await look(counters, account, quota)).allowance;
    // What the guard saw stands in the headers of this response, so the body says the same.
    const all = caller.allowance ?? (await see('calls'));
    return usageOf(caller.key, all, await Promise.all(OWN_ACCOUNTS.map(see)));
  };
}
