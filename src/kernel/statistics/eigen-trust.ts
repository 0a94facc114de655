// EigenTrust: global trust from local trust, anchored in a pre-trusted set.

import { type RankResult, type SweepOptions, sweepToRest, toDistribution } from './page-rank.js';
import { stochasticRows, type WeightedGraph } from './sparse-graph.js';

/** What the trust is anchored in, and how firmly. */
export interface EigenTrustOptions extends SweepOptions {
  /** Non-negative weights of the nodes trusted beforehand. */
  readonly preTrust: ArrayLike<number>;
  /** Share of the trust that comes from the pre-trust alone in every step: 1 returns the pre-trust itself. */
  readonly alpha: number;
}

/**
 * The fixed point of r = (1 − alpha) Cᵀ r + alpha p. A node that trusts nobody trusts the pre-trusted set;
 * trust in oneself is dropped.
 */
export function eigenTrust(graph: WeightedGraph, options: EigenTrustOptions): RankResult {
  const { alpha } = options;
  if (!(alpha >= 0 && alpha <= 1)) throw new RangeError(`alpha must lie in [0, 1], got ${alpha}`);
  const home = toDistribution(options.preTrust, graph.nodes);
  return sweepToRest(stochasticRows(graph, true), home, 1 - alpha, options);
}
