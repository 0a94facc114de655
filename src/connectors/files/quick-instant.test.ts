// The quick reader and the full reader agree on every text, good or bad.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInstant } from '../../kernel/instant.js';
import { quickInstant } from './quick-instant.js';

const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'));
const year = fc.oneof(fc.integer({ min: 1970, max: 2030 }), fc.integer({ min: 0, max: 9999 }));
const instantLike = fc
  .tuple(
    year.map((n) => String(n).padStart(4, '0')),
    fc.oneof(two, fc.constantFrom('01', '02', '12')),
    fc.oneof(two, fc.constantFrom('01', '28', '29', '30', '31')),
    fc.constantFrom('T', 't', ' '),
    fc.oneof(two, fc.constant('23')),
    fc.oneof(two, fc.constant('59')),
    fc.oneof(two, fc.constant('59')),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[.,][0-9]{0,10}$/)),
    fc.constantFrom('Z', 'z', '+00:00', '-05:00', '', '+24:00'),
  )
  .map(([y, m, d, t, h, min, s, f, z]) => `${y}-${m}-${d}${t}${h}:${min}:${s}${f}${z}`);

it('agrees with the full reader on what looks like an instant', () => {
  fc.assert(
    fc.property(instantLike, (text) => {
      expect(quickInstant(text)).toBe(parseInstant(text));
    }),
    { numRuns: 5_000 },
  );
});

it('agrees with the full reader when one character of a good instant is another', () => {
  const good = fc.constantFrom(
    '2024-02-29T23:59:59Z',
    '2026-03-02T14:30:00.123456Z',
    '2026-03-02T14:30:00.5Z',
  );
  const other = fc.oneof(
    fc.constantFrom('/', ':', '.', '-', '+', '٣', 'Z', '\0', ' '),
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(good, fc.nat(27), other, (text, at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(quickInstant(changed)).toBe(parseInstant(changed));
    }),
    { numRuns: 5_000 },
  );
});

it('agrees on the edges of time', () => {
  for (const text of [
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
    '2023-02-29T00:00:00Z',
  ]) {
    expect(quickInstant(text)).toBe(parseInstant(text));
  }
});
