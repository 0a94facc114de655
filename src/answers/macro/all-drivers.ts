// Every driver of a score: an edition holds the strongest only, so the desk works out all of them again.
import { type Driver, sumOfDrivers } from '../../domain/macro/asset-score.js';
import type { AssetScore } from '../../domain/macro/asset-scorer.js';
import type { Editions } from './editions.js';
import type { HeldEdition } from './held-edition.js';

/** Null where they no longer give the score: facts have been filled in since it was stated. */
export async function allDrivers(
  editions: Editions,
  { at }: HeldEdition,
  { ticker, structure }: AssetScore,
): Promise<readonly Driver[] | null> {
  const drivers = await editions.atDesk((desk) => desk.drivers(ticker, at));
  return sumOfDrivers(drivers) === (structure ?? 0) ? drivers : null;
}
