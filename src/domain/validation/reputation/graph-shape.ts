// What can be said about a graph of authors without naming one: its pieces, its returns, and how its trust is shared.
import { effectiveNumber, gini, herfindahl } from '../../../kernel/statistics/concentration.js';
import { spearman } from '../../../kernel/statistics/spearman.js';
import { statistic } from '../document.js';
import type { TrustInput } from './trust.js';

export interface GraphShape {
  readonly interacting: number;
  readonly edges: number;
  readonly danglingShare: number;
  readonly largestComponentShare: number;
  readonly reciprocity: number;
}

/** Shares are of the authors who interact at all; the silent majority would drown them. */
export function graphShape({ graph }: TrustInput): GraphShape {
  const { nodes, from, to } = graph;
  const parent = Uint32Array.from({ length: nodes }, (_, i) => i);
  const root = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const present = new Uint8Array(nodes);
  const sends = new Uint8Array(nodes);
  const pairs = new Set<number>();
  for (let e = 0; e < from.length; e++) {
    const [i, j] = [from[e]!, to[e]!];
    present[i] = 1;
    present[j] = 1;
    sends[i] = 1;
    pairs.add(i * nodes + j);
    parent[root(i)] = root(j);
  }
  const sizes = new Map<number, number>();
  let interacting = 0;
  let dangling = 0;
  for (let i = 0; i < nodes; i++) {
    if (present[i] === 0) continue;
    interacting++;
    if (sends[i] === 0) dangling++;
    const own = root(i);
    sizes.set(own, (sizes.get(own) ?? 0) + 1);
  }
  let mutual = 0;
  for (let e = 0; e < from.length; e++) if (pairs.has(to[e]! * nodes + from[e]!)) mutual++;
  let largest = 0;
  for (const size of sizes.values()) if (size > largest) largest = size;
  return {
    interacting,
    edges: from.length,
    danglingShare: dangling / interacting,
    largestComponentShare: largest / interacting,
    reciprocity: mutual / from.length,
  };
}

/** Of the scores above zero; the others hold nothing that could be shared. */
export function concentrationOf(scores: Float64Array) {
  const held = scores.filter((score) => score > 0).sort();
  const top = held.subarray(Math.max(0, held.length - Math.ceil(held.length / 100)));
  return {
    gini: statistic(gini(held)),
    herfindahl: statistic(herfindahl(held)),
    top_1pc_share: statistic(top.reduce((sum, score) => sum + score, 0)),
    effective_authors: statistic(effectiveNumber(held)),
  };
}

/** How the scores of now agree with those of a week before; authors keep their numbers, new ones come behind. */
export function stabilityBetween(before: Float64Array, now: Float64Array) {
  const common: number[] = [];
  for (let i = 0; i < before.length; i++) if (before[i]! > 0 && now[i]! > 0) common.push(i);
  const top = (scores: Float64Array): Set<number> => {
    const held = Array.from(scores.keys()).filter((i) => scores[i]! > 0);
    held.sort((i, j) => scores[j]! - scores[i]! || i - j);
    return new Set(held.slice(0, Math.ceil(held.length / 10)));
  };
  const [then, current] = [top(before), top(now)];
  const entered = [...current].filter((i) => !then.has(i));
  const unknown = entered.filter((i) => i >= before.length || !(before[i]! > 0));
  return {
    common_authors: common.length,
    rank_correlation: statistic(
      spearman(
        common.map((i) => before[i]!),
        common.map((i) => now[i]!),
      ),
    ),
    top_decile_turnover: statistic(entered.length / current.size),
    new_in_top_decile: statistic(unknown.length / current.size),
  };
}
