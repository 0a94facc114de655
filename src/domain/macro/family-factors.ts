// One factor per family: the first component of its members' weekly moves, turned so that its anchor points up.
import type { Instant } from '../../kernel/instant.js';
import { symmetricEigen } from '../../kernel/statistics/symmetric-eigen.js';
import { FAMILIES, FAMILY_COUNT, familyPlace } from './catalogue/families.js';
import { FAMILY_MEMBERS, INDEX_COUNT, INDEXES, indexPlace } from './catalogue/indexes.js';
import { clip } from './conditions.js';
import type { IndexTimeline } from './index-timeline.js';
import { EXPOSURE } from './parameters.js';
import { symmetricInverse } from './symmetric-inverse.js';
import { weeklyMoves } from './weekly-moves.js';

export interface FamilyFactors {
  /** Weeks of the sample, oldest first. */
  readonly firstWeek: number;
  readonly weeks: number;
  /** Weight of every week, 1 for the newest. */
  readonly decay: Float64Array;
  /** By place of the family: moves in standard deviations, 0 where unknown; null while the family has too few. */
  readonly factors: readonly (Float64Array | null)[];
  /** By place of the index, from -1 to 1: how its own moves go with its family's factor. */
  readonly loadings: Float64Array;
  /** By place of the family: mean size of its members' loadings. */
  readonly meanLoading: Float64Array;
}

export const DECAY = Float64Array.from(
  { length: EXPOSURE.weeks },
  (_, r) => 0.5 ** ((EXPOSURE.weeks - 1 - r) / EXPOSURE.halfLifeWeeks),
);

const SIGNS = INDEXES.map((row) => row.sign);
const POSITIONING = familyPlace('positioning');
const ANCHORS = FAMILIES.map((family) => indexPlace(family.anchor));

/** Factors for the weeks before `week`, as known at its end. */
export function familyFactors(
  timelines: readonly (readonly IndexTimeline[])[],
  week: number,
  knownBy: Instant,
): FamilyFactors {
  const first = week - EXPOSURE.weeks;
  const moves: (Float64Array | null)[] = [];
  for (let i = 0; i < INDEX_COUNT; i += 1) {
    moves.push(standardised(weeklyMoves(timelines[i]!, first, week - 1, knownBy)));
  }
  const loadings = new Float64Array(INDEX_COUNT);
  const meanLoading = new Float64Array(FAMILY_COUNT);
  const factors = FAMILIES.map((_, f) => {
    const members = FAMILY_MEMBERS[f]!;
    const moving = members.filter((i) => moves[i] !== null);
    const vector = firstComponent(moving, moves, f);
    spread(loadings, members, moving, vector, f);
    meanLoading[f] = members.reduce((sum, i) => sum + Math.abs(loadings[i]!), 0) / members.length;
    return moving.length === 0 ? null : combined(moving, moves, vector);
  });
  factors[POSITIONING] = unexplained(factors, POSITIONING);
  return { firstWeek: first, weeks: EXPOSURE.weeks, decay: DECAY, factors, loadings, meanLoading };
}

/**
 * What the other families leave of a factor. Breadth is made from the very prices that are explained: taken whole, it
 * would stand in for the market and for every family that moves the market.
 */
function unexplained(factors: readonly (Float64Array | null)[], place: number): Float64Array | null {
  const own = factors[place];
  if (!own) return null;
  const others = factors.flatMap((factor, f) => (factor === null || f === place ? [] : [factor]));
  const size = others.length;
  const gram = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b < size; b += 1) gram[a * size + b] = product(others[a]!, others[b]!);
    gram[a * size + a]! += EXPOSURE.ridge * product(others[a]!, others[a]!);
    right[a] = product(others[a]!, own);
  }
  const inverse = symmetricInverse(gram, size);
  if (inverse === null) return own;
  const rest = own.slice();
  for (let a = 0; a < size; a += 1) {
    let share = 0;
    for (let b = 0; b < size; b += 1) share += inverse[a * size + b]! * right[b]!;
    for (let r = 0; r < rest.length; r += 1) rest[r]! -= share * others[a]![r]!;
  }
  const scale = rootMeanSquare(rest);
  return scale > 0 ? rest.map((move) => move / scale) : null;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let r = 0; r < a.length; r += 1) sum += DECAY[r]! * a[r]! * b[r]!;
  return sum;
}

/** Moves over their own spread, with wild weeks held in; null when there are too few or none differ from zero. */
function standardised(moves: Float64Array | null): Float64Array | null {
  if (moves === null) return null;
  let known = 0;
  for (const move of moves) if (!Number.isNaN(move)) known += 1;
  if (known < EXPOSURE.memberWeeks) return null;
  const scale = rootMeanSquare(moves);
  if (!(scale > 0)) return null;
  const held = new Float64Array(moves.length);
  for (let r = 0; r < held.length; r += 1) held[r] = clip(moves[r]! / scale, EXPOSURE.moveClip);
  const again = rootMeanSquare(held);
  for (let r = 0; r < held.length; r += 1) held[r]! /= again;
  return held;
}

function rootMeanSquare(moves: Float64Array): number {
  let sum = 0;
  let weight = 0;
  for (let r = 0; r < moves.length; r += 1) {
    const move = moves[r]!;
    if (Number.isNaN(move)) continue;
    sum += DECAY[r]! * move * move;
    weight += DECAY[r]!;
  }
  return Math.sqrt(sum / weight);
}

/** Whether an index moves with the anchor of its family, judged by the signs of the catalogue. */
function agreement(i: number, family: number): number {
  return SIGNS[i]! * SIGNS[ANCHORS[family]!]!;
}

function firstComponent(
  moving: readonly number[],
  moves: readonly (Float64Array | null)[],
  family: number,
): Float64Array {
  const size = moving.length;
  if (size === 0) return new Float64Array(0);
  const matrix = moving.map((a, row) =>
    Float64Array.from(moving, (b, column) => (row === column ? 1 : correlation(moves[a]!, moves[b]!))),
  );
  const vector = symmetricEigen(matrix).vectors[0]!;
  const anchor = moving.indexOf(ANCHORS[family]!);
  const points =
    anchor >= 0
      ? vector[anchor]!
      : moving.reduce((sum, i, place) => sum + vector[place]! * agreement(i, family), 0);
  return points < 0 ? vector.map((value) => -value) : vector;
}

function correlation(a: Float64Array, b: Float64Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let r = 0; r < a.length; r += 1) {
    const product = a[r]! * b[r]!;
    if (Number.isNaN(product)) continue;
    ab += DECAY[r]! * product;
    aa += DECAY[r]! * a[r]! * a[r]!;
    bb += DECAY[r]! * b[r]! * b[r]!;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Members that move weekly load as the component says; the slow ones as their sign says, with an average size. */
function spread(
  loadings: Float64Array,
  members: readonly number[],
  moving: readonly number[],
  vector: Float64Array,
  family: number,
): void {
  let largest = 0;
  let sum = 0;
  for (const value of vector) {
    largest = Math.max(largest, Math.abs(value));
    sum += Math.abs(value);
  }
  const ordinary = largest > 0 ? sum / vector.length / largest : 1;
  for (const i of members) loadings[i] = ordinary * agreement(i, family);
  moving.forEach((i, place) => {
    loadings[i] = vector[place]! / largest;
  });
}

function combined(
  moving: readonly number[],
  moves: readonly (Float64Array | null)[],
  vector: Float64Array,
): Float64Array {
  const factor = new Float64Array(EXPOSURE.weeks);
  for (let r = 0; r < factor.length; r += 1) {
    let sum = 0;
    let weight = 0;
    for (let m = 0; m < moving.length; m += 1) {
      const move = moves[moving[m]!]![r]!;
      if (Number.isNaN(move)) continue;
      sum += vector[m]! * move;
      weight += Math.abs(vector[m]!);
    }
    factor[r] = weight > 0 ? sum / weight : Number.NaN;
  }
  const scale = rootMeanSquare(factor);
  // A week in which nothing of the family was known counts as a week without a move.
  return factor.map((move) => (Number.isNaN(move) || scale === 0 ? 0 : move / scale));
}
