import { describe, expect, it } from 'vitest';
import { DAY, formatInstant, HOUR, type Instant, parseInstant } from '../kernel/instant.js';
import { readKeyRecords } from './key-records.js';
import { keySha256, makeKey } from './key-text.js';
import { Keyring, type KeyringChange } from './keyring.js';

const NOW: Instant = parseInstant('2026-03-04T15:00:00Z')!;
const ONE = makeKey('live').text;
const TWO = makeKey('test').text;

type Raw = Record<string, unknown>;
const record = (id: string, text: string, more: Raw = {}): Raw => ({
  id,
  key_sha256: keySha256(text),
  scopes: ['signals:read'],
  ...more,
});
const file = (...keys: unknown[]): string => JSON.stringify({ keys });

function ringOf(...keys: unknown[]): { ring: Keyring; turn: (by: number) => void; changes: KeyringChange[] } {
  let now = NOW;
  const ring = new Keyring(() => now);
  const changes: KeyringChange[] = [];
  ring.onChange((change) => changes.push(change));
  ring.load(file(...keys));
  return {
    ring,
    changes,
    turn: (by) => {
      now += by;
    },
  };
}

describe('records', () => {
  const good = record('good', ONE);
  it.each<[string, unknown, string]>([
    ['no object', 'text', 'not_an_object'],
    ['a list', [], 'not_an_object'],
    ['no id', { key_sha256: keySha256(TWO) }, 'bad_id'],
    ['an empty id', record('', TWO), 'bad_id'],
    ['an id with a space', record('a b', TWO), 'bad_id'],
    ['an id that is a number', { ...record('x', TWO), id: 7 }, 'bad_id'],
    ['no hash', { id: 'x' }, 'bad_key_sha256'],
    ['63 digits', { id: 'x', key_sha256: keySha256(TWO).slice(1) }, 'bad_key_sha256'],
    ['65 digits', { id: 'x', key_sha256: `${keySha256(TWO)}0` }, 'bad_key_sha256'],
    ['no digits', { id: 'x', key_sha256: 'g'.repeat(64) }, 'bad_key_sha256'],
    ['an unknown scope', record('x', TWO, { scopes: ['everything'] }), 'unknown_scope'],
    ['an inherited name as scope', record('x', TWO, { scopes: ['toString'] }), 'unknown_scope'],
    ['scopes as text', record('x', TWO, { scopes: 'signals:read' }), 'unknown_scope'],
    ['an unknown plan', record('x', TWO, { plan: 'gold' }), 'unknown_plan'],
    ['a misspelt end', record('x', TWO, { expire_at: '2026-01-01T00:00:00Z' }), 'unknown_field'],
    ['an end without an offset', record('x', TWO, { expires_at: '2026-01-01T00:00:00' }), 'bad_instant'],
    ['a customer that is no id', record('x', TWO, { customer_id: 'a\nb' }), 'bad_customer_id'],
  ])('ignores %s and nothing else', (_what, raw, because) => {
    const { records, ignored } = readKeyRecords(file(good, raw));
    expect(records.map(({ id }) => id)).toEqual(['good']);
    expect(ignored).toMatchObject([{ index: 1, because }]);
  });

  it('takes a hash in upper case', () => {
    const { ring } = ringOf({ ...good, key_sha256: keySha256(ONE).toUpperCase() });
    expect(ring.authenticate(ONE)).toHaveProperty('holder.id', 'good');
  });

  it('ignores every record of a repeated id, also where one of them is malformed', () => {
    const other = record('other', makeKey('live').text);
    for (const twin of [record('good', TWO), { id: 'good', key_sha256: 'short' }]) {
      const { records, ignored } = readKeyRecords(file(good, other, twin));
      expect(records.map(({ id }) => id)).toEqual(['other']);
      expect(ignored.map(({ because }) => because)).toEqual(['duplicate_id', 'duplicate_id']);
    }
  });

  it('ignores every record of a repeated hash, whatever its case', () => {
    const twin = { ...record('twin', ONE), key_sha256: keySha256(ONE).toUpperCase() };
    const { records, ignored } = readKeyRecords(file(good, twin));
    expect(records).toEqual([]);
    expect(ignored.map(({ because }) => because)).toEqual(['duplicate_key_sha256', 'duplicate_key_sha256']);
  });

  it.each([null, '', '[]', '{"keys":{}}', 'null', '{"keys":[]}', '{"keys":[{}]}'])(
    'opens nothing with %j',
    (text) => {
      const ring = new Keyring(() => NOW);
      ring.load(text);
      expect(ring.configured).toBe(false);
      expect(ring.authenticate(ONE)).toEqual({ refused: 'unknown', keyId: null });
    },
  );
});

describe('authentication', () => {
  it('gives what the record says and never the hash', () => {
    const { ring } = ringOf(record('one', TWO, { scopes: ['stream:read', 'signals:read', 'stream:read'] }));
    const found = ring.authenticate(TWO);
    expect(found).toEqual({
      holder: {
        id: 'one',
        customerId: 'one',
        environment: 'test',
        plan: 'free',
        scopes: ['signals:read', 'stream:read'],
        expiresAt: null,
        oldKeyEndsAt: null,
      },
    });
    expect(JSON.stringify(found)).not.toContain(keySha256(TWO));
  });

  it.each<[string, string | undefined, string]>([
    ['none', undefined, 'missing'],
    ['empty', '', 'malformed'],
    ['two joined headers', `${ONE}, ${ONE}`, 'malformed'],
    ['a comma', `${ONE},`, 'malformed'],
    ['a space before', ` ${ONE}`, 'malformed'],
    ['a tab', `${ONE}\t`, 'malformed'],
    ['257 characters', 'x'.repeat(257), 'malformed'],
    ['10 KB', 'x'.repeat(10_240), 'malformed'],
    ['beyond ASCII', 'schlüssel', 'malformed'],
    ['a stranger', TWO, 'unknown'],
    ['256 characters', 'x'.repeat(256), 'unknown'],
    ['another case', ONE.toUpperCase(), 'unknown'],
    ['the hash itself', keySha256(ONE), 'unknown'],
  ])('refuses %s', (_what, text, refused) => {
    const { ring } = ringOf(record('one', ONE));
    expect(ring.authenticate(text)).toEqual({ refused, keyId: null });
  });

  it('knows keys that begin, end and are revoked', () => {
    const at = (by: number) => formatInstant(NOW + by);
    const { ring, turn } = ringOf(
      record('later', ONE, { not_before: at(HOUR), expires_at: at(2 * HOUR) }),
      record('revoked', TWO, { revoked_at: at(DAY) }),
    );
    expect(ring.authenticate(TWO)).toEqual({ refused: 'revoked', keyId: 'revoked' });
    expect(ring.authenticate(ONE)).toEqual({ refused: 'not_yet_valid', keyId: 'later' });
    turn(HOUR);
    expect(ring.authenticate(ONE)).toHaveProperty('holder');
    turn(HOUR - 1);
    expect(ring.authenticate(ONE)).toHaveProperty('holder');
    turn(1);
    expect(ring.authenticate(ONE)).toEqual({ refused: 'expired', keyId: 'later' });
  });

  it('shows the overlap of a rotation to both keys, until it is over', () => {
    const end = NOW + HOUR;
    const { ring, turn } = ringOf(
      record('old', ONE, { customer_id: 'acme', expires_at: formatInstant(end) }),
      record('new', TWO, { customer_id: 'acme', replaces: 'old' }),
    );
    expect(ring.authenticate(ONE)).toHaveProperty('holder.oldKeyEndsAt', end);
    expect(ring.authenticate(TWO)).toHaveProperty('holder.oldKeyEndsAt', end);
    turn(HOUR);
    expect(ring.authenticate(ONE)).toEqual({ refused: 'expired', keyId: 'old' });
    expect(ring.authenticate(TWO)).toHaveProperty('holder.oldKeyEndsAt', null);
  });
});

describe('changes', () => {
  const holderOf = (ring: Keyring, text: string) => {
    const found = ring.authenticate(text);
    if (!('holder' in found)) throw new Error('the key does not open');
    return found.holder;
  };

  it('tells which keys begin and end, and says nothing when nothing does', () => {
    const { ring, changes, turn } = ringOf(record('one', ONE, { expires_at: formatInstant(NOW + HOUR) }));
    expect(changes.at(-1)?.opened.map(({ id }) => id)).toEqual(['one']);
    ring.tick();
    expect(changes).toHaveLength(1);
    turn(HOUR);
    ring.tick();
    expect(changes.at(-1)).toMatchObject({
      read: null,
      opened: [],
      closed: [{ id: 'one', because: 'expired' }],
    });
    ring.load(file(record('two', TWO)));
    ring.load(file(record('two', TWO, { revoked_at: formatInstant(NOW) })));
    expect(changes.at(-1)?.closed).toEqual([{ id: 'two', because: 'revoked' }]);
  });

  it('knows of an open stream whether its key is still the same', () => {
    const { ring } = ringOf(record('one', ONE));
    const holder = holderOf(ring, ONE);
    expect(ring.current(holder)?.scopes).toEqual(['signals:read']);
    ring.load(file(record('one', ONE, { scopes: ['usage:read'] })));
    expect(ring.current(holder)?.scopes).toEqual(['usage:read']);
    ring.load(file(record('one', TWO)));
    expect(ring.current(holder), 'another key under the same id').toBeNull();
    ring.load(file(record('two', ONE)));
    expect(ring.current(holder), 'the same key under another id').toBeNull();
    ring.load(file(record('one', ONE, { revoked_at: formatInstant(NOW) })));
    expect(ring.current(holder)).toBeNull();
    ring.load(file(record('one', ONE)));
    expect(ring.current(holder)).not.toBeNull();
    expect(ring.current({ ...holder }), 'a holder that the keyring never gave out').toBeNull();
  });
});
