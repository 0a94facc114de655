// Lets a call in or refuses it, by the windows of its account; only what is let in is charged.
import { createHmac } from 'node:crypto';
import type { Allowance, KeyHolder, Quota } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import { type Clock, DAY, SECOND } from '../kernel/instant.js';
import { type Charge, type Counters, CountersUnavailable, type Standing } from '../ports/counters.js';
import { type Address, networkOf } from './address.js';
import { ANONYMOUS_PLAN, type Plan, planNamed } from './plans.js';
import type { PrepaidCounters } from './prepaid.js';

/** Whose windows, and how wide they are. */
export interface Account {
  readonly bucket: string;
  readonly plan: Plan;
}

export interface Admitted {
  readonly allowance: Allowance;
  /** Present where the call is refused. */
  readonly refusal: Failure | null;
}

/** The two kinds of bucket can never meet, whatever an id looks like. */
export function keyAccount({ id, plan }: Pick<KeyHolder, 'id' | 'plan'>): Account {
  return { bucket: `key:${id}`, plan: planNamed(plan) };
}

/** An IPv6 customer owns at least a /64, so within one the addresses are the same caller. */
const PREFIX = { v4: 32, v6: 64 };

/** Hashing again costs more than remembering; this many are remembered at once, and none beyond its day. */
const MOST_KNOWN = 1_000;

/** No address is stored: its keyed hash is, and the salt of yesterday says nothing today. */
export function anonymousAccounts(
  secret: Uint8Array,
  clock: Clock,
  plan: Plan = ANONYMOUS_PLAN,
): (address: Address | null) => Account {
  let day = Number.NaN;
  let salt: Buffer = Buffer.alloc(0);
  const known = new Map<string, Account>();
  return (address) => {
    const today = Math.floor(clock() / DAY);
    if (today !== day || known.size >= MOST_KNOWN) {
      day = today;
      known.clear();
      salt = createHmac('sha256', secret).update(`anonymous ${today}`).digest();
    }
    const prefix = address === null ? 'unknown' : networkOf(address, PREFIX);
    const kept = known.get(prefix);
    if (kept !== undefined) return kept;
    const name = createHmac('sha256', salt).update(prefix).digest('base64url').slice(0, 24);
    const account = { bucket: `anon:${name}`, plan };
    known.set(prefix, account);
    return account;
  };
}

export async function admit(counters: Counters, account: Account, quota: Quota): Promise<Admitted> {
  const standing = await counted(() => counters.admit(chargeOf(account, quota)));
  return { allowance: allowanceOf(account, quota, standing), refusal: refusalOf(standing) };
}

/** The same for calls that come often: some of them may have been paid for already. */
export async function prepay(counters: PrepaidCounters, account: Account, quota: Quota): Promise<Admitted> {
  const standing = await counted(() => counters.prepay(chargeOf(account, quota)));
  return { allowance: allowanceOf(account, quota, standing), refusal: refusalOf(standing) };
}

/** At once, where the call is paid for; else null. */
export function spend(counters: PrepaidCounters, account: Account, quota: Quota): Allowance | null {
  const standing = counters.spend(chargeOf(account, quota));
  return standing === null ? null : allowanceOf(account, quota, standing);
}

/** The same windows, untouched; who only looks is never refused. */
export async function look(counters: Counters, account: Account, quota: Quota): Promise<Admitted> {
  const standing = await counted(() => counters.peek(chargeOf(account, quota)));
  return { allowance: allowanceOf(account, quota, standing), refusal: null };
}

function chargeOf({ bucket, plan }: Account, quota: Quota): Charge {
  return { bucket, minuteLimit: plan.requestsPerMinute, quota, dayLimit: plan.perDay[quota], cost: 1 };
}

function allowanceOf({ plan }: Account, quota: Quota, standing: Standing): Allowance {
  const { minuteUsed, minuteResetAt, dayUsed, dayResetAt, at } = standing;
  const minuteLimit = plan.requestsPerMinute;
  const dayLimit = plan.perDay[quota];
  return { quota, minuteLimit, minuteUsed, minuteResetAt, dayLimit, dayUsed, dayResetAt, at };
}

function refusalOf({ refused, minuteResetAt, dayResetAt, at }: Standing): Failure | null {
  if (refused === null) return null;
  const resetAt = refused === 'quota_exceeded' ? dayResetAt : minuteResetAt;
  return new Failure(refused, { retryAfterSeconds: secondsUntil(resetAt, at) });
}

/** Rounded up, so that who waits this long is let in. */
export function secondsUntil(resetAt: number, at: number): number {
  return Math.max(1, Math.ceil((resetAt - at) / SECOND));
}

async function counted<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CountersUnavailable)) throw error;
    throw new Failure('rate_limit_unavailable', { retryAfterSeconds: 1, cause: error });
  }
}
