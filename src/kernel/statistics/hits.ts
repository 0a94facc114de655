// Kleinberg's hubs and authorities by power iteration.

import type { WeightedGraph } from './sparse-graph.js';

/** Both score lists sum to one. */
export interface HubsAndAuthorities {
  readonly hubs: Float64Array;
  readonly authorities: Float64Array;
  readonly sweeps: number;
  readonly converged: boolean;
}

function scaleToSumOne(values: Float64Array): void {
  let total = 0;
  for (const value of values) total += value;
  if (total > 0) for (let i = 0; i < values.length; i += 1) values[i] = values[i]! / total;
}

/** Hubs point at good authorities; authorities are pointed at by good hubs. */
export function hits(graph: WeightedGraph, tolerance = 1e-12, maxSweeps = 10_000): HubsAndAuthorities {
  const { nodes, from, to, weight } = graph;
  let hubs = new Float64Array(nodes).fill(nodes > 0 ? 1 / nodes : 0);
  const authorities = new Float64Array(nodes);
  let moved = Number.POSITIVE_INFINITY;
  let sweeps = 0;
  while (sweeps < maxSweeps && moved > tolerance) {
    const next = new Float64Array(nodes);
    authorities.fill(0);
    for (let e = 0; e < from.length; e += 1) {
      const j = to[e]!;
      authorities[j] = authorities[j]! + (weight?.[e] ?? 1) * hubs[from[e]!]!;
    }
    scaleToSumOne(authorities);
    for (let e = 0; e < from.length; e += 1) {
      const i = from[e]!;
      next[i] = next[i]! + (weight?.[e] ?? 1) * authorities[to[e]!]!;
    }
    scaleToSumOne(next);
    moved = 0;
    for (let i = 0; i < nodes; i += 1) moved += Math.abs(next[i]! - hubs[i]!);
    hubs = next;
    sweeps += 1;
  }
  return { hubs, authorities, sweeps, converged: moved <= tolerance };
}
