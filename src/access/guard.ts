// Stands before every operation that is not public: recognises the caller, checks the scope, counts the call.
import { type Allowance, ANONYMOUS, type Caller, type KeyHolder, type Quota } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import type { Access, Operation } from '../contracts/operation.js';
import { type Clock, DAY } from '../kernel/instant.js';
import type { Network } from './address.js';
import { AddressCeiling, FAILED_KEYS_A_MINUTE, LOOKS_A_MINUTE } from './address-ceiling.js';
import {
  type Account,
  type Admitted,
  admit,
  anonymousAccounts,
  keyAccount,
  look,
  prepay,
  spend as spendPaid,
} from './admission.js';
import type { Audit, AuditedCall } from './audit.js';
import { type Arrival, clientAddress } from './client-address.js';
import type { Keyring } from './keyring.js';
import { limitHeaders } from './limit-headers.js';
import type { Plan } from './plans.js';
import type { PrepaidCounters } from './prepaid.js';

export interface GuardParts {
  readonly keyring: Keyring;
  /** The same that usage is read from, so that headers and usage agree. */
  readonly counters: PrepaidCounters;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Network[];
  /** Keys the hash of anonymous addresses; shared by all processes that share the counters. */
  readonly addressSecret: Uint8Array;
  /** Shared with the other doors that keys are tried at. */
  readonly failedKeys?: AddressCeiling;
  /** What callers without a key may ask for. */
  readonly anonymousPlan?: Plan;
}

export type SetHeader = (name: string, value: string) => void;
type Ask = (
  operation: Pick<Operation, 'name' | 'access'>,
  call: Arrival,
  setHeader: SetHeader,
  requestId: string,
) => Promise<Caller>;
/** `spend` lets a metered call in at once where it is paid for; null where the guard itself must be asked. */
export type AccessGuard = Ask & { readonly spend: (access: Access, call: Arrival) => Allowance | null };

export function accessGuard(parts: GuardParts): AccessGuard {
  const { keyring, counters, trustedProxies } = parts;
  // The day of an anonymous account is that of the counters, whatever the clock of this process says.
  let skew = 0;
  const anonymousAccount = anonymousAccounts(
    parts.addressSecret,
    () => parts.clock() + skew,
    parts.anonymousPlan,
  );
  const failedKeys = parts.failedKeys ?? new AddressCeiling(FAILED_KEYS_A_MINUTE, parts.clock);
  const looks = new AddressCeiling(LOOKS_A_MINUTE, parts.clock);

  function pass(ceiling: AddressCeiling, call: AuditedCall): void {
    const retryAfterSeconds = ceiling.pass(call.address ?? null);
    if (retryAfterSeconds === null) return;
    parts.audit({ event: 'limit.denied', keyId: null, reason: 'address' }, call);
    throw new Failure('rate_limited', { retryAfterSeconds });
  }

  function authenticated(text: string | undefined, call: AuditedCall): KeyHolder {
    const found = keyring.authenticate(text);
    if ('holder' in found) return found.holder;
    pass(failedKeys, call);
    parts.audit({ event: 'auth.failed', keyId: found.keyId, reason: found.refused }, call);
    throw new Failure('unauthorized');
  }

  async function counted(asked: Promise<Admitted>, keyId: string | null, heard: Heard): Promise<Allowance> {
    const { allowance, refusal } = await asked.catch((error: unknown) => {
      parts.audit({ event: 'limiter.unavailable', keyId }, heard.call);
      throw error;
    });
    skew = allowance.at - parts.clock();
    for (const [name, value] of limitHeaders(allowance)) heard.setHeader(name, value);
    if (refusal === null) return allowance;
    parts.audit({ event: 'limit.denied', keyId, reason: refusal.code }, heard.call);
    throw refusal;
  }

  async function withKey(access: Extract<Access, { kind: 'key' }>, heard: Heard): Promise<Caller> {
    if (!keyring.configured) throw new Failure('customer_api_not_configured');
    const key = authenticated(heard.key, heard.call);
    if (access.scope !== null && !key.scopes.includes(access.scope)) {
      parts.audit({ event: 'scope.denied', keyId: key.id, reason: access.scope }, heard.call);
      throw new Failure('insufficient_scope');
    }
    const quota = access.quota === undefined ? 'calls' : access.quota;
    if (quota === null) pass(looks, heard.call);
    const account = keyAccount(key);
    // What counts nothing still shows the caller where the usual account stands.
    const asked = quota === null ? look(counters, account, 'calls') : admit(counters, account, quota);
    return { kind: 'key', key, allowance: await counted(asked, key.id, heard) };
  }

  async function metered(quota: Quota, heard: Heard): Promise<Caller> {
    if (heard.key !== undefined) {
      const key = authenticated(heard.key, heard.call);
      const asked = prepay(counters, keyAccount(key), quota);
      return { kind: 'key', key, allowance: await counted(asked, key.id, heard) };
    }
    const account = anonymousAccount(heard.call.address ?? null);
    // What strangers have no account for is not used up: it takes a key.
    if (account.plan.perDay[quota] === 0) authenticated(undefined, heard.call);
    return { kind: 'anonymous', allowance: await counted(prepay(counters, account, quota), null, heard) };
  }

  const guard: Ask = async ({ name, access }, call, setHeader, requestId) => {
    if (access.kind === 'public') return ANONYMOUS;
    // Set before anything can fail: a refusal is as private as an answer.
    setHeader('Cache-Control', 'private, no-store, max-age=0');
    setHeader('Vary', 'X-API-Key');
    const given = call.headers['x-api-key'];
    const key = Array.isArray(given) ? given.join(',') : given;
    const address = clientAddress(call, trustedProxies);
    const heard: Heard = { key, setHeader, call: { requestId, operation: name, address } };
    switch (access.kind) {
      case 'recognised': {
        const found = keyring.authenticate(key);
        return 'holder' in found ? { kind: 'key', key: found.holder, allowance: null } : ANONYMOUS;
      }
      case 'metered':
        return metered(access.quota, heard);
      case 'key':
        return withKey(access, heard);
    }
  };

  /** Where nobody in between is believed, the socket says it all, and the same socket asks again. */
  const bySocket = new WeakMap<Arrival['socket'], { readonly account: Account; readonly day: number }>();
  function strangers(call: Arrival): Account {
    if (trustedProxies.length > 0) return anonymousAccount(clientAddress(call, trustedProxies));
    const day = Math.floor((parts.clock() + skew) / DAY);
    const known = bySocket.get(call.socket);
    if (known?.day === day) return known.account;
    const account = anonymousAccount(clientAddress(call, trustedProxies));
    bySocket.set(call.socket, { account, day });
    return account;
  }

  function spend(access: Access, call: Arrival): Allowance | null {
    const key = call.headers['x-api-key'];
    if (access.kind !== 'metered' || Array.isArray(key)) return null;
    if (key === undefined) return spendPaid(counters, strangers(call), access.quota);
    const found = keyring.authenticate(key);
    return 'holder' in found ? spendPaid(counters, keyAccount(found.holder), access.quota) : null;
  }

  return Object.assign(guard, { spend });
}

/** What the guard has taken from one call. */
interface Heard {
  readonly key: string | undefined;
  readonly setHeader: SetHeader;
  readonly call: AuditedCall & { readonly address: ReturnType<typeof clientAddress> };
}
