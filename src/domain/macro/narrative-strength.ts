// How strong every narrative is on a day: what people say of it and what its indexes show.
import { indexPlace } from './catalogue/indexes.js';
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import type { Conditions } from './conditions.js';
import { NARRATIVE } from './parameters.js';

export interface NarrativeDriver {
  readonly place: number;
  readonly direction: 1 | -1;
}

/** Index drivers of every narrative, by place. */
export const NARRATIVE_DRIVERS: readonly (readonly NarrativeDriver[])[] = NARRATIVES.map((row) => [
  ...row.rising.map((symbol): NarrativeDriver => ({ place: indexPlace(symbol), direction: 1 })),
  ...row.falling.map((symbol): NarrativeDriver => ({ place: indexPlace(symbol), direction: -1 })),
]);

export interface Strengths {
  /** NaN where neither attention nor drivers can be measured. */
  readonly z: Float64Array;
  readonly attention: Float64Array;
  readonly drivers: Float64Array;
}

export function strengthsOf(conditions: Conditions, attention: Float64Array): Strengths {
  const z = new Float64Array(NARRATIVE_COUNT);
  const drivers = new Float64Array(NARRATIVE_COUNT);
  for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
    drivers[n] = driverMean(conditions, NARRATIVE_DRIVERS[n]!);
    z[n] = mixed(attention[n]!, support(n, drivers[n]!));
  }
  return { z, attention, drivers };
}

/** Mean of the drivers' z in the narrative's direction; NaN when fewer than half of them count. */
function driverMean({ z, weights }: Conditions, drivers: readonly NarrativeDriver[]): number {
  let sum = 0;
  let live = 0;
  for (const { place, direction } of drivers) {
    if (weights[place]! === 0) continue;
    sum += direction * z[place]!;
    live += 1;
  }
  return live * 2 >= drivers.length ? sum / live : Number.NaN;
}

function mixed(attention: number, drivers: number): number {
  if (Number.isNaN(attention)) return drivers;
  if (Number.isNaN(drivers)) return attention;
  return NARRATIVE.attentionWeight * attention + NARRATIVE.driverWeight * drivers;
}

/** What the indexes say for the narrative: a two-way one is borne out by either direction. */
export function support(narrative: number, drivers: number): number {
  return NARRATIVES[narrative]!.twoWay ? Math.abs(drivers) : drivers;
}

/** Two-way narratives point where their drivers point; the others always forward. */
export function phaseOf(narrative: number, drivers: number): 1 | -1 {
  return NARRATIVES[narrative]!.twoWay && drivers < 0 ? -1 : 1;
}
