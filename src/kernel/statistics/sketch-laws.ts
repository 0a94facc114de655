// How far sketches err, and how likely banded signatures are to meet.

/** Standard error of a Jaccard similarity estimated from k MinHash slots. */
export function minHashStandardError(similarity: number, slots: number): number {
  return Math.sqrt((similarity * (1 - similarity)) / slots);
}

/** Chance that two signatures of the given similarity agree in all rows of at least one band. */
export function bandingProbability(similarity: number, bands: number, rows: number): number {
  return -Math.expm1(bands * Math.log1p(-(similarity ** rows)));
}

/** The similarity at which banding turns from unlikely to likely, (1/bands)^(1/rows). */
export function bandingThreshold(bands: number, rows: number): number {
  return (1 / bands) ** (1 / rows);
}

/** Chance that one SimHash bit agrees for two vectors at the given angle. */
export function simHashAgreement(angle: number): number {
  return 1 - angle / Math.PI;
}

/** Relative standard error of a HyperLogLog count with m registers. */
export function hyperLogLogStandardError(registers: number): number {
  return 1.04 / Math.sqrt(registers);
}
