// Concentration indices against R, scikit-bio and the merger guidelines.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atkinson,
  effectiveNumber,
  entropy,
  gini,
  herfindahl,
  lorenzCurve,
  normalisedEntropy,
  rosenbluth,
} from './concentration.js';
import golden from './golden/concentration.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';

interface ShareCase<E = Record<string, number>> {
  input: number[];
  expected: E;
}

const holdings = fc
  .array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 40 })
  .filter((x) => {
    return x.some((value) => value > 1e-3);
  });

describe('published concentration indices', () => {
  it('match R ineq', () => {
    const { input, expected } = goldenCase<ShareCase>(golden, 'ineq_R');
    const abs = 6e-8;
    expectClose(gini(input), expected['gini_population']!, { abs });
    expectClose(atkinson(input, 0.5), expected['atkinson_0.5']!, { abs });
    expectClose(herfindahl(input), expected['herfindahl']!, { abs });
    expectClose(rosenbluth(input), expected['rosenbluth']!, { abs });
  });

  it('match scikit-bio', () => {
    const { input, expected } = goldenCase<ShareCase<{ gini_trapezoid: number; lorenz_y: number[] }>>(
      golden,
      'skbio_gini',
    );
    const curve = lorenzCurve(input);
    expectAllClose(curve, expected.lorenz_y, { abs: 1e-12 });
    expectClose(gini(input), expected.gini_trapezoid, { abs: 1e-12 });
    const simpson = goldenCase<ShareCase>(golden, 'simpson');
    expectClose(herfindahl(simpson.input), simpson.expected['dominance_HHI']!, { abs: 1e-12 });
    expectClose(1 - herfindahl(simpson.input), simpson.expected['simpson']!, { abs: 1e-12 });
  });

  it('match Shannon and the merger guidelines', () => {
    const four = goldenCase<ShareCase>(golden, 'shannon');
    expectClose(entropy(four.input), four.expected['entropy_nats']!, { abs: 1e-8 });
    expectClose(effectiveNumber(four.input), four.expected['exp_entropy']!, { abs: 1e-8 });
    const even = goldenCase<ShareCase>(golden, 'shannon_even');
    expectClose(entropy(even.input, 2), even.expected['entropy_bits']!, { abs: 1e-8 });
    expectClose(entropy(even.input), even.expected['entropy_nats']!, { abs: 1e-8 });
    const merger = goldenCase<ShareCase>(golden, 'doj_hmg');
    expectClose(1e4 * herfindahl(merger.input), merger.expected['HHI_points']!, { rel: 1e-12 });
    expect(gini(goldenCase<ShareCase>(golden, 'equal').input)).toBe(0);
  });
});

describe('properties', () => {
  it('depend on shares alone and stay within their ranges', () => {
    fc.assert(
      fc.property(holdings, (x) => {
        const n = x.length;
        const scaled = x.map((value) => value * 7);
        for (const f of [gini, herfindahl, entropy, normalisedEntropy, rosenbluth]) {
          expectClose(f(scaled), f(x), { abs: 1e-12 });
          expectClose(f(x.toReversed()), f(x), { abs: 1e-12 });
        }
        expect(gini(x)).toBeLessThanOrEqual((n - 1) / n + 1e-12);
        expect(herfindahl(x)).toBeGreaterThanOrEqual(1 / n - 1e-12);
        expect(normalisedEntropy(x)).toBeLessThanOrEqual(1 + 1e-12);
        expect(effectiveNumber(x)).toBeGreaterThanOrEqual(1 - 1e-12);
      }),
    );
  });

  it('reach their ends', () => {
    expect(herfindahl([5])).toBe(1);
    expect(entropy([5])).toBe(0);
    expect(gini([0, 0, 0, 8])).toBe(0.75);
    expect(herfindahl([0, 0, 8])).toBe(1);
    expect(normalisedEntropy([5])).toBeNaN();
  });

  it('are NaN for negatives, gaps, infinities and nothing', () => {
    for (const x of [[], [0, 0], [1, -1, 5], [1, Number.NaN], [1, Number.POSITIVE_INFINITY]]) {
      for (const f of [gini, herfindahl, entropy, effectiveNumber, rosenbluth]) expect(f(x)).toBeNaN();
      expect(atkinson(x, 0.5)).toBeNaN();
      expect(lorenzCurve(x).every(Number.isNaN)).toBe(true);
    }
    expect(atkinson([1, 2], 1)).toBeNaN();
  });
});
