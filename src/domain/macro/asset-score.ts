// One integer per asset: how the indexes stand, weighed by how the asset answers to them, with every driver shown.
import { normalCdf } from '../../kernel/statistics/normal.js';
import { FAMILY_COUNT, FAMILY_WEIGHTS, familyPlace } from './catalogue/families.js';
import { FAMILY_MEMBERS, INDEX_COUNT, INDEXES } from './catalogue/indexes.js';
import { type Conditions, clip } from './conditions.js';
import type { AssetExposures } from './exposures.js';
import type { FamilyFactors } from './family-factors.js';
import { ROBUST, SCORE } from './parameters.js';

export type Wind = 'tailwind' | 'neutral' | 'headwind';

export const SCORE_BANDS = ['strong_headwind', 'headwind', 'neutral', 'tailwind', 'strong_tailwind'] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number];

export function bandOf(score: number): ScoreBand {
  if (score < 25) return 'strong_headwind';
  if (score < SCORE.headwindBelow) return 'headwind';
  if (score <= 55) return 'neutral';
  return score <= 75 ? 'tailwind' : 'strong_tailwind';
}

export interface Driver {
  readonly symbol: string;
  readonly name: string;
  readonly family: string;
  readonly wind: Wind;
  /** The index's own z, two decimals, positive when the index is high. */
  readonly z: number;
  /** Share of this driver in all movement, four decimals; over all drivers the shares sum to 1. */
  readonly weight: number;
  /** Answer of the asset to a rise of the index, -1 to 1, four decimals. */
  readonly exposure: number;
  /** What it adds to the structure sum, six decimals. */
  readonly contribution: number;
}

/** Contributions in millionths: whole numbers, so that any order of summing gives the same score. */
const MILLION = 1e6;
const SHARES = 1e4;

const FAMILY_OF = Int32Array.from(INDEXES, (row) => familyPlace(row.family));
const MEMBERS = Float64Array.from(FAMILY_MEMBERS, ({ length }) => length);

export interface Structure {
  /** By place of the index, in millionths; 0 where it does not count. */
  readonly contributions: Int32Array;
  /** Exposures to the families, and what of them goes to each index. */
  readonly values: Float64Array;
  readonly loadings: Float64Array;
  /** Sum of contributions over a million. */
  readonly sum: number;
  /** Sum of their sizes, in millionths. */
  readonly size: number;
  /** Weight of the indexes that count among all the asset answers to, 0 to 1. */
  readonly coverage: number;
  /** Mean of what age has left of their weight, 0 to 1. */
  readonly freshness: number;
}

/** Null when the asset answers to nothing that is known: no prices and no sector. */
export function structureOf(
  conditions: Conditions,
  factors: FamilyFactors,
  { values }: AssetExposures,
): Structure | null {
  const { loadings, meanLoading } = factors;
  let full = 0;
  for (let f = 0; f < FAMILY_COUNT; f += 1)
    full += FAMILY_WEIGHTS[f]! * Math.abs(values[f]!) * meanLoading[f]!;
  if (!(full > 0)) return null;
  const contributions = new Int32Array(INDEX_COUNT);
  let total = 0;
  let size = 0;
  let covered = 0;
  let aged = 0;
  for (let i = 0; i < INDEX_COUNT; i += 1) {
    const weight = conditions.weights[i]!;
    if (weight === 0) continue;
    const f = FAMILY_OF[i]!;
    const exposure = values[f]! * loadings[i]!;
    const share = FAMILY_WEIGHTS[f]! * Math.abs(exposure);
    covered += share / MEMBERS[f]!;
    aged += (share * weight) / MEMBERS[f]!;
    const base = (FAMILY_WEIGHTS[f]! / conditions.liveMembers[f]!) * weight;
    const millionths = Math.round((base * exposure * conditions.z[i]! * MILLION) / full);
    contributions[i] = millionths;
    total += millionths;
    size += Math.abs(millionths);
  }
  return {
    contributions,
    values,
    loadings,
    sum: total / MILLION,
    size,
    coverage: Math.min(1, covered / full),
    freshness: covered > 0 ? aged / covered : 0,
  };
}

/** The published integer of a structure sum. */
export function scoreOf(sum: number): number {
  return Math.max(0, Math.min(100, Math.round(100 * normalCdf(SCORE.steepness * sum))));
}

/** The structure sum, from the drivers as published. */
export function sumOfDrivers(drivers: readonly Pick<Driver, 'contribution'>[]): number {
  let total = 0;
  for (const { contribution } of drivers) total += Math.round(contribution * MILLION);
  return total / MILLION;
}

/** The same integer, from the drivers as published. */
export function scoreFromDrivers(drivers: readonly Pick<Driver, 'contribution'>[]): number {
  return scoreOf(sumOfDrivers(drivers));
}

export function confidenceOf(
  structure: Structure,
  factors: FamilyFactors,
  exposures: AssetExposures,
): number {
  const agreement = structure.size > 0 ? (Math.abs(structure.sum) * MILLION) / structure.size : 0;
  const isPrior = exposures.basis === 'prior';
  const raw =
    100 *
    Math.sqrt(structure.coverage) *
    (isPrior ? SCORE.priorReliability : reliability(factors, exposures)) *
    (0.5 + 0.5 * agreement) *
    structure.freshness;
  return Math.round(Math.min(isPrior ? SCORE.priorConfidence : 100, raw));
}

/** How much the asset's own prices say: one less the prior's share, over the families as far as they are used. */
function reliability({ meanLoading }: FamilyFactors, { values, shrink }: AssetExposures): number {
  let own = 0;
  let used = 0;
  for (let f = 0; f < FAMILY_COUNT; f += 1) {
    const use = FAMILY_WEIGHTS[f]! * Math.abs(values[f]!) * meanLoading[f]!;
    own += use * (1 - shrink[f]!);
    used += use;
  }
  return used > 0 ? own / used : 0;
}

/**
 * Shares of all movement in ten-thousandths that sum to exactly one: each is the step of the rounded running sum, so
 * none is further than one ten-thousandth from its exact value.
 */
function sharesOf({ contributions, size }: Structure): Int32Array {
  const shares = SHARE_ROOM;
  if (size === 0) return shares.fill(0);
  let running = 0;
  let given = 0;
  for (let i = 0; i < INDEX_COUNT; i += 1) {
    running += Math.abs(contributions[i]!);
    const upTo = Math.round((running * SHARES) / size);
    shares[i] = upTo - given;
    given = upTo;
  }
  return shares;
}

/** Thousands of assets are scored one after another: the shares of one are read before those of the next are made. */
const SHARE_ROOM = new Int32Array(INDEX_COUNT);

export function driversOf(conditions: Conditions, structure: Structure, places: readonly number[]): Driver[] {
  const shares = sharesOf(structure);
  const { values, loadings } = structure;
  return places.map((i) => {
    const row = INDEXES[i]!;
    const contribution = structure.contributions[i]!;
    const weight = shares[i]! / SHARES;
    const { timeline, place } = conditions.standings[i]!;
    return {
      symbol: row.symbol,
      name: row.name,
      family: row.family,
      wind: windOf(weight, contribution),
      z: plain(Math.round(clip(timeline.z.at(place), ROBUST.displayClip) * 100) / 100),
      weight,
      exposure: plain(Math.round(values[FAMILY_OF[i]!]! * loadings[i]! * SHARES) / SHARES),
      contribution: contribution / MILLION,
    };
  });
}

/** What a driver does to the asset; one with hardly a share in the movement is neutral. */
export function windOf(weight: number, contribution: number): Wind {
  if (weight < SCORE.neutralWeight) return 'neutral';
  return contribution > 0 ? 'tailwind' : 'headwind';
}

function plain(value: number): number {
  return value === 0 ? 0 : value;
}
