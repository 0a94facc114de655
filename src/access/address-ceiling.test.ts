import { describe, expect, it } from 'vitest';
import { MINUTE, parseInstant, SECOND } from '../kernel/instant.js';
import { parseAddress } from './address.js';
import { AddressCeiling } from './address-ceiling.js';

const NOON = parseInstant('2026-03-04T12:00:00Z')!;

describe('the ceiling of an address', () => {
  let now = NOON;
  const open = (most: number) => new AddressCeiling(most, () => now);
  const one = parseAddress('203.0.113.7');

  it('counts a minute and says how long to wait', () => {
    now = NOON + 20 * SECOND;
    const ceiling = open(3);
    expect([1, 2, 3, 4, 5].map(() => ceiling.pass(one))).toEqual([null, null, null, 40, 40]);
    now = NOON + MINUTE - 1;
    expect(ceiling.pass(one)).toBe(1);
    now = NOON + MINUTE;
    expect(ceiling.pass(one)).toBeNull();
  });

  it('is one for an IPv6 network, whatever the notation, and one for everybody unknown', () => {
    const ceiling = open(1);
    const pass = (text: string) => ceiling.pass(parseAddress(text)) === null;
    expect(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map(pass)).toEqual([true, false, true]);
    expect(['1.2.3.4', '::ffff:102:304', '1.2.3.5'].map(pass)).toEqual([true, false, true]);
    expect([ceiling.pass(null), ceiling.pass(null)]).toEqual([null, 60 - (((now - NOON) / SECOND) % 60)]);
  });

  it('does not grow without bound', () => {
    const ceiling = open(1);
    const address = parseAddress('10.0.0.0')!;
    const at = (n: number) => {
      const own = address.slice();
      own.set([n >> 16, (n >> 8) & 0xff, n & 0xff], 13);
      return own;
    };
    const waits = new Set<number | null>();
    for (let n = 0; n < 100_000; n++) waits.add(ceiling.pass(at(n)));
    expect([...waits]).toEqual([null]);
    expect(ceiling.pass(at(0)), 'forgotten with all the others').toBeNull();
  });
});
