// A second opinion on the quadrant: the cheapest path so far when every switch has a price, filtered, never smoothed.
import { type Axes, QUADRANTS, type Quadrant, quadrantProbabilities } from './axes.js';
import { REGIME } from './parameters.js';

/** Cost of the cheapest path that ends in each quadrant, less the cheapest of them. */
export type JumpCosts = readonly number[];

export const JUMP_START: JumpCosts = QUADRANTS.map(() => 0);

const LEAST_PROBABILITY = 1e-6;

export function stepJump(before: JumpCosts, axes: Axes): JumpCosts {
  if (axes.growth === null || axes.inflation === null) return before;
  const shares = quadrantProbabilities(axes.growth, axes.inflation);
  const switching = Math.min(...before) + REGIME.jumpPenalty;
  const costs = QUADRANTS.map(
    (quadrant, i) =>
      Math.min(before[i]!, switching) - Math.log(Math.max(shares[quadrant], LEAST_PROBABILITY)),
  );
  const cheapest = Math.min(...costs);
  return costs.map((cost) => cost - cheapest);
}

export function cheapestQuadrant(costs: JumpCosts): Quadrant {
  return QUADRANTS[costs.indexOf(Math.min(...costs))]!;
}
