// Who asks: what an answer may know of the caller, and what the limiter said when the call was let in.

/** The accounts of a day. What costs more than other calls has an account of its own. */
export type Quota = 'calls' | 'asset_reads' | 'batch_calls';

/** Public facts about a key; never its text or its hash. Instants are microseconds since 1970. */
export interface KeyHolder {
  readonly id: string;
  readonly customerId: string;
  readonly environment: 'live' | 'test';
  readonly plan: string;
  /** Sorted, each once. */
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  /** While an old and a new key of a rotation both work: when the old one ends. */
  readonly oldKeyEndsAt: number | null;
}

/** The windows of the caller as the limiter saw them, with its own clock. */
export interface Allowance {
  readonly quota: Quota;
  readonly minuteLimit: number;
  readonly minuteUsed: number;
  readonly minuteResetAt: number;
  readonly dayLimit: number;
  readonly dayUsed: number;
  readonly dayResetAt: number;
  readonly at: number;
}

/** `allowance` is null where nothing is counted. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly allowance: Allowance | null }
  | { readonly kind: 'key'; readonly key: KeyHolder; readonly allowance: Allowance | null };

export const ANONYMOUS: Caller = { kind: 'anonymous', allowance: null };

export function hasScope(caller: Caller, scope: string): boolean {
  return caller.kind === 'key' && caller.key.scopes.includes(scope);
}
