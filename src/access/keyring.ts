// The keys that open this service now: looked up by hash, compared in constant time, replaced when the records change.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyHolder } from '../contracts/caller.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { type KeyRecord, type ReadRecords, readKeyRecords } from './key-records.js';

/** For the audit only; callers learn one `unauthorized` for all of them. */
export type RefusedBecause = 'missing' | 'malformed' | 'unknown' | 'not_yet_valid' | 'expired' | 'revoked';

export type Authentication =
  | { readonly holder: KeyHolder }
  | { readonly refused: RefusedBecause; readonly keyId: string | null };

export interface KeyringChange {
  /** What was read, where it was a reading that brought the change. */
  readonly read: ReadRecords | null;
  readonly opened: readonly KeyRecord[];
  readonly closed: readonly { readonly id: string; readonly because: ClosedBecause }[];
}
export type ClosedBecause = 'removed' | 'changed' | 'revoked' | 'expired' | 'not_yet_valid';

/** Visible ASCII without a comma: Node joins repeated headers with one. */
const KEY_TEXT = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;
const NOBODY = Buffer.alloc(32);

export class Keyring {
  readonly #clock: Clock;
  readonly #digests = new WeakMap<KeyHolder, string>();
  readonly #listeners = new Set<(change: KeyringChange) => void>();
  #byDigest: ReadonlyMap<string, KeyRecord> = new Map();
  #byId: ReadonlyMap<string, KeyRecord> = new Map();
  #successors: ReadonlyMap<string, KeyRecord> = new Map();
  /** The keys that opened something at the last look, by hash. */
  #open: ReadonlyMap<string, KeyRecord> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False while there is no valid record at all: then no key can be accepted. */
  get configured(): boolean {
    return this.#byDigest.size > 0;
  }

  /** Takes the text of the records file; null where there is none. Replaces all that was known before. */
  load(text: string | null): void {
    const read = readKeyRecords(text);
    this.#byDigest = new Map(read.records.map((record) => [record.sha256, record]));
    this.#byId = new Map(read.records.map((record) => [record.id, record]));
    this.#successors = new Map(
      read.records.flatMap((record) => (record.replaces === null ? [] : [[record.replaces, record]])),
    );
    this.#notice(read);
  }

  /** Notices keys whose hour has come or gone. */
  tick(): void {
    this.#notice(null);
  }

  authenticate(text: string | undefined): Authentication {
    if (text === undefined) return { refused: 'missing', keyId: null };
    if (!KEY_TEXT.test(text)) return { refused: 'malformed', keyId: null };
    const presented = createHash('sha256').update(text, 'utf8').digest();
    const record = this.#byDigest.get(presented.toString('hex'));
    // Known or not, the work is the same.
    const same = timingSafeEqual(record ? Buffer.from(record.sha256, 'hex') : NOBODY, presented);
    if (record === undefined || !same) return { refused: 'unknown', keyId: null };
    const refused = faultOf(record, this.#clock());
    if (refused !== null) return { refused, keyId: record.id };
    return { holder: this.#holderOf(record, text.startsWith('baro_test_') ? 'test' : 'live') };
  }

  /** The same key as it stands now, for those who opened a stream with it; null when it opens nothing any more. */
  current(holder: KeyHolder): KeyHolder | null {
    const digest = this.#digests.get(holder);
    const record = digest === undefined ? undefined : this.#byDigest.get(digest);
    if (record?.id !== holder.id || faultOf(record, this.#clock()) !== null) return null;
    return this.#holderOf(record, holder.environment);
  }

  /** Told after every reading and whenever a key begins or ends; open streams are looked at again then. */
  onChange(listener: (change: KeyringChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #holderOf(record: KeyRecord, environment: KeyHolder['environment']): KeyHolder {
    const { id, customerId, plan, scopes, expiresAt } = record;
    const oldKeyEndsAt = this.#oldKeyEndsAt(record);
    const holder: KeyHolder = { id, customerId, environment, plan, scopes, expiresAt, oldKeyEndsAt };
    this.#digests.set(holder, record.sha256);
    return holder;
  }

  #oldKeyEndsAt(record: KeyRecord): Instant | null {
    const now = this.#clock();
    const works = (one: KeyRecord | undefined) => one !== undefined && faultOf(one, now) === null;
    const old = record.replaces === null ? undefined : this.#byId.get(record.replaces);
    if (works(old)) return old!.expiresAt;
    return works(this.#successors.get(record.id)) ? record.expiresAt : null;
  }

  #notice(read: ReadRecords | null): void {
    const now = this.#clock();
    const before = this.#open;
    const open = new Map([...this.#byDigest].filter(([, record]) => faultOf(record, now) === null));
    this.#open = open;
    const opened = [...open].filter(([digest, record]) => !same(before.get(digest), record));
    const closed = [...before].filter(([digest, record]) => !same(open.get(digest), record));
    if (read === null && opened.length === 0 && closed.length === 0) return;
    const because = (digest: string): ClosedBecause => {
      const record = this.#byDigest.get(digest);
      return record === undefined ? 'removed' : (faultOf(record, now) ?? 'changed');
    };
    const change: KeyringChange = {
      read,
      opened: opened.map(([, record]) => record),
      closed: closed.map(([digest, { id }]) => ({ id, because: because(digest) })),
    };
    for (const listener of this.#listeners) listener(change);
  }
}

function faultOf(
  record: KeyRecord,
  now: Instant,
): Extract<RefusedBecause, 'revoked' | 'not_yet_valid' | 'expired'> | null {
  if (record.revoked) return 'revoked';
  if (record.notBefore !== null && now < record.notBefore) return 'not_yet_valid';
  return record.expiresAt !== null && now >= record.expiresAt ? 'expired' : null;
}

/** A key that loses a scope is another key to the streams that it opened. */
function same(one: KeyRecord | undefined, other: KeyRecord): boolean {
  return one?.id === other.id && one.plan === other.plan && String(one.scopes) === String(other.scopes);
}
