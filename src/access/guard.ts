// Stands before every operation that is not public: recognises the caller, checks the scope, counts the call.
import { type Allowance, ANONYMOUS, type Caller, type KeyHolder, type Quota } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import type { Access, Operation } from '../contracts/operation.js';
import type { Clock } from '../kernel/instant.js';
import type { Counters } from '../ports/counters.js';
import type { Network } from './address.js';
import { type Account, admit, anonymousAccounts, keyAccount, look } from './admission.js';
import type { Audit, AuditedCall } from './audit.js';
import { type Arrival, clientAddress } from './client-address.js';
import type { Keyring } from './keyring.js';
import { limitHeaders } from './limit-headers.js';

export interface GuardParts {
  readonly keyring: Keyring;
  readonly counters: Counters;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Network[];
  /** Keys the hash of anonymous addresses; shared by all processes that share the counters. */
  readonly addressSecret: Uint8Array;
}

export type SetHeader = (name: string, value: string) => void;
export type AccessGuard = (
  operation: Pick<Operation, 'name' | 'access'>,
  call: Arrival,
  setHeader: SetHeader,
  requestId: string,
) => Promise<Caller>;

export function accessGuard(parts: GuardParts): AccessGuard {
  const { keyring, counters, trustedProxies } = parts;
  const anonymousAccount = anonymousAccounts(parts.addressSecret, parts.clock);

  function authenticated(text: string | undefined, call: AuditedCall): KeyHolder {
    const found = keyring.authenticate(text);
    if ('holder' in found) return found.holder;
    parts.audit({ event: 'auth.failed', keyId: found.keyId, reason: found.refused }, call);
    throw new Failure('unauthorized');
  }

  async function count(
    account: Account,
    quota: Quota | null,
    keyId: string | null,
    heard: Heard,
  ): Promise<Allowance> {
    // What counts nothing still shows the caller where the usual account stands.
    const asked = quota === null ? look(counters, account, 'calls') : admit(counters, account, quota);
    const { allowance, refusal } = await asked.catch((error: unknown) => {
      parts.audit({ event: 'limiter.unavailable', keyId }, heard.call);
      throw error;
    });
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
    return { kind: 'key', key, allowance: await count(keyAccount(key), quota, key.id, heard) };
  }

  async function metered(quota: Quota, heard: Heard): Promise<Caller> {
    if (heard.key !== undefined) {
      const key = authenticated(heard.key, heard.call);
      return { kind: 'key', key, allowance: await count(keyAccount(key), quota, key.id, heard) };
    }
    const account = anonymousAccount(heard.call.address ?? null);
    // What strangers have no account for is not used up: it takes a key.
    if (account.plan.perDay[quota] === 0) authenticated(undefined, heard.call);
    return { kind: 'anonymous', allowance: await count(account, quota, null, heard) };
  }

  return async ({ name, access }, call, setHeader, requestId) => {
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
}

/** What the guard has taken from one call. */
interface Heard {
  readonly key: string | undefined;
  readonly setHeader: SetHeader;
  readonly call: AuditedCall & { readonly address: ReturnType<typeof clientAddress> };
}
