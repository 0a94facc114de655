import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant, SECOND } from '../kernel/instant.js';
import { parseAddress } from './address.js';
import { audit, auditKeyring } from './audit.js';
import { keySha256 } from './key-text.js';
import { Keyring } from './keyring.js';

const NOW = parseInstant('2026-03-04T15:00:00Z')!;

function written() {
  let now = NOW;
  const lines: string[] = [];
  const clock = () => now;
  const write = audit((line) => lines.push(line), clock);
  const keyring = new Keyring(clock);
  auditKeyring(keyring, write);
  const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const turn = (by: number) => {
    now += by;
    keyring.tick();
  };
  return { lines, write, keyring, events, turn };
}

describe('the audit', () => {
  it('writes one JSON object a line, with a truncated address', () => {
    const { lines, write } = written();
    const address = parseAddress('203.0.113.77');
    write(
      { event: 'auth.failed', keyId: null, reason: 'unknown' },
      { requestId: 'r-1', operation: 'signals', address },
    );
    expect(lines).toEqual([
      '{"time":"2026-03-04T15:00:00.000Z","event":"auth.failed","outcome":"refused","actor":"anonymous","reason":"unknown","request_id":"r-1","operation":"signals","client":"203.0.113.0/24"}\n',
    ]);
  });

  it('tells the life of the keys, and holds no key and no hash', () => {
    const { keyring, events, lines, turn } = written();
    const one = { id: 'one', key_sha256: keySha256('one') };
    const brief = { id: 'brief', key_sha256: keySha256('brief'), expires_at: formatInstant(NOW + SECOND) };
    const load = (...keys: object[]) => keyring.load(JSON.stringify({ keys }));
    load(one, brief, { id: 'two', key_sha256: keySha256('two'), replaces: 'one' });
    turn(SECOND);
    load({ ...one, revoked_at: formatInstant(NOW) }, { id: 'odd', key_sha256: keySha256('odd').slice(1) });
    load(one, one);
    keyring.load('not JSON');
    expect(events().map(({ event, actor, reason }) => [event, actor, reason])).toEqual([
      ['key.loaded', 'one', undefined],
      ['key.loaded', 'brief', undefined],
      ['key.rotated', 'two', undefined],
      ['key.expired', 'brief', 'expired'],
      ['key.ignored_malformed', 'odd', 'bad_key_sha256'],
      ['key.revoked', 'one', 'revoked'],
      ['key.revoked', 'two', 'removed'],
      ['key.ignored_duplicate', 'one', 'duplicate_id'],
      ['key.ignored_duplicate', 'one', 'duplicate_id'],
      ['keys.unreadable', 'config', 'unreadable'],
    ]);
    for (const text of ['one', 'two', 'brief', 'odd']) {
      expect(lines.join('')).not.toContain(keySha256(text).slice(1, 20));
    }
  });
});
