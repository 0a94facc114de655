import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../kernel/fingerprint.js';
import type { Coordination } from './coordination.js';
import { checkReveal, commitmentOf, type GateRecord, policySha256, VERDICTS, verdictOf } from './gate.js';

const policy = { veto: 0.7, caution: 0.5, secret: 'ab'.repeat(32) };

function measured(low: number): { measurement: Coordination } {
  return { measurement: { interval: { low, high: 1 } } as Coordination };
}

describe('the verdict', () => {
  it.each([
    [0.71, 'veto'],
    [0.7, 'veto'],
    [0.69, 'caution'],
    [0.5, 'caution'],
    [0.49, 'clear'],
    [0, 'clear'],
  ] as const)('of a lower end %s is %s', (low, verdict) => {
    expect(verdictOf(measured(low), policy)).toBe(verdict);
  });

  it('abstains without a measurement', () => {
    expect(verdictOf({ measurement: null }, policy)).toBe('abstain');
  });

  it('rests on a policy that is whole and not to be guessed', () => {
    expect(policySha256(policy)).toBe(sha256Hex(`{"caution":0.5,"secret":"${'ab'.repeat(32)}","veto":0.7}`));
    expect(policySha256({ ...policy, secret: 'cd'.repeat(32) })).not.toBe(policySha256(policy));
    expect(() => policySha256({ ...policy, veto: 0.4 })).toThrow(RangeError);
    expect(() => policySha256({ ...policy, secret: '' })).toThrow(RangeError);
  });
});

const record = fc.record({
  ticker: fc.stringMatching(/^[A-Z]{1,5}$/),
  as_of: fc.constant('2026-03-04T15:00:00.000Z'),
  measurement_sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  verdict: fc.constantFrom(...VERDICTS),
  policy_sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  seq: fc.nat(),
});
const salt = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a commitment', () => {
  it('is the hash of the domain, the canonical record and the salt', () => {
    const one: GateRecord = {
      verdict: 'veto',
      ticker: 'AMZN',
      seq: 7,
      policy_sha256: 'p',
      measurement_sha256: 'm',
      as_of: '2026-03-04T15:00:00.000Z',
    };
    const text =
      '{"as_of":"2026-03-04T15:00:00.000Z","measurement_sha256":"m","policy_sha256":"p","seq":7,"ticker":"AMZN","verdict":"veto"}';
    const bytes = Buffer.concat([
      Buffer.from('svc.realness.gate.v1'),
      Buffer.of(0),
      Buffer.from(text),
      Buffer.alloc(32, 9),
    ]);
    expect(commitmentOf(one, new Uint8Array(32).fill(9))).toBe(sha256Hex(bytes));
  });

  it('opens with its own record and salt, and with nothing that differs in one bit', () => {
    fc.assert(
      fc.property(record, salt, fc.nat(255), fc.constantFrom(...VERDICTS), (one, key, bit, other) => {
        const commitment = commitmentOf(one, key);
        expect(checkReveal(one, key, commitment)).toBe(true);
        const flipped = key.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(checkReveal(one, flipped, commitment)).toBe(false);
        expect(checkReveal({ ...one, verdict: other }, key, commitment)).toBe(other === one.verdict);
        expect(checkReveal({ ...one, seq: one.seq + 1 }, key, commitment)).toBe(false);
        const digit = Number.parseInt(commitment[bit >> 2]!, 16) ^ (1 << (bit & 3));
        const forged = commitment.slice(0, bit >> 2) + digit.toString(16) + commitment.slice((bit >> 2) + 1);
        expect(checkReveal(one, key, forged)).toBe(false);
        expect(checkReveal(one, key.slice(1), commitment)).toBe(false);
      }),
    );
  });

  it('refuses a salt that is too short to hide a verdict', () => {
    fc.assert(
      fc.property(record, (one) => {
        expect(() => commitmentOf(one, new Uint8Array(31))).toThrow(RangeError);
      }),
      { numRuns: 3 },
    );
  });
});
