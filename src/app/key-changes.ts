// What can happen to a key: made, replaced by another one, revoked. Each is a change of the records, nothing else.
import { keySha256, makeKey } from '../access/key-text.js';
import { type PlanName, planNamed } from '../access/plans.js';
import type { Scope } from '../access/scopes.js';
import { formatInstant, type Instant, parseInstant } from '../kernel/instant.js';
import { CommandFault } from './exit.js';
import type { RawRecord } from './key-file.js';

export interface KeyWish {
  readonly scopes: readonly Scope[];
  readonly plan: PlanName;
  readonly customerId: string | null;
  readonly expiresAt: Instant | null;
  readonly environment: 'live' | 'test';
}

export interface MadeKey {
  readonly records: readonly RawRecord[];
  readonly record: RawRecord;
  /** Shown once and stored nowhere. */
  readonly text: string;
}

const instantIn = (record: RawRecord, field: string): Instant | null =>
  typeof record[field] === 'string' ? parseInstant(record[field]) : null;

function works(record: RawRecord, now: Instant): boolean {
  const expiresAt = instantIn(record, 'expires_at');
  return record['revoked_at'] == null && (expiresAt === null || now < expiresAt);
}

export function withNewKey(records: readonly RawRecord[], wish: KeyWish, now: Instant): MadeKey {
  const most = planNamed(wish.plan).keys;
  const own = records.filter(
    (record) => wish.customerId !== null && record?.['customer_id'] === wish.customerId && works(record, now),
  );
  if (most !== null && own.length >= most) {
    const keys = most === 1 ? '1 key' : `${most} keys`;
    throw new CommandFault(
      `the plan ${wish.plan} includes ${keys}: rotate or revoke ${String(own[0]!['id'])}`,
    );
  }
  return added(records, wish, null, now);
}

/** Both keys work until the overlap ends. */
export function withRotatedKey(
  records: readonly RawRecord[],
  id: string,
  overlap: number,
  expiresAt: Instant | null,
  now: Instant,
): MadeKey {
  const old = recordNamed(records, id);
  if (!works(old, now)) throw new CommandFault(`${id} does not work any more: create a new key`);
  const endsAt = Math.min(now + overlap, instantIn(old, 'expires_at') ?? Number.POSITIVE_INFINITY);
  const ending = records.map((record) =>
    record === old ? { ...record, expires_at: formatInstant(endsAt) } : record,
  );
  const wish: KeyWish = {
    scopes: (old['scopes'] as Scope[] | undefined) ?? [],
    plan: (old['plan'] as PlanName | undefined) ?? 'free',
    customerId: (old['customer_id'] as string | undefined) ?? id,
    expiresAt: expiresAt ?? sameLifetime(old, now),
    environment: 'live',
  };
  return added(ending, wish, id, now);
}

export function withRevokedKey(
  records: readonly RawRecord[],
  id: string,
  now: Instant,
): readonly RawRecord[] {
  if (!records.some((record) => record?.['id'] === id)) throw new CommandFault(`there is no key ${id}`);
  // Where an id stands twice, all of them are meant.
  return records.map((record) =>
    record?.['id'] === id && record['revoked_at'] == null
      ? { ...record, revoked_at: formatInstant(now) }
      : record,
  );
}

function added(records: readonly RawRecord[], wish: KeyWish, replaces: string | null, now: Instant): MadeKey {
  const { id, text } = makeKey(wish.environment);
  const record: RawRecord = {
    id: `key_${id}`,
    key_sha256: keySha256(text),
    customer_id: wish.customerId ?? `key_${id}`,
    plan: wish.plan,
    scopes: wish.scopes,
    created_at: formatInstant(now),
    ...(wish.expiresAt === null ? {} : { expires_at: formatInstant(wish.expiresAt) }),
    ...(replaces === null ? {} : { replaces }),
  };
  return { records: [...records, record], record, text };
}

function recordNamed(records: readonly RawRecord[], id: string): RawRecord {
  const [found, ...more] = records.filter((record) => record?.['id'] === id);
  if (found === undefined) throw new CommandFault(`there is no key ${id}`);
  if (more.length > 0)
    throw new CommandFault(`${id} stands ${more.length + 1} times in the file: mend it first`);
  return found;
}

/** A key that was made for ninety days is followed by one for ninety days, not by one for ever. */
function sameLifetime(old: RawRecord, now: Instant): Instant | null {
  const [from, to] = [instantIn(old, 'created_at'), instantIn(old, 'expires_at')];
  if (to === null) return null;
  if (from === null) throw new CommandFault('say with --expires how long the new key works');
  return now + (to - from);
}
