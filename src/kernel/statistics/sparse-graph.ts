// A weighted directed graph as edge lists, packed by source with each row summing to one.

/** Parallel lists: edge e goes from[e] → to[e] with weight[e], or weight 1 when no weights are given. */
export interface WeightedGraph {
  readonly nodes: number;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly weight?: ArrayLike<number>;
}

/** Rows of the stochastic matrix: the out-edges of node i lie at start[i] … start[i+1] − 1. */
export interface StochasticRows {
  readonly start: Uint32Array;
  readonly target: Uint32Array;
  readonly share: Float64Array;
  /** Nodes whose row is empty: their mass has nowhere to go along edges. */
  readonly dangling: Uint32Array;
}

function checkedEdge(graph: WeightedGraph, e: number): number {
  const { from, to, nodes, weight } = graph;
  const inside = (node: number): boolean => Number.isInteger(node) && node >= 0 && node < nodes;
  if (!inside(from[e]!) || !inside(to[e]!)) throw new RangeError(`edge ${e} leaves the ${nodes} nodes`);
  const value = weight === undefined ? 1 : weight[e]!;
  if (!(value >= 0) || value === Number.POSITIVE_INFINITY) {
    throw new RangeError(`edge ${e} has weight ${value}; weights must be finite and not negative`);
  }
  return value;
}

/** Packs the edges; with `dropLoops` an edge from a node to itself is left out, so nobody vouches for themselves. */
export function stochasticRows(graph: WeightedGraph, dropLoops = false): StochasticRows {
  const { nodes, from, to } = graph;
  const edges = from.length;
  if (to.length !== edges || (graph.weight !== undefined && graph.weight.length !== edges)) {
    throw new RangeError('edge lists differ in length');
  }
  const weights = new Float64Array(edges);
  const start = new Uint32Array(nodes + 1);
  const total = new Float64Array(nodes);
  for (let e = 0; e < edges; e += 1) {
    const value = checkedEdge(graph, e);
    if (value === 0 || (dropLoops && from[e] === to[e])) continue;
    weights[e] = value;
    const source = from[e]!;
    start[source + 1] = start[source + 1]! + 1;
    total[source] = total[source]! + value;
  }
  for (let i = 0; i < nodes; i += 1) start[i + 1] = start[i + 1]! + start[i]!;
  const cursor = start.slice(0, nodes);
  const target = new Uint32Array(start[nodes]!);
  const share = new Float64Array(start[nodes]!);
  for (let e = 0; e < edges; e += 1) {
    if (weights[e] === 0) continue;
    const source = from[e]!;
    const place = cursor[source]!;
    cursor[source] = place + 1;
    target[place] = to[e]!;
    share[place] = weights[e]! / total[source]!;
  }
  const dangling: number[] = [];
  for (let i = 0; i < nodes; i += 1) if (start[i] === start[i + 1]) dangling.push(i);
  return { start, target, share, dangling: Uint32Array.from(dangling) };
}
