// Reads key records and fails closed: what is malformed or ambiguous is left out and reported, never guessed.
import { type Instant, parseInstant } from '../kernel/instant.js';
import { isPlan, type PlanName } from './plans.js';
import { isScope, type Scope } from './scopes.js';

export interface KeyRecord {
  readonly id: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly customerId: string;
  readonly plan: PlanName;
  readonly scopes: readonly Scope[];
  readonly notBefore: Instant | null;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
  /** The id of the key that this one takes over from. */
  readonly replaces: string | null;
}

export type IgnoredBecause =
  | 'not_an_object'
  | 'unknown_field'
  | 'bad_id'
  | 'bad_key_sha256'
  | 'bad_customer_id'
  | 'unknown_plan'
  | 'unknown_scope'
  | 'bad_instant'
  | 'duplicate_id'
  | 'duplicate_key_sha256';

/** Names a record by its place, and by its id only where that is well-formed: nothing else of the file is repeated. */
export interface Ignored {
  readonly index: number;
  readonly id: string | null;
  readonly because: IgnoredBecause;
}

export interface ReadRecords {
  readonly records: readonly KeyRecord[];
  readonly ignored: readonly Ignored[];
  readonly fault: 'missing' | 'unreadable' | null;
}

/** A misspelt `expires_at` would mean a key that never ends, so a field that is not here makes the record malformed. */
const FIELDS = new Set([
  'id',
  'key_sha256',
  'customer_id',
  'plan',
  'scopes',
  'not_before',
  'expires_at',
  'created_at',
  'revoked_at',
  'replaces',
]);
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const INSTANTS = ['not_before', 'expires_at', 'created_at', 'revoked_at'] as const;

type Raw = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
const digestOf = ({ key_sha256: digest }: Raw): string | null =>
  typeof digest === 'string' ? digest.toLowerCase() : null;
const absent = (value: unknown): boolean => value === undefined || value === null;

function faultOf(raw: unknown): IgnoredBecause | null {
  if (!isObject(raw)) return 'not_an_object';
  if (!isId(raw['id'])) return 'bad_id';
  if (Object.keys(raw).some((field) => !FIELDS.has(field))) return 'unknown_field';
  if (!SHA256.test(digestOf(raw) ?? '')) return 'bad_key_sha256';
  if (!absent(raw['customer_id']) && !isId(raw['customer_id'])) return 'bad_customer_id';
  if (!absent(raw['replaces']) && !isId(raw['replaces'])) return 'bad_id';
  const { plan, scopes } = raw;
  if (!absent(plan) && !(typeof plan === 'string' && isPlan(plan))) return 'unknown_plan';
  const known = (scope: unknown) => typeof scope === 'string' && isScope(scope);
  if (!absent(scopes) && !(Array.isArray(scopes) && scopes.every(known))) return 'unknown_scope';
  const wrong = (value: unknown) =>
    !absent(value) && (typeof value !== 'string' || parseInstant(value) === null);
  return INSTANTS.some((field) => wrong(raw[field])) ? 'bad_instant' : null;
}

const instantIn = (raw: Raw, field: string): Instant | null =>
  typeof raw[field] === 'string' ? parseInstant(raw[field]) : null;

function recordOf(raw: Raw): KeyRecord {
  const id = raw['id'] as string;
  return {
    id,
    sha256: digestOf(raw)!,
    customerId: (raw['customer_id'] as string | undefined) ?? id,
    plan: (raw['plan'] as PlanName | undefined) ?? 'free',
    scopes: [...new Set((raw['scopes'] as Scope[] | undefined) ?? [])].sort(),
    notBefore: instantIn(raw, 'not_before'),
    expiresAt: instantIn(raw, 'expires_at'),
    // Whatever the instant says: a key that somebody has revoked must not wait for a clock.
    revoked: !absent(raw['revoked_at']),
    replaces: (raw['replaces'] as string | undefined) ?? null,
  };
}

/** What occurs more than once, also where one of the occurrences is malformed otherwise. */
function repeated(values: readonly (string | null)[]): ReadonlySet<string | null> {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (seen.has(value)) again.add(value);
    seen.add(value);
  }
  return again;
}

export function readKeyRecords(text: string | null): ReadRecords {
  if (text === null) return { records: [], ignored: [], fault: 'missing' };
  let list: unknown;
  try {
    const file: unknown = JSON.parse(text);
    list = isObject(file) ? file['keys'] : undefined;
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list)) return { records: [], ignored: [], fault: 'unreadable' };
  const raws: readonly unknown[] = list;
  const ids = repeated(raws.map((raw) => (isObject(raw) && isId(raw['id']) ? raw['id'] : null)));
  const digests = repeated(raws.map((raw) => (isObject(raw) ? digestOf(raw) : null)));
  const records: KeyRecord[] = [];
  const ignored: Ignored[] = [];
  for (const [index, raw] of raws.entries()) {
    const id = isObject(raw) && isId(raw['id']) ? raw['id'] : null;
    const because =
      (id !== null && ids.has(id) ? 'duplicate_id' : null) ??
      faultOf(raw) ??
      (digests.has(digestOf(raw as Raw)) ? 'duplicate_key_sha256' : null);
    if (because === null) records.push(recordOf(raw as Raw));
    else ignored.push({ index, id, because });
  }
  return { records, ignored, fault: null };
}
