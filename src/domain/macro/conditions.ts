// All indexes at one instant, as plain numbers, with the means of their families: what every decision is made from.
import type { Instant } from '../../kernel/instant.js';
import { FAMILY_COUNT } from './catalogue/families.js';
import { FAMILY_MEMBERS, INDEX_COUNT, INDEXES } from './catalogue/indexes.js';
import type { IndexTimeline } from './index-timeline.js';
import { ROBUST } from './parameters.js';
import { counts, type Standing, standingAt } from './reading.js';

export interface Conditions {
  readonly at: Instant;
  readonly standings: readonly (Standing | null)[];
  /** Clipped for scores; 0 where the index does not count, which its weight of 0 tells. */
  readonly z: Float64Array;
  readonly weights: Float64Array;
  /** Weighted mean of the wind-signed z-scores of a family; NaN while none of its indexes counts. */
  readonly familyMeans: Float64Array;
  readonly liveMembers: Uint8Array;
}

const SIGNS = Int8Array.from(INDEXES, (row) => row.sign);

export function conditionsAt(timelines: readonly (readonly IndexTimeline[])[], at: Instant): Conditions {
  const standings: (Standing | null)[] = [];
  const z = new Float64Array(INDEX_COUNT);
  const weights = new Float64Array(INDEX_COUNT);
  for (let i = 0; i < INDEX_COUNT; i += 1) {
    const found = standingAt(timelines[i]!, at);
    standings.push(found);
    if (found === null || !counts(found.status)) continue;
    weights[i] = found.weight;
    z[i] = clip(found.timeline.z.at(found.place), ROBUST.scoreClip);
  }
  const familyMeans = new Float64Array(FAMILY_COUNT);
  const liveMembers = new Uint8Array(FAMILY_COUNT);
  for (let f = 0; f < FAMILY_COUNT; f += 1) {
    let sum = 0;
    let weight = 0;
    for (const i of FAMILY_MEMBERS[f]!) {
      if (weights[i]! === 0) continue;
      liveMembers[f]! += 1;
      sum += weights[i]! * SIGNS[i]! * z[i]!;
      weight += weights[i]!;
    }
    familyMeans[f] = weight > 0 ? sum / weight : Number.NaN;
  }
  return { at, standings, z, weights, familyMeans, liveMembers };
}

export function clip(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
