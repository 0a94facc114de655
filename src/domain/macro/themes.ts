// Which narratives touch an asset: how far it goes with the funds that a narrative helps and hurts.
import type { Wind } from './asset-score.js';
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import { type NarrativeReading, six } from './macro-frame.js';
import type { NarrativeState } from './narrative-machine.js';
import { THEME } from './parameters.js';
import { strongest } from './strongest.js';

export interface Theme {
  readonly slug: string;
  readonly name: string;
  /** Strength of the narrative, 0 to 100. */
  readonly score: number;
  readonly direction: Wind;
  /** Exposure × (score - 50) / 50, three decimals. */
  readonly impact: number;
  /** -1 to 1: with the funds it helps, or with those it hurts; turned where the narrative's phase is turned. */
  readonly exposure: number;
  readonly state: NarrativeState;
}

/** Impacts below this are too small however they are rounded. */
const FAINT = 0.9 * THEME.minimumImpact;

const RANK_ROOM = new Float64Array(NARRATIVE_COUNT);

/** The themes of an asset with these exposures, by place of the narrative; the strongest first. */
export function themesOf(exposures: Float64Array, narratives: readonly NarrativeReading[]): Theme[] {
  const ranks = RANK_ROOM.fill(0);
  for (let n = 0; n < ranks.length; n += 1) {
    const { score, state, phase } = narratives[n]!;
    if (score === null || Math.abs((exposures[n]! * (score - 50)) / 50) < FAINT) continue;
    const size = Math.abs(impactOf(six(exposures[n]! * phase), score));
    // Narratives that are being told come first: a sleeping one mostly says what is absent. No impact is above 1.
    if (size >= THEME.minimumImpact) ranks[n] = isAsleep(state) ? size : size + 1;
  }
  return strongest(ranks, THEME.most).map((n) => {
    const { score, state, phase } = narratives[n]!;
    const exposure = six(exposures[n]! * phase);
    const { slug, label } = NARRATIVES[n]!;
    return {
      slug,
      name: label,
      score: score!,
      direction: directionOf(exposure),
      impact: impactOf(exposure, score!),
      exposure,
      state,
    };
  });
}

function impactOf(exposure: number, score: number): number {
  return Math.round(((exposure * (score - 50)) / 50) * 1000) / 1000;
}

export function directionOf(exposure: number): Wind {
  return exposure > 0 ? 'tailwind' : exposure < 0 ? 'headwind' : 'neutral';
}

function isAsleep(state: NarrativeState): boolean {
  return state === 'Dormant' || state === 'Warming';
}
