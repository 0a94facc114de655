// The audit: one line for everything that concerns keys and limits, only ever appended.
import { type Clock, formatInstant, MINUTE } from '../kernel/instant.js';
import { type Address, networkOf } from './address.js';
import type { IgnoredBecause } from './key-records.js';
import type { ClosedBecause, Keyring, RefusedBecause } from './keyring.js';
import type { OfferFault } from './websocket-key.js';

/** A closed list, so that there is no field in which the text of a key, its hash or a query could travel. */
export type AuditEvent =
  | { readonly event: 'key.loaded' | 'key.rotated'; readonly keyId: string }
  | { readonly event: 'key.revoked' | 'key.expired'; readonly keyId: string; readonly reason: ClosedBecause }
  | {
      readonly event: 'key.ignored_malformed' | 'key.ignored_duplicate';
      readonly keyId: string | null;
      readonly reason: IgnoredBecause;
      readonly index: number;
    }
  | { readonly event: 'keys.unreadable'; readonly reason: 'missing' | 'unreadable' }
  | { readonly event: 'auth.failed'; readonly keyId: string | null; readonly reason: RefusedBecause }
  | { readonly event: 'scope.denied'; readonly keyId: string; readonly reason: string }
  | { readonly event: 'limit.denied'; readonly keyId: string | null; readonly reason: string }
  | { readonly event: 'limiter.unavailable'; readonly keyId: string | null }
  | { readonly event: 'retired.hit'; readonly reason: string }
  | { readonly event: 'mcp.tool_called'; readonly keyId: string | null; readonly reason: string }
  | {
      readonly event: 'ws.refused';
      readonly reason: OfferFault | RefusedBecause | 'origin' | 'scope' | 'limit' | 'streams';
    }
  | { readonly event: 'stream.refused'; readonly reason: 'origin' | 'streams' }
  | { readonly event: 'audit.skipped'; readonly reason: 'strangers'; readonly count: number };

/** Where the call came from, as far as the audit may know. */
export interface AuditedCall {
  readonly requestId: string;
  readonly operation?: string;
  readonly address?: Address | null;
}

export type AuditSink = (line: string) => void;
export type Audit = (event: AuditEvent, call?: AuditedCall) => void;

/** Enough to see a pattern, too little to find a person. */
const TRUNCATED = { v4: 24, v6: 48 };

const OUTCOMES = {
  'key.loaded': 'accepted',
  'key.rotated': 'accepted',
  'key.revoked': 'ended',
  'key.expired': 'ended',
  'key.ignored_malformed': 'ignored',
  'key.ignored_duplicate': 'ignored',
  'keys.unreadable': 'ignored',
  'auth.failed': 'refused',
  'scope.denied': 'refused',
  'limit.denied': 'refused',
  'limiter.unavailable': 'refused',
  'retired.hit': 'refused',
  'mcp.tool_called': 'accepted',
  'ws.refused': 'refused',
  'stream.refused': 'refused',
  'audit.skipped': 'ignored',
} as const satisfies Record<AuditEvent['event'], string>;

/** Lines a minute about callers who have shown no valid key: they must not be able to fill a disk. */
const STRANGERS_PER_MINUTE = 300;

export function audit(sink: AuditSink, clock: Clock): Audit {
  let minute = Number.NaN;
  let strangers = 0;
  const write: Audit = (happened, call) => {
    const { event } = happened;
    const keyId = 'keyId' in happened ? happened.keyId : null;
    const line = {
      time: formatInstant(clock()),
      event,
      outcome: OUTCOMES[event],
      actor: keyId ?? (call === undefined ? 'config' : 'anonymous'),
      ...('reason' in happened ? { reason: happened.reason } : {}),
      ...('index' in happened ? { index: happened.index } : {}),
      ...('count' in happened ? { count: happened.count } : {}),
      ...(call === undefined ? {} : { request_id: call.requestId }),
      ...(call?.operation === undefined ? {} : { operation: call.operation }),
      ...(call?.address == null ? {} : { client: networkOf(call.address, TRUNCATED) }),
    };
    sink(`${JSON.stringify(line)}\n`);
  };
  return (happened, call) => {
    const now = Math.floor(clock() / MINUTE);
    if (now !== minute) {
      const count = strangers - STRANGERS_PER_MINUTE;
      minute = now;
      strangers = 0;
      if (count > 0) write({ event: 'audit.skipped', reason: 'strangers', count });
    }
    const isStranger = call !== undefined && !('keyId' in happened && happened.keyId !== null);
    if (isStranger) strangers += 1;
    if (!isStranger || strangers <= STRANGERS_PER_MINUTE) write(happened, call);
  };
}

/** Writes down what every reading of the key records brought. */
export function auditKeyring(keyring: Keyring, write: Audit): () => void {
  return keyring.onChange(({ read, opened, closed }) => {
    if (read !== null && read.fault !== null) write({ event: 'keys.unreadable', reason: read.fault });
    for (const { index, id, because } of read?.ignored ?? []) {
      const event = because.startsWith('duplicate') ? 'key.ignored_duplicate' : 'key.ignored_malformed';
      write({ event, keyId: id, reason: because, index });
    }
    for (const { id, replaces } of opened) {
      write({ event: replaces === null ? 'key.loaded' : 'key.rotated', keyId: id });
    }
    for (const { id, because } of closed) {
      if (because === 'changed') continue;
      write({ event: because === 'expired' ? 'key.expired' : 'key.revoked', keyId: id, reason: because });
    }
  });
}
