// Classifier scores against scikit-learn and against counting pairs.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrecision, brier, rocAuc } from './classification-scores.js';
import golden from './golden/classification-scores.json' with { type: 'json' };
import { expectClose, goldenCase } from './golden-cases.suite.js';
import { mean } from './moments.js';

describe('classification scores', () => {
  it('match scikit-learn', () => {
    const auc = goldenCase<{ y: number[]; score: number[]; expected: Record<string, number> }>(golden, 'auc');
    expectClose(rocAuc(auc.y, auc.score), auc.expected['roc_auc']!, { rel: 1e-15 });
    expectClose(averagePrecision(auc.y, auc.score), auc.expected['average_precision']!, { rel: 1e-15 });
    const b = goldenCase<{ y: number[]; prob: number[]; expected: Record<string, number> }>(golden, 'brier');
    expectClose(brier(b.y, b.prob), b.expected['brier']!, { rel: 1e-14 });
  });

  it('auc counts pairs, ties half', () => {
    const cases = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 6 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(cases, (list) => {
        let won = 0;
        let pairs = 0;
        for (const [la, sa] of list) {
          for (const [lb, sb] of list) {
            if (la !== 1 || lb !== 0) continue;
            pairs += 1;
            won += sa > sb ? 1 : sa === sb ? 0.5 : 0;
          }
        }
        const labels = list.map(([label]) => label);
        const scores = list.map(([, score]) => score);
        expectClose(rocAuc(labels, scores), won / pairs, { abs: 1e-12 });
        // Scores that say nothing find positives at their base rate.
        const flat = averagePrecision(
          labels,
          labels.map(() => 1),
        );
        const rate = mean(labels);
        expectClose(flat, rate > 0 ? rate : Number.NaN, { abs: 1e-12 });
      }),
    );
  });

  it('is NaN without both classes or with a gap, and refuses other labels', () => {
    expect(rocAuc([1, 1], [0.2, 0.3])).toBeNaN();
    expect(rocAuc([0, 1], [0.2, Number.NaN])).toBeNaN();
    expect(averagePrecision([0, 1], [0.2, Number.NaN])).toBeNaN();
    expect(averagePrecision([0, 0], [0.2, 0.3])).toBeNaN();
    expect(brier([0, 1], [0.2, Number.NaN])).toBeNaN();
    expect(brier([], [])).toBeNaN();
    expect(() => rocAuc([0, 2], [0.2, 0.3])).toThrow(RangeError);
    expect(() => rocAuc([0], [0.2, 0.3])).toThrow(RangeError);
    expect(() => brier([0], [1.2])).toThrow(RangeError);
  });
});
