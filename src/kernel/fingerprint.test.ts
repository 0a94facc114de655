// Fingerprints against the FIPS 180 digests, and the rounding against the decimal text it stands for.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotCanonical } from './canonical-json.js';
import { fingerprint, fingerprintWithout, roundSignificant, sha256Hex } from './fingerprint.js';
import canonicalGolden from './golden/canonical-json.json' with { type: 'json' };
import golden from './golden/sha256.json' with { type: 'json' };

describe('sha256Hex', () => {
  it.each(golden.cases)('$id', ({ message_utf8, sha256 }) => {
    expect(sha256Hex(message_utf8)).toBe(sha256);
    expect(sha256Hex(Buffer.from(message_utf8))).toBe(sha256);
  });

  it('a million times a', () => {
    expect(sha256Hex('a'.repeat(1_000_000))).toBe(golden.million_a);
  });

  it('hashes a view, not the memory behind it', () => {
    const view = new Uint8Array(Buffer.from('xabcx')).subarray(1, 4);
    expect(sha256Hex(view)).toBe(sha256Hex('abc'));
  });
});

describe('fingerprint', () => {
  it.each(canonicalGolden.texts)('of the published text $id', ({ input_json_text, expected_sha256 }) => {
    expect(fingerprint(JSON.parse(input_json_text))).toBe(`sha256:${expected_sha256}`);
  });

  it('is the same for every order of the keys, at every depth', () => {
    const shuffled = fc
      .dictionary(fc.string(), fc.dictionary(fc.string(), fc.float({ noNaN: true, max: 1e9, min: -1e9 })))
      .chain((value) =>
        fc.tuple(
          fc.constant(value),
          fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([value, entries]) => {
        const reordered = Object.fromEntries(
          entries.map(([key, inner]) => [key, Object.fromEntries(Object.entries(inner).reverse())]),
        );
        expect(fingerprint(reordered)).toBe(fingerprint(value));
      }),
    );
  });

  it('changes with any member', () => {
    const row = { schema: 'row/1', value: 0.1, missing: null };
    const others = [
      { ...row, value: 0.10000000000000002 },
      { ...row, missing: 0 },
      { ...row, extra: '' },
    ];
    expect(new Set([row, ...others].map(fingerprint)).size).toBe(4);
  });

  it('can leave out the member that holds it, and only at the top', () => {
    const bare = { schema: 's/1', inner: { fingerprint: 'kept' } };
    const sealed = { ...bare, fingerprint: fingerprint(bare) };
    expect(fingerprintWithout(sealed, 'fingerprint')).toBe(sealed.fingerprint);
    expect(fingerprintWithout(bare, 'fingerprint')).toBe(sealed.fingerprint);
    expect(fingerprintWithout({ ...sealed, inner: {} }, 'fingerprint')).not.toBe(sealed.fingerprint);
    expect(sealed.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([[new Map()], [new Date(0)], [[1]], [Object.create({ a: 1 })]])(
    'refuses %o without a member',
    (value) => {
      expect(() => fingerprintWithout(value, 'fingerprint')).toThrow(NotCanonical);
    },
  );
});

describe('roundSignificant', () => {
  const text = (x: number, digits: number): number => Number(x.toPrecision(digits)) + 0;

  it('equals the decimal text for all doubles and all digit counts', () => {
    const digits = fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), digits, (x, d) => {
        fc.pre(Number.isFinite(text(x, d)));
        expect(roundSignificant(x, d)).toBe(text(x, d));
      }),
      { numRuns: 20_000 },
    );
  });

  it('equals the decimal text beside ties and beside powers of ten', () => {
    const near = fc
      .tuple(
        fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([n, exponent, ulps]) => Number(`${n}5e${exponent}`) * (1 + ulps * Number.EPSILON));
    const powers = fc
      .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -4, max: 4 }))
      .map(([exponent, ulps]) => Number(`1e${exponent}`) * (1 + ulps * Number.EPSILON));
    fc.assert(
      fc.property(fc.oneof(near, powers), fc.integer({ min: 1, max: 17 }), (x, d) => {
        expect(roundSignificant(x, d)).toBe(text(x, d));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    [0.15, 1, 0.1], // the double is just below the tie
    [0.25, 1, 0.3], // an exact tie goes away from zero
    [-0.25, 1, -0.3],
    [2.5, 1, 3],
    [1.005, 3, 1], // 1.00499999999999989...
    [99_999_999_999.6, 10, 1e11],
    [9.9999999991, 10, 9.999999999],
    [123456789.12345678, 10, 123456789.1],
    [5e-324, 10, 5e-324],
    [1.7976931344e308, 10, 1.797693134e308],
  ])('%d to %d digits is %d', (x, digits, expected) => {
    expect(roundSignificant(x, digits)).toBe(expected);
  });

  it('knows one zero', () => {
    expect(Object.is(roundSignificant(-0, 10), 0)).toBe(true);
    expect(Object.is(roundSignificant(0, 200), 0)).toBe(true);
  });

  it('refuses what is not finite, and digit counts no text has', () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() => roundSignificant(x, 10)).toThrow(RangeError);
    }
    // Rounded up, the largest doubles leave the range: 1.797693135e308 is not a double.
    expect(() => roundSignificant(-Number.MAX_VALUE, 10)).toThrow(RangeError);
    for (const digits of [0, -1, 101]) expect(() => roundSignificant(1.5, digits)).toThrow(RangeError);
  });
});
