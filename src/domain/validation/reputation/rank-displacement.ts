// How far an attack moves the real authors in the order of trust.
import { quantile } from '../../../kernel/statistics/order-statistics.js';
import { averageRanks } from '../../../kernel/statistics/ranks.js';
import { REPUTATION } from '../parameters.js';

export interface Displacement {
  /** In ranks, up or down. */
  readonly largest: number;
  readonly p95: number;
}

/** Scores closer than what the sweeps leave open are a tie. */
const RESOLUTION = 10 * REPUTATION.tolerance;

/** Ranks among everybody who holds any trust, the first with the most; NaN for the others. */
function ranks(scores: Float64Array): Float64Array {
  const held = Array.from(scores.keys()).filter((author) => scores[author]! > 0);
  const own = averageRanks(held.map((author) => -Math.round(scores[author]! / RESOLUTION)));
  const all = new Float64Array(scores.length).fill(Number.NaN);
  held.forEach((author, i) => {
    all[author] = own[i]!;
  });
  return all;
}

/** `after` has the attacker's accounts behind the real ones; they take ranks, and real authors trade theirs. */
export function displacementOf(before: Float64Array, after: Float64Array): Displacement {
  const [then, now] = [ranks(before), ranks(after)];
  const moved = then.map((rank, author) => Math.abs(now[author]! - rank)).filter((by) => !Number.isNaN(by));
  return { largest: quantile(moved, 1), p95: quantile(moved, 0.95) };
}
