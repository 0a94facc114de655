// Whether a section of the tape was calm: the share of its names in the upper bands, by the bounds of the diagnostics.
import type { Section } from './panel.js';
import { VALIDATION } from './parameters.js';
import { TAPE_SIGNALS } from './tape-signals.js';

export const MOODS = ['calm', 'active', 'stressed'] as const;
export type Mood = (typeof MOODS)[number];

const LEVEL = TAPE_SIGNALS.findIndex(({ id }) => id === 'anomaly_level');
/** Quiet 0, normal 1. */
const ELEVATED = 2;

/** Null while no name has a band that says anything. */
export function moodOf({ signals }: Pick<Section, 'signals'>): Mood | null {
  let banded = 0;
  let elevated = 0;
  for (const level of signals[LEVEL]!) {
    if (Number.isNaN(level)) continue;
    banded++;
    if (level >= ELEVATED) elevated++;
  }
  if (banded === 0) return null;
  const share = elevated / banded;
  if (share < VALIDATION.activeFrom) return 'calm';
  return share < VALIDATION.stressedFrom ? 'active' : 'stressed';
}
