// PageRank, EigenTrust and hubs against published graphs, with the identities that need no reference.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eigenTrust } from './eigen-trust.js';
import golden from './golden/graph-rank.json' with { type: 'json' };
import { expectAllClose, expectClose, goldenCase } from './golden-cases.suite.js';
import { hits } from './hits.js';
import { pageRank } from './page-rank.js';
import { seededRandom } from './seeded-random.js';
import type { WeightedGraph } from './sparse-graph.js';

const fromEdges = (nodes: number, edges: readonly (readonly number[])[], first = 0): WeightedGraph => ({
  nodes,
  from: edges.map((edge) => edge[0]! - first),
  to: edges.map((edge) => edge[1]! - first),
});

const graphs = fc.integer({ min: 1, max: 15 }).chain((nodes) =>
  fc
    .array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.double({ min: 0, max: 10, noNaN: true })), {
      maxLength: 60,
    })
    .map(
      (edges): WeightedGraph => ({
        nodes,
        from: edges.map((e) => e[0]),
        to: edges.map((e) => e[1]),
        weight: edges.map((e) => e[2]),
      }),
    ),
);

describe('published graphs', () => {
  it('pagerank of the six pages', () => {
    const c = goldenCase<{ edges_directed: number[][]; expected: number[]; params: { damping: number } }>(
      golden,
      'langville_meyer_6',
    );
    const result = pageRank(fromEdges(6, c.edges_directed, 1), { damping: c.params.damping });
    expectAllClose(result.scores, c.expected, { abs: 1e-7 });
    expect(result.converged).toBe(true);
  });

  it('personal pagerank of the complete graph', () => {
    const c = goldenCase<{ expected: number[]; params: { damping: number; personalization: number[] } }>(
      golden,
      'personalised_K4',
    );
    const edges = [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].filter((j) => j !== i).map((j) => [i, j]));
    const { scores } = pageRank(fromEdges(4, edges), {
      damping: c.params.damping,
      teleport: c.params.personalization,
    });
    expectAllClose(scores, c.expected, { abs: 1e-6 });
  });

  it('hubs and authorities', () => {
    const c = goldenCase<{
      edges_directed: number[][];
      expected: { authorities_sum1: number[]; hubs_sum1: number[] };
    }>(golden, 'hits_6');
    const result = hits(fromEdges(6, c.edges_directed, 1));
    expectAllClose(result.authorities, c.expected.authorities_sum1, { abs: 1e-6 });
    expectAllClose(result.hubs, c.expected.hubs_sum1, { abs: 1e-6 });
    expect(hits({ nodes: 0, from: [], to: [] }).hubs).toHaveLength(0);
  });

  it('eigentrust', () => {
    const c = goldenCase<{
      local_trust: [string, string, number][];
      pre_trust: Record<string, number>;
      params: { alpha: number };
      expected: Record<string, number>;
    }>(golden, 'eigentrust_readme');
    const names = Object.keys(c.expected);
    const { scores } = eigenTrust(
      {
        nodes: names.length,
        from: c.local_trust.map(([a]) => names.indexOf(a)),
        to: c.local_trust.map(([, b]) => names.indexOf(b)),
        weight: c.local_trust.map(([, , w]) => w),
      },
      { preTrust: names.map((name) => c.pre_trust[name] ?? 0), alpha: c.params.alpha },
    );
    names.forEach((name, i) => {
      expectClose(scores[i], c.expected[name]!, { abs: 1e-6 });
    });
  });
});

describe('identities', () => {
  it('pagerank sums to one and is its own next sweep', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const result = pageRank(graph);
        expectClose(
          result.scores.reduce((a, b) => a + b, 0),
          1,
          { abs: 1e-12 },
        );
        const again = pageRank(graph, { start: result.scores, maxSweeps: 1 });
        expectAllClose(again.scores, result.scores, { abs: 1e-11 });
      }),
    );
  });

  it('eigentrust with alpha 1 returns the pre-trust', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const preTrust = Array.from({ length: graph.nodes }, (_, i) => i + 1);
        const total = (graph.nodes * (graph.nodes + 1)) / 2;
        const { scores } = eigenTrust(graph, { preTrust, alpha: 1 });
        expectAllClose(
          scores,
          preTrust.map((w) => w / total),
          { abs: 1e-14 },
        );
      }),
    );
  });

  it('a closed sybil ring holds (1 − a)/a times the trust that flows in', () => {
    const random = seededRandom('sybil');
    const honest = 40;
    const sybils = 15;
    const from: number[] = [];
    const to: number[] = [];
    for (let e = 0; e < 200; e += 1) {
      from.push(random.integer(0, honest - 1));
      to.push(random.integer(0, honest - 1));
    }
    for (let s = 0; s < sybils; s += 1) {
      from.push(honest + s);
      to.push(honest + ((s + 1) % sybils));
    }
    // Three honest nodes are fooled.
    for (const fooled of [1, 5, 9]) {
      from.push(fooled);
      to.push(honest + fooled);
    }
    const nodes = honest + sybils;
    const alpha = 0.15;
    const preTrust = Array.from({ length: nodes }, (_, i) => (i < 10 ? 1 : 0));
    const { scores } = eigenTrust(
      { nodes, from, to },
      { preTrust, alpha, tolerance: 1e-15, maxSweeps: 5000 },
    );
    const captured = scores.slice(honest).reduce((a, b) => a + b, 0);
    const inflow = [1, 5, 9].reduce((sum, i) => {
      const out = from.filter((f, e) => f === i && to[e] !== i).length;
      return sum + scores[i]! / out;
    }, 0);
    expectClose(captured, ((1 - alpha) / alpha) * inflow, { rel: 1e-9 });
  });

  it('a warm start needs fewer sweeps', () => {
    const random = seededRandom(2);
    const edges = Array.from({ length: 3000 }, () => [random.integer(0, 499), random.integer(0, 499)]);
    const graph = fromEdges(500, edges);
    const cold = pageRank(graph);
    const warm = pageRank(fromEdges(500, [...edges, [3, 4]]), { start: cold.scores });
    expect(warm.sweeps).toBeLessThan(cold.sweeps);
  });

  it('refuses edges and weights that make no sense', () => {
    expect(() => pageRank(fromEdges(2, [[0, 2]]))).toThrow(RangeError);
    expect(() => pageRank({ nodes: 2, from: [0], to: [1], weight: [-1] })).toThrow(RangeError);
    expect(() => pageRank({ nodes: 2, from: [0], to: [1], weight: [Number.NaN] })).toThrow(RangeError);
    expect(() => pageRank({ nodes: 2, from: [0], to: [] })).toThrow(RangeError);
    expect(() => pageRank(fromEdges(2, [[0, 1]]), { damping: 2 })).toThrow(RangeError);
    expect(() => eigenTrust(fromEdges(2, [[0, 1]]), { preTrust: [0, 0], alpha: 0.5 })).toThrow(RangeError);
    expect(() => eigenTrust(fromEdges(2, [[0, 1]]), { preTrust: [1, 0], alpha: Number.NaN })).toThrow(
      RangeError,
    );
    expect(pageRank({ nodes: 0, from: [], to: [] }).scores).toHaveLength(0);
  });
});
