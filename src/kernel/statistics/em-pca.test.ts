// Factors of a panel with holes: planted factors come back, and so do the cells that were hidden.

import { describe, expect, it } from 'vitest';
import { emPca } from './em-pca.js';
import { factorCount } from './factor-count.js';
import { expectAllClose, expectClose } from './golden-cases.suite.js';
import { ordinaryLeastSquares } from './ordinary-least-squares.js';
import { seededRandom } from './seeded-random.js';

/** A panel driven by `factors` common series plus noise. */
function plantedPanel(seed: string, rows: number, series: number, factors: number, noise: number) {
  const random = seededRandom(seed);
  const draw = (n: number): number[] => Array.from({ length: n }, () => random.normal());
  const truth = Array.from({ length: rows }, () => draw(factors));
  const loadings = Array.from({ length: series }, () => draw(factors));
  const clean = truth.map((f) =>
    loadings.map((l, i) => 5 + i + (1 + i / 10) * l.reduce((s, v, k) => s + v * f[k]!, 0)),
  );
  const panel = clean.map((row) => row.map((value, i) => value + noise * (1 + i / 10) * random.normal()));
  return { truth, clean, panel, random };
}

/** How much of a planted factor the found ones explain. */
function explained(planted: number[], found: number[][]): number {
  return ordinaryLeastSquares(
    planted,
    found[0]!.map((_, k) => found.map((row) => row[k]!)),
  ).rSquared;
}

describe('emPca', () => {
  it.each([
    // Sizes and noise at which Bai and Ng's own simulations find the criterion exact; on small panels it chooses too many.
    ['long panel', 200, 100, 3],
    ['wide panel', 100, 140, 2],
    ['one factor', 120, 100, 1],
  ] as const)('recovers the number and the space of planted factors: %s', (name, rows, series, factors) => {
    const { truth, panel, random } = plantedPanel(name, rows, series, factors, Math.sqrt(factors));
    const holed = panel.map((row) => row.map((value) => (random.chance(0.05) ? Number.NaN : value)));
    const result = emPca(holed, { kmax: 8 });
    expect(result.number).toBe(factors);
    expect(result.converged).toBe(true);
    for (let k = 0; k < factors; k += 1) {
      expect(
        explained(
          truth.map((row) => row[k]!),
          result.factors,
        ),
      ).toBeGreaterThan(0.9);
    }
  });

  it('fills holes near what was hidden and leaves the rest untouched', () => {
    const { clean, panel, random } = plantedPanel('holes', 150, 40, 2, 0.1);
    const holed = panel.map((row) => row.map((value) => (random.chance(0.1) ? Number.NaN : value)));
    const { filled } = emPca(holed);
    let error = 0;
    let spread = 0;
    holed.forEach((row, t) => {
      row.forEach((value, i) => {
        if (Number.isNaN(value)) {
          error += (filled[t]![i]! - clean[t]![i]!) ** 2;
          spread += (clean[t]![i]! - 5 - i) ** 2;
        } else {
          expect(filled[t]![i]).toBe(value);
        }
      });
    });
    expect(error / spread).toBeLessThan(0.05);
  });

  it('normalises loadings, orders eigenvalues and rebuilds the panel', () => {
    const { panel } = plantedPanel('norm', 50, 12, 2, 0.3);
    const full = emPca(panel, { factors: 12 });
    const gram = (a: number, b: number): number =>
      full.loadings.reduce((sum, row) => sum + row[a]! * row[b]!, 0) / full.loadings.length;
    for (let a = 0; a < 12; a += 1)
      for (let b = 0; b < 12; b += 1) expectClose(gram(a, b), a === b ? 1 : 0, { abs: 1e-10 });
    expectAllClose(
      full.eigenvalues,
      full.eigenvalues.toSorted((a, b) => b - a),
      {},
    );
    // The eigenvalues of a standardised panel share out (T−1)/T.
    expectClose(
      full.eigenvalues.reduce((a, b) => a + b, 0),
      49 / 50,
      { rel: 1e-12 },
    );
    panel.forEach((row, t) => {
      row.forEach((value, i) => {
        const common = full.factors[t]!.reduce((sum, f, k) => sum + f * full.loadings[i]![k]!, 0);
        expectClose(full.means[i]! + full.deviations[i]! * common, value, { abs: 1e-9 });
      });
    });
    expect(full.iterations).toBe(0);
  });

  it('does not care about units or the order of the series', () => {
    const { panel } = plantedPanel('units', 80, 20, 2, 0.4);
    const base = emPca(panel);
    const scaled = emPca(panel.map((row) => row.map((value, i) => value * (i % 2 === 0 ? 1000 : 0.01) + i)));
    expectAllClose(scaled.eigenvalues, base.eigenvalues, { abs: 1e-10 });
    const reversed = emPca(panel.map((row) => row.toReversed()));
    base.factors.forEach((row, t) => {
      expectAllClose(reversed.factors[t]!, row, { abs: 1e-9 });
    });
  });

  it('finds nothing in noise', () => {
    const random = seededRandom('noise');
    const panel = Array.from({ length: 150 }, () => Array.from({ length: 60 }, () => random.normal()));
    const result = emPca(panel, { kmax: 5, criterion: 'ICp2' });
    expect(result.number).toBe(0);
    expect(result.factors[0]).toEqual([]);
    expect(emPca(panel, { kmax: 5, criterion: 'PCp1' }).number).toBeLessThanOrEqual(1);
  });

  it('refuses ragged, flat, empty and infinite series', () => {
    const base = [
      [1, 2],
      [2, 5],
      [3, 3],
    ];
    expect(() => emPca([[1, 2], [3]])).toThrow(RangeError);
    expect(() => emPca([])).toThrow(RangeError);
    expect(() => emPca(base.map(([a]) => [a!, 7]))).toThrow(/series 1/);
    expect(() => emPca(base.map(([a]) => [a!, Number.NaN]))).toThrow(/series 1/);
    expect(() => emPca([...base, [Number.POSITIVE_INFINITY, 1]])).toThrow(/series 0/);
  });
});

describe('factorCount', () => {
  it('follows Bai and Ng’s formulas', () => {
    const eigenvalues = [0.5, 0.2, 0.05, 0.04, 0.03, 0.02];
    // By hand for 100 rows and 6 columns with kmax 3: residuals .84 .34 .14 .09, penalty .09 · g · k.
    const g = (106 / 600) * Math.log(600 / 106);
    const values = [0.84, 0.34, 0.14, 0.09].map((v, k) => v + k * 0.09 * g);
    expect(factorCount(eigenvalues, 100, 6, 3)).toBe(values.indexOf(Math.min(...values)));
    expect(factorCount([], 10, 5, 0)).toBe(0);
    expect(factorCount(eigenvalues, 100, 6, 3, 'ICp1')).toBeLessThanOrEqual(3);
    expect(factorCount(eigenvalues, 100, 6, 3, 'PCp3')).toBeLessThanOrEqual(3);
  });
});
