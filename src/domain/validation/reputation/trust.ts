// Trust that flows from old, active accounts along interactions, and what an attacker can draw from it.
import { eigenTrust } from '../../../kernel/statistics/eigen-trust.js';
import { mean } from '../../../kernel/statistics/moments.js';
import type { RankResult } from '../../../kernel/statistics/page-rank.js';
import { seededRandom } from '../../../kernel/statistics/seeded-random.js';
import { REPUTATION } from '../parameters.js';
import type { AuthorSnapshot } from './author-graph.js';

export type TrustInput = Pick<AuthorSnapshot, 'graph' | 'preTrust'>;

export const PRE_TRUST_RULE = `uniform over accounts older than 180 days with at least ${REPUTATION.preTrustActiveDays} active days`;

export const preTrusted = ({ preTrust }: TrustInput): number =>
  preTrust.reduce((sum, trusted) => sum + trusted, 0);

/** Null while there is nobody whom trust could be anchored in. */
export function trustOf(input: TrustInput, start?: Float64Array): RankResult | null {
  if (preTrusted(input) < REPUTATION.minAuthors) return null;
  const { graph, preTrust } = input;
  const { alpha, tolerance } = REPUTATION;
  if (start === undefined || start.length === 0) return eigenTrust(graph, { preTrust, alpha, tolerance });
  const padded = new Float64Array(graph.nodes);
  padded.set(start.subarray(0, graph.nodes));
  return eigenTrust(graph, { preTrust, alpha, tolerance, start: padded });
}

export interface Attack {
  /** New accounts that pass on each other in a ring. */
  readonly sybils: number;
  /** Interactions that they buy from accounts of the graph. */
  readonly bought: number;
  /** Who sells; anybody when absent. */
  readonly sellers?: readonly number[];
  readonly seed: string;
}

/** The graph with an attacker's accounts added behind the real ones. */
export function attacked({ graph, preTrust }: TrustInput, attack: Attack): TrustInput {
  const { sybils, bought, sellers, seed } = attack;
  const first = graph.nodes;
  const extra = sybils + bought;
  const from = new Uint32Array(graph.from.length + extra);
  const to = new Uint32Array(graph.to.length + extra);
  const weight = new Float64Array(graph.weight.length + extra);
  from.set(Uint32Array.from(graph.from));
  to.set(Uint32Array.from(graph.to));
  weight.set(graph.weight);
  const price = graph.weight.length === 0 ? 1 : mean(graph.weight);
  for (let i = 0; i < sybils; i++) {
    const e = graph.from.length + i;
    from[e] = first + i;
    to[e] = first + ((i + 1) % sybils);
    weight[e] = 1;
  }
  const random = seededRandom(seed);
  for (let i = 0; i < bought; i++) {
    const e = graph.from.length + sybils + i;
    from[e] = sellers === undefined ? random.integer(0, Math.max(0, first - 1)) : random.pick(sellers);
    to[e] = first + random.integer(0, sybils - 1);
    weight[e] = price;
  }
  const anchors = new Float64Array(first + sybils);
  anchors.set(preTrust);
  return { graph: { nodes: first + sybils, from, to, weight }, preTrust: anchors };
}

/** Share of all trust that an attacker's accounts hold, which lie behind so many real ones. */
export function heldBeyond(scores: Float64Array, real: number): number {
  let captured = 0;
  for (let i = real; i < scores.length; i++) captured += scores[i]!;
  return captured;
}
