// Repeated looks at growing data: what peeking costs and the bounds that pay for it.

import { normalDensity, normalSurvival } from './normal.js';

/** Half-width of the band each look's bound is searched in. */
const Z_LIMIT = 9;
const GRID = 400;

/** One look: its share of the final information and the bounds that stop the trial there. */
export interface Look {
  readonly information: number;
  readonly lower: number;
  readonly upper: number;
}

/** Density of the running z statistic over the region where no earlier look has stopped. */
interface Surviving {
  readonly points: Float64Array;
  readonly weights: Float64Array;
  readonly information: number;
}

/** Simpson weights times density on an even grid between two bounds. */
function surviving(from: number, to: number, information: number, density: (z: number) => number): Surviving {
  const points = new Float64Array(GRID + 1);
  const weights = new Float64Array(GRID + 1);
  const step = (to - from) / GRID;
  for (let i = 0; i <= GRID; i += 1) {
    const z = from + i * step;
    const simpson = i === 0 || i === GRID ? 1 : i % 2 === 1 ? 4 : 2;
    points[i] = z;
    weights[i] = ((simpson * step) / 3) * density(z);
  }
  return { points, weights, information };
}

/** Chance to reach past z at the next look without having stopped before. */
function tailAt(previous: Surviving | undefined, information: number, z: number): number {
  if (previous === undefined) return normalSurvival(z);
  const spread = Math.sqrt(information - previous.information);
  let sum = 0;
  for (let i = 0; i < previous.points.length; i += 1) {
    const gap = z * Math.sqrt(information) - previous.points[i]! * Math.sqrt(previous.information);
    sum += previous.weights[i]! * normalSurvival(gap / spread);
  }
  return sum;
}

function densityAt(previous: Surviving | undefined, information: number, z: number): number {
  if (previous === undefined) return normalDensity(z);
  const spread = Math.sqrt(information - previous.information);
  const scale = Math.sqrt(information) / spread;
  let sum = 0;
  for (let i = 0; i < previous.points.length; i += 1) {
    const gap = z * Math.sqrt(information) - previous.points[i]! * Math.sqrt(previous.information);
    sum += previous.weights[i]! * scale * normalDensity(gap / spread);
  }
  return sum;
}

function carryOn(previous: Surviving | undefined, look: Look): Surviving {
  const from = Math.max(look.lower, -Z_LIMIT);
  const to = Math.min(look.upper, Z_LIMIT);
  return surviving(from, to, look.information, (z) => densityAt(previous, look.information, z));
}

/** Chance, if there is no effect, that any of the looks crosses its bounds: Armitage, McPherson and Rowe's recursion. */
export function crossingProbability(looks: readonly Look[]): number {
  let state: Surviving | undefined;
  let crossed = 0;
  for (const look of looks) {
    if (!(look.information > (state?.information ?? 0)))
      throw new RangeError('information must grow from look to look');
    crossed += tailAt(state, look.information, look.upper);
    // Everything still alive minus what ends above the lower bound is what ends below it.
    if (look.lower > Number.NEGATIVE_INFINITY) {
      const alive = state === undefined ? 1 : state.weights.reduce((sum, weight) => sum + weight, 0);
      crossed += alive - tailAt(state, look.information, look.lower);
    }
    state = carryOn(state, look);
  }
  return crossed;
}

/** True error rate after that many evenly spaced looks, each tested two-sided against the same z. */
export function peekingErrorRate(looks: number, z: number): number {
  return crossingProbability(
    Array.from({ length: looks }, (_, i) => ({ information: (i + 1) / looks, lower: -z, upper: z })),
  );
}

/** Hwang, Shih and DeCani's share of alpha spent by information t; gamma −4 saves most of it for the end. */
export function hwangShihDeCani(alpha: number, gamma: number, t: number): number {
  if (gamma === 0) return alpha * t;
  return (alpha * Math.expm1(-gamma * t)) / Math.expm1(-gamma);
}

/** Upper bounds of a one-sided test that spend exactly the given increments of alpha at the given information. */
export function spendingBounds(information: readonly number[], spend: readonly number[]): number[] {
  let state: Surviving | undefined;
  return information.map((share, i) => {
    let low = -Z_LIMIT;
    let high = Z_LIMIT;
    for (let step = 0; step < 60; step += 1) {
      const middle = (low + high) / 2;
      if (tailAt(state, share, middle) > spend[i]!) low = middle;
      else high = middle;
    }
    const upper = (low + high) / 2;
    state = carryOn(state, { information: share, lower: Number.NEGATIVE_INFINITY, upper });
    return upper;
  });
}

/** Two-sided bounds z_k = c · (k/K)^(power − ½) with total error alpha: power ½ is Pocock's, 0 is O'Brien and Fleming's. */
export function familyBounds(looks: number, alpha: number, power: number): number[] {
  const shape = Array.from({ length: looks }, (_, i) => ((i + 1) / looks) ** (power - 0.5));
  const boundsAt = (c: number): Look[] =>
    shape.map((factor, i) => ({ information: (i + 1) / looks, lower: -c * factor, upper: c * factor }));
  let low = 0.5;
  let high = Z_LIMIT;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (crossingProbability(boundsAt(middle)) > alpha) low = middle;
    else high = middle;
  }
  return shape.map((factor) => ((low + high) / 2) * factor);
}
