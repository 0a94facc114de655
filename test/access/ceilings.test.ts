// The guard under fire: guessed keys, endless looks, and what they may cost the others.
import { describe, expect, test } from 'vitest';
import { FAILED_KEYS_A_MINUTE, LOOKS_A_MINUTE } from '../../src/access/address-ceiling.js';
import { audit } from '../../src/access/audit.js';
import { accessGuard } from '../../src/access/guard.js';
import { keyId, keySha256, makeKey } from '../../src/access/key-text.js';
import { Keyring } from '../../src/access/keyring.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import { Failure } from '../../src/contracts/failures.js';
import type { Access } from '../../src/contracts/operation.js';
import { DAY, floorTo, HOUR, MINUTE } from '../../src/kernel/instant.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { NOON, TurnedClock } from '../house/studio.js';
import { record, textOf } from './gate.js';

const KEYED: Access = { kind: 'key', scope: 'signals:read' };
const LOOK: Access = { kind: 'key', scope: null, quota: null };
const METERED: Access = { kind: 'metered', quota: 'asset_reads' };

function open(skew = 0) {
  const clock = new TurnedClock(NOON);
  const lines: string[] = [];
  const keyring = new Keyring(clock.now);
  keyring.load(JSON.stringify({ keys: [record('good', { plan: 'operator' })] }));
  const guard = accessGuard({
    keyring,
    counters: new PrepaidCounters(memoryCounters({ clock: clock.now }), () => clock.now() + skew),
    audit: audit((line) => lines.push(line), clock.now),
    clock: () => clock.now() + skew,
    trustedProxies: [],
    addressSecret: new Uint8Array(32),
  });
  const ask = async (access: Access, key?: string, remoteAddress = '203.0.113.7') => {
    const headers = new Map<string, string>();
    const call = { headers: key === undefined ? {} : { 'x-api-key': key }, socket: { remoteAddress } };
    const caller = await guard({ name: 'x', access }, call, (...header) => headers.set(...header), 'r').catch(
      (error: unknown) => error,
    );
    return { headers, caller, code: caller instanceof Failure ? caller.code : null };
  };
  return { clock, lines, ask, keyring };
}

describe('guessed keys', () => {
  test('of one address meet a ceiling; a good key behind the same address does not', async () => {
    const { ask, clock } = open();
    const codes = new Set<string | null>();
    for (let n = 0; n < FAILED_KEYS_A_MINUTE; n++) codes.add((await ask(KEYED, `guess-${n}`)).code);
    expect([...codes]).toEqual(['unauthorized']);
    const refused = await ask(KEYED, 'one-more');
    expect(refused.caller).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
    expect((await ask(METERED, 'one-more')).code).toBe('rate_limited');
    expect((await ask(KEYED, textOf('good'))).code).toBeNull();
    expect((await ask(KEYED, 'one-more', '203.0.113.8')).code).toBe('unauthorized');
    await clock.turnTo(clock.now() + MINUTE);
    expect((await ask(KEYED, 'one-more')).code).toBe('unauthorized');
  });

  test('ten thousand are one refusal, and leave no more than some hundred lines', async () => {
    const { ask, lines, clock } = open();
    const codes = new Map<string, number>();
    for (let n = 0; n < 10_000; n++) {
      const { caller } = await ask(KEYED, `baro_live_guess_${n}`, `198.51.${n % 100}.1`);
      const { code, message } = caller as Failure;
      codes.set(`${code}: ${message}`, (codes.get(`${code}: ${message}`) ?? 0) + 1);
    }
    expect([...codes]).toEqual([['unauthorized: Missing or invalid API key.', 10_000]]);
    expect(lines).toHaveLength(300);
    await ask(KEYED, textOf('good'));
    expect(lines, 'an admitted call is not a line').toHaveLength(300);
    await clock.turnTo(clock.now() + MINUTE);
    await ask(KEYED, 'again');
    expect(JSON.parse(lines.at(-2)!)).toMatchObject({ event: 'audit.skipped', count: 9_700 });
  });

  test('of a known id take as long as of an unknown one', { retry: 3 }, () => {
    const { keyring } = open();
    const real = makeKey('live').text;
    keyring.load(JSON.stringify({ keys: [{ id: `key_${keyId(real)}`, key_sha256: keySha256(real) }] }));
    const known = real.slice(0, -10) + 'A'.repeat(10);
    const unknown = makeKey('live').text;
    const time = (text: string): number => {
      const from = process.hrtime.bigint();
      for (let n = 0; n < 500; n++) keyring.authenticate(text);
      return Number(process.hrtime.bigint() - from);
    };
    const samples = Array.from({ length: 60 }, () => [time(known), time(unknown)] as const).slice(10);
    const median = (at: 0 | 1) => samples.map((pair) => pair[at]).sort((a, b) => a - b)[25]!;
    expect(median(0) / median(1)).toBeGreaterThan(0.8);
    expect(median(0) / median(1)).toBeLessThan(1.25);
  });
});

test('looks at the own usage are free, up to a ceiling that the store does not feel', async () => {
  const { ask } = open();
  const codes = new Set<string | null>();
  for (let n = 0; n < LOOKS_A_MINUTE; n++) codes.add((await ask(LOOK, textOf('good'))).code);
  expect([...codes]).toEqual([null]);
  expect((await ask(LOOK, textOf('good'))).caller).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 60,
  });
  const counted = await ask(KEYED, textOf('good'));
  expect(counted.headers.get('X-RateLimit-Remaining')).toBe('5999');
});

describe.each([-HOUR, HOUR])('a process whose clock is off by %i', (skew) => {
  test('decides and says the same', async () => {
    const [right, wrong] = [open(), open(skew)];
    for (const { clock } of [right, wrong]) {
      await clock.turnTo(floorTo(NOON, DAY) + DAY - HOUR / 2);
    }
    for (const access of [KEYED, METERED]) {
      for (let n = 0; n < 70; n++) {
        const [one, two] = await Promise.all([
          right.ask(access, textOf('good')),
          wrong.ask(access, textOf('good')),
        ]);
        expect([...two.headers]).toEqual([...one.headers]);
        expect(two.code).toBe(one.code);
      }
    }
  });

  test('keeps the account of a stranger through its own midnight', async () => {
    const { ask, clock } = open(skew);
    const left = async () => (await ask(METERED)).headers.get('X-Quota-Remaining');
    await left();
    const turn = floorTo(NOON, DAY) + DAY;
    expect(await left()).toBe('498');
    await clock.turnTo(turn - HOUR / 2);
    expect(await left()).toBe('497');
    await clock.turnTo(turn + HOUR / 2);
    expect(await left()).toBe('499');
    expect(await left()).toBe('498');
  });
});
