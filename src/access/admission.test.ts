import { describe, expect, it } from 'vitest';
import { Failure } from '../contracts/failures.js';
import { DAY, type Instant, SECOND } from '../kernel/instant.js';
import { type Counters, CountersUnavailable } from '../ports/counters.js';
import { parseAddress } from './address.js';
import { admit, anonymousAccounts, keyAccount, look, secondsUntil } from './admission.js';

const SECRET = new Uint8Array(32).fill(7);
const at = (text: string) => parseAddress(text);

describe('accounts', () => {
  let now: Instant = 20_000 * DAY;
  const bucketOf = (text: string, secret = SECRET) => anonymousAccounts(secret, () => now)(at(text)).bucket;

  it('are one per address, IPv6 by network, in every notation', () => {
    expect(bucketOf('1.2.3.4')).toBe(bucketOf('::ffff:102:304'));
    expect(bucketOf('2001:db8::1')).toBe(bucketOf('2001:db8::ffff:ffff:ffff:ffff'));
    expect(bucketOf('1.2.3.4')).not.toBe(bucketOf('1.2.3.5'));
    expect(bucketOf('2001:db8::1')).not.toBe(bucketOf('2001:db8:0:1::1'));
    expect(bucketOf('2001:db8::1.2.3.4')).not.toBe(bucketOf('1.2.3.4'));
  });

  it('show no address, and change with the day and the secret', () => {
    const today = bucketOf('1.2.3.4');
    expect(today).toMatch(/^anon:[\w-]{24}$/);
    expect(bucketOf('1.2.3.4', new Uint8Array(32))).not.toBe(today);
    now += DAY;
    expect(bucketOf('1.2.3.4')).not.toBe(today);
  });

  it('of keys and of strangers can never be the same', () => {
    const stranger = bucketOf('1.2.3.4');
    for (const id of [stranger, stranger.slice(5), 'anon', '']) {
      expect(keyAccount({ id, plan: 'free' }).bucket).not.toBe(stranger);
    }
  });
});

describe('admission', () => {
  const failing = (error: unknown): Counters => ({
    admit: () => Promise.reject(error),
    peek: () => Promise.reject(error),
    giveBack: () => Promise.reject(error),
    healthy: async () => false,
    close: async () => {},
  });
  const account = keyAccount({ id: 'one', plan: 'free' });

  it('is closed while the counters do not answer, and hides no other fault', async () => {
    const down = failing(new CountersUnavailable(new Error('gone')));
    for (const ask of [admit, look]) {
      const failure = await ask(down, account, 'calls').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ code: 'rate_limit_unavailable', retryAfterSeconds: 1 });
    }
    await expect(admit(failing(new TypeError('bug')), account, 'calls')).rejects.toThrow(TypeError);
  });

  it.each([
    [0, 60 * SECOND, 60],
    [0, 60 * SECOND + 1, 61],
    [59.2 * SECOND, 60 * SECOND, 1],
    [60 * SECOND - 1, 60 * SECOND, 1],
    [60 * SECOND, 60 * SECOND, 1],
    [61 * SECOND, 60 * SECOND, 1],
  ])('from %i to %i are %i seconds to wait', (from, to, seconds) => {
    expect(secondsUntil(to, from)).toBe(seconds);
  });
});
