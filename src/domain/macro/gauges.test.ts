// Gauges: their mean is the market score, and their signals have memory.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FAMILY_COUNT } from './catalogue/families.js';
import { type GaugeSignal, gaugeValue, gaugeWeights, marketScore, signalAfter } from './gauges.js';

const mean = fc.option(fc.double({ min: -3, max: 3, noNaN: true }));

it('averages to the market score with weights that sum to one', () => {
  fc.assert(
    fc.property(fc.array(mean, { minLength: FAMILY_COUNT, maxLength: FAMILY_COUNT }), (means) => {
      const values = means.map((one) => (one === null ? null : gaugeValue(one)));
      const weights = gaugeWeights(values.map((value) => value !== null));
      const score = marketScore(values);
      if (values.every((value) => value === null)) {
        expect(score).toBeNull();
        return;
      }
      const total = weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0);
      expect(total).toBeCloseTo(1, 12);
      const average = values.reduce<number>((sum, value, f) => sum + (value ?? 0) * (weights[f] ?? 0), 0);
      expect(Math.abs(average - score!)).toBeLessThanOrEqual(0.005 + 1e-9);
    }),
  );
});

it('puts 50 in the middle and keeps to 0 and 100', () => {
  expect(gaugeValue(0)).toBe(50);
  expect(gaugeValue(3)).toBeGreaterThan(99);
  expect(gaugeValue(-3)).toBeLessThan(1);
});

it('begins a signal at 60 or 40, ends it at 57 or 43, and knows stress', () => {
  const walk = (values: readonly number[]): GaugeSignal[] => {
    let signal: GaugeSignal = 'neutral';
    return values.map((value) => {
      signal = signalAfter(signal, value, 0);
      return signal;
    });
  };
  expect(walk([59, 60, 58, 57, 58])).toEqual(['neutral', 'risk_on', 'risk_on', 'neutral', 'neutral']);
  expect(walk([41, 40, 42, 43, 42])).toEqual(['neutral', 'risk_off', 'risk_off', 'neutral', 'neutral']);
  expect(signalAfter('risk_on', 5, -2)).toBe('stress');
  expect(signalAfter('stress', 42, -0.3)).toBe('risk_off');
});
