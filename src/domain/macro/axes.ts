// The four axes of the regime, made from family means, and the probabilities of the quadrants they span.
import { normalCdf } from '../../kernel/statistics/normal.js';
import { type Family, familyPlace } from './catalogue/families.js';
import { REGIME } from './parameters.js';

/** Positive is stronger growth, hotter inflation, easier liquidity, more stress. Null while nothing measures it. */
export interface Axes {
  readonly growth: number | null;
  readonly inflation: number | null;
  readonly liquidity: number | null;
  readonly stress: number | null;
}

export const QUADRANTS = ['Goldilocks', 'Reflation', 'Stagflation', 'Contraction'] as const;
export type Quadrant = (typeof QUADRANTS)[number];

type Mix = readonly (readonly [place: number, weight: number])[];

const mixOf = (weights: Readonly<Partial<Record<Family, number>>>): Mix =>
  Object.entries(weights).map(([family, weight]) => [familyPlace(family as Family), weight]);

const GROWTH = mixOf(REGIME.weights.growth);
const INFLATION = mixOf(REGIME.weights.inflation);
const LIQUIDITY = mixOf(REGIME.weights.liquidity);
const STRESS = mixOf(REGIME.weights.stress);

/** Families that lack a reading leave their weight to the others. */
function mixed(means: Float64Array, mix: Mix, sign: number): number | null {
  let sum = 0;
  let weight = 0;
  for (const [place, share] of mix) {
    const mean = means[place]!;
    if (Number.isNaN(mean)) continue;
    sum += share * mean;
    weight += share;
  }
  return weight > 0 ? (sign * sum) / weight : null;
}

/** Family means are signed by their wind; inflation and stress are winds against, so their axes turn the sign. */
export function axesOf(familyMeans: Float64Array): Axes {
  return {
    growth: mixed(familyMeans, GROWTH, 1),
    inflation: mixed(familyMeans, INFLATION, -1),
    liquidity: mixed(familyMeans, LIQUIDITY, 1),
    stress: mixed(familyMeans, STRESS, -1),
  };
}

/** The quadrant of two signs. */
export function quadrantOf(growthUp: boolean, inflationUp: boolean): Quadrant {
  if (growthUp) return inflationUp ? 'Reflation' : 'Goldilocks';
  return inflationUp ? 'Stagflation' : 'Contraction';
}

export type QuadrantProbabilities = Readonly<Record<Quadrant, number>>;

export function quadrantProbabilities(growth: number, inflation: number): QuadrantProbabilities {
  const up = normalCdf(growth / REGIME.probabilityScale);
  const hot = normalCdf(inflation / REGIME.probabilityScale);
  return {
    Goldilocks: up * (1 - hot),
    Reflation: up * hot,
    Stagflation: (1 - up) * hot,
    Contraction: (1 - up) * (1 - hot),
  };
}

/** Halfway between the levels at which Stress is entered and left. */
export function stressProbability(stress: number | null): number {
  if (stress === null) return 0;
  return normalCdf((stress - (REGIME.stressEnter + REGIME.stressLeave) / 2) / REGIME.probabilityScale);
}
