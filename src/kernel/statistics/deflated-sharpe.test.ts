// The deflated Sharpe ratio on the worked example of Bailey and López de Prado (2014).

import { describe, expect, it } from 'vitest';
import { deflatedSharpe, expectedMaximum, probabilisticSharpe } from './deflated-sharpe.js';
import { expectClose } from './golden-cases.suite.js';
import { normalCdf } from './normal.js';
import { seededRandom } from './seeded-random.js';

/** Annual Sharpe 2.5 over 1,250 days with skewness −3 and kurtosis 10; the trials' annual variance is ½. */
const evidence = { sharpe: 2.5 / Math.sqrt(250), observations: 1250, skewness: -3, kurtosis: 10 };
const trialDeviation = Math.sqrt(0.5 / 250);

describe('deflatedSharpe', () => {
  it('reproduces the paper', () => {
    expectClose(trialDeviation * expectedMaximum(100), 0.1132, { abs: 5e-5 });
    expectClose(deflatedSharpe(evidence, { trials: 100, trialDeviation }), 0.9004, { abs: 5e-5 });
    expectClose(deflatedSharpe(evidence, { trials: 46, trialDeviation }), 0.9505, { abs: 5e-5 });
  });

  it('with one trial asks only whether the ratio is above zero', () => {
    expect(expectedMaximum(1)).toBe(0);
    expect(deflatedSharpe(evidence, { trials: 1, trialDeviation })).toBe(probabilisticSharpe(evidence, 0));
    const normal = { sharpe: 0.1, observations: 101, skewness: 0, kurtosis: 3 };
    expectClose(probabilisticSharpe(normal, 0), normalCdf(1 / Math.sqrt(1.005)), { rel: 1e-12 });
  });

  it('approximates the largest of many normal draws', () => {
    const random = seededRandom(6);
    let sum = 0;
    for (let run = 0; run < 4000; run += 1) {
      let best = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < 50; i += 1) best = Math.max(best, random.normal());
      sum += best;
    }
    expectClose(expectedMaximum(50), sum / 4000, { abs: 0.04 });
  });

  it('is NaN for impossible moments and counts', () => {
    expect(expectedMaximum(0)).toBeNaN();
    expect(probabilisticSharpe({ ...evidence, observations: 1 }, 0)).toBeNaN();
    expect(probabilisticSharpe({ sharpe: 2, observations: 50, skewness: 5, kurtosis: 1 }, 0)).toBeNaN();
    expect(deflatedSharpe({ ...evidence, sharpe: Number.NaN }, { trials: 5, trialDeviation })).toBeNaN();
  });
});
