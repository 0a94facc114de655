// Kleinberg's burst automaton: which level of urgency best explains a stream of events.

import { logPoissonMass } from './saddle-point.js';

/** The automaton's shape. */
export interface BurstOptions {
  /** Ratio between the rates of neighbouring levels, above 1; 2 unless given. */
  readonly ratio?: number;
  /** Cost of climbing one level, in units of log n; 1 unless given. */
  readonly gamma?: number;
  /** Highest level allowed. */
  readonly maxLevel?: number;
}

/** Cheapest path of levels; climbing costs `climb` per level, falling is free, ties go to the lower level. */
function cheapestPath(
  steps: number,
  levels: number,
  climb: number,
  cost: (t: number, level: number) => number,
) {
  let total = new Float64Array(levels).fill(Number.POSITIVE_INFINITY);
  total[0] = 0;
  const cameFrom = new Uint8Array(steps * levels);
  for (let t = 0; t < steps; t += 1) {
    const next = new Float64Array(levels);
    for (let level = 0; level < levels; level += 1) {
      let best = Number.POSITIVE_INFINITY;
      let source = 0;
      for (let previous = 0; previous < levels; previous += 1) {
        const reached = total[previous]! + (level > previous ? (level - previous) * climb : 0);
        if (reached < best) {
          best = reached;
          source = previous;
        }
      }
      next[level] = best + cost(t, level);
      cameFrom[t * levels + level] = source;
    }
    total = next;
  }
  let level = total.indexOf(Math.min(...total));
  const path = Array.from({ length: steps }, () => 0);
  for (let t = steps - 1; t >= 0; t -= 1) {
    path[t] = level;
    level = cameFrom[t * levels + level]!;
  }
  return path;
}

function settings(options: BurstOptions): { ratio: number; gamma: number; maxLevel: number } {
  const { ratio = 2, gamma = 1, maxLevel = 60 } = options;
  if (!(ratio > 1) || !(gamma >= 0))
    throw new RangeError('bursts need a ratio above 1 and a gamma of at least 0');
  if (!(maxLevel >= 1 && maxLevel <= 255)) throw new RangeError('maxLevel must lie between 1 and 255');
  return { ratio, gamma, maxLevel };
}

/**
 * The level of every event in a stream of times sorted upwards: the state of the gap that ends at it, 0 for the first.
 * Throws when the times are unsorted or hold a NaN. With no spread in time every event is at level 0.
 */
export function kleinbergBursts(times: ArrayLike<number>, options: BurstOptions = {}): number[] {
  const { ratio, gamma, maxLevel } = settings(options);
  const gaps: number[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < times.length; i += 1) {
    const gap = times[i]! - times[i - 1]!;
    if (!(gap >= 0)) throw new RangeError(`times must be sorted upwards; entry ${i} is not`);
    if (gap > 0 && gap < shortest) shortest = gap;
    gaps.push(gap);
  }
  const span = gaps.length === 0 ? 0 : times[times.length - 1]! - times[0]!;
  if (!(span > 0)) return Array.from({ length: times.length }, () => 0);
  const needed = Math.ceil(1 + Math.log(span / shortest) / Math.log(ratio));
  const levels = Math.max(1, Math.min(needed, maxLevel + 1));
  const base = gaps.length / span;
  const cost = (t: number, level: number): number => {
    const rate = base * ratio ** level;
    return rate * gaps[t]! - Math.log(rate);
  };
  return [0, ...cheapestPath(gaps.length, levels, gamma * Math.log(gaps.length), cost)];
}

/**
 * The level of every batch of counts against its baseline rate, a number or one per batch, all above zero.
 * Two levels unless maxLevel says otherwise.
 */
export function kleinbergBatchBursts(
  counts: ArrayLike<number>,
  baseline: number | ArrayLike<number>,
  options: BurstOptions = {},
): number[] {
  const { ratio, gamma, maxLevel } = settings({ maxLevel: 1, ...options });
  const rateAt = (t: number): number => (typeof baseline === 'number' ? baseline : baseline[t]!);
  for (let t = 0; t < counts.length; t += 1) {
    if (!(counts[t]! >= 0) || !(rateAt(t) > 0))
      throw new RangeError(`batch ${t} needs a count and a rate above zero`);
  }
  const climb = gamma * Math.log(Math.max(1, counts.length));
  return cheapestPath(counts.length, maxLevel + 1, climb, (t, level) => {
    return -logPoissonMass(counts[t]!, rateAt(t) * ratio ** level);
  });
}
