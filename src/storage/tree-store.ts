// How the nodes of the tree lie in a table: one number for each place, a level's nodes side by side.
import type { FrontierState } from '../kernel/merkle.js';
import type { TreePlace } from '../kernel/tree-proofs.js';
import { NoSubtree } from './leaves.js';

/** Levels times widths stay below 2^53, so that the number is exact in every engine and in JavaScript. */
const WIDTH = 2 ** 47;
const LEVELS = 48;

export function requirePlace(place: TreePlace): void {
  const { level, index } = place;
  const isPlace =
    Number.isSafeInteger(level) &&
    Number.isSafeInteger(index) &&
    level >= 0 &&
    level < LEVELS &&
    index >= 0 &&
    index < WIDTH;
  if (!isPlace) throw new NoSubtree(place);
}

export function placeNumber(place: TreePlace): number {
  requirePlace(place);
  return place.level * WIDTH + place.index;
}

/** The first number and the one behind the last of a row that stays within its level. */
export function rowNumbers(
  level: number,
  from: number,
  count: number,
): readonly [first: number, end: number] {
  const first = placeNumber({ level, index: from });
  return [first, Math.min(first + count, (level + 1) * WIDTH)];
}

/** The hashes in the order asked, from those that were found. */
export function inOrder(
  places: readonly TreePlace[],
  found: ReadonlyMap<number, Uint8Array>,
): readonly Buffer[] {
  return places.map((place) => {
    const hash = found.get(placeNumber(place));
    if (hash === undefined) throw new NoSubtree(place);
    return asBuffer(hash);
  });
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function logEnd(size: number, peaks: readonly Buffer[]): FrontierState {
  return { size, peaks: peaks.map((peak) => peak.toString('hex')) };
}
