// PageRank by power iteration, with personal teleport and dangling mass returned through it.

import { type StochasticRows, stochasticRows, type WeightedGraph } from './sparse-graph.js';

/** Scores that sum to one, with the evidence that the iteration settled. */
export interface RankResult {
  readonly scores: Float64Array;
  readonly sweeps: number;
  /** L1 distance between the last two sweeps. */
  readonly residual: number;
  readonly converged: boolean;
}

/** When to stop and where to start. */
export interface SweepOptions {
  readonly tolerance?: number;
  readonly maxSweeps?: number;
  /** Scores of an earlier run on nearly the same graph: saves most of the sweeps. */
  readonly start?: ArrayLike<number>;
}

/** PageRank's own settings. */
export interface PageRankOptions extends SweepOptions {
  /** Share of the mass that follows edges, 0.85 unless given. */
  readonly damping?: number;
  /** Where the rest lands; any non-negative weights, uniform unless given. */
  readonly teleport?: ArrayLike<number>;
}

/** Scales non-negative weights to sum to one. */
export function toDistribution(weights: ArrayLike<number>, nodes: number): Float64Array {
  if (weights.length !== nodes) throw new RangeError(`expected ${nodes} weights, got ${weights.length}`);
  let total = 0;
  for (let i = 0; i < nodes; i += 1) {
    if (!(weights[i]! >= 0))
      throw new RangeError(`weight ${i} is ${weights[i]}; weights must not be negative`);
    total += weights[i]!;
  }
  if (!(total > 0) || !Number.isFinite(total))
    throw new RangeError('weights must have a finite sum above zero');
  return Float64Array.from(weights, (weight) => weight / total);
}

/** Iterates r ← damping · (rᵀP + dangling mass · home) + (1 − damping) · home until it stands still. */
export function sweepToRest(
  rows: StochasticRows,
  home: Float64Array,
  damping: number,
  options: SweepOptions,
): RankResult {
  const nodes = home.length;
  const tolerance = options.tolerance ?? 1e-12;
  const maxSweeps = options.maxSweeps ?? 1000;
  let scores: Float64Array =
    options.start === undefined ? home.slice() : toDistribution(options.start, nodes);
  let next: Float64Array = new Float64Array(nodes);
  let residual = Number.POSITIVE_INFINITY;
  let sweeps = 0;
  while (sweeps < maxSweeps && residual > tolerance) {
    next.fill(0);
    for (let i = 0; i < nodes; i += 1) {
      const mass = damping * scores[i]!;
      for (let e = rows.start[i]!; e < rows.start[i + 1]!; e += 1) {
        const j = rows.target[e]!;
        next[j] = next[j]! + mass * rows.share[e]!;
      }
    }
    let stranded = 0;
    for (const i of rows.dangling) stranded += scores[i]!;
    const returned = damping * stranded + (1 - damping);
    let total = 0;
    for (let i = 0; i < nodes; i += 1) {
      next[i] = next[i]! + returned * home[i]!;
      total += next[i]!;
    }
    residual = 0;
    for (let i = 0; i < nodes; i += 1) {
      // Dividing by the total stops rounding from leaking mass over many sweeps.
      next[i] = next[i]! / total;
      residual += Math.abs(next[i]! - scores[i]!);
    }
    [scores, next] = [next, scores];
    sweeps += 1;
  }
  return { scores, sweeps, residual, converged: residual <= tolerance };
}

/** PageRank of every node. */
export function pageRank(graph: WeightedGraph, options: PageRankOptions = {}): RankResult {
  const damping = options.damping ?? 0.85;
  if (!(damping >= 0 && damping <= 1)) throw new RangeError(`damping must lie in [0, 1], got ${damping}`);
  if (graph.nodes === 0) return { scores: new Float64Array(0), sweeps: 0, residual: 0, converged: true };
  const teleport = options.teleport ?? new Float64Array(graph.nodes).fill(1);
  return sweepToRest(stochasticRows(graph), toDistribution(teleport, graph.nodes), damping, options);
}
