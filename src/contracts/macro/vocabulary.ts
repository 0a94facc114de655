// The words of surface B: winds, signals, states, regimes and bands, each in one list.
import { z } from 'zod';
import { InstantText, Sha256 } from '../primitives.js';

/** The version of the bodies of surface B. */
export const MACRO_CONTRACT = '1.0.0';

export const ContractVersion = z
  .string()
  .regex(/^\d+\.\d+\.\d+$/)
  .describe('Semantic version of this body: fields are only added within a major version.');

export const Wind = z.enum(['tailwind', 'neutral', 'headwind']).meta({
  id: 'Wind',
  description: 'Whether it eases or hampers; neutral is neither, or too little to say.',
});

export const GaugeSignal = z.enum(['risk_on', 'neutral', 'risk_off', 'stress', 'unavailable']).meta({
  id: 'GaugeSignal',
  description:
    'risk_on from 60, left at 57; risk_off from 40, left at 43; stress when the mean z of the family is -2 or less; unavailable while nothing is measured.',
});

export const IndexStatus = z.enum(['live', 'delayed', 'stale', 'warming', 'unavailable']).meta({
  id: 'IndexStatus',
  description:
    'live: as new as its release calendar allows; delayed: overdue, with falling weight; stale: overdue for too long to count; warming: history too short for a z-score; unavailable: its series is not recorded.',
});

export const RegimeLabel = z
  .enum([
    'Warming',
    'Goldilocks Easy',
    'Goldilocks Neutral',
    'Goldilocks Tight',
    'Reflation Easy',
    'Reflation Neutral',
    'Reflation Tight',
    'Stagflation Easy',
    'Stagflation Neutral',
    'Stagflation Tight',
    'Contraction Easy',
    'Contraction Neutral',
    'Contraction Tight',
    'Stress',
    'Transition',
  ])
  .meta({
    id: 'RegimeLabel',
    description:
      'Quadrant of growth and inflation with the ease of money; Stress overrides, Transition is undecided; Warming: too little history, or data that ended too long ago. Decided once per business day at 17:00 in New York.',
  });

export const NarrativeState = z
  .enum(['Warming', 'Dormant', 'Emerging', 'Building', 'Dominant', 'Weakening', 'Contested'])
  .meta({
    id: 'NarrativeState',
    description:
      'Dormant, Emerging, Building, Dominant, Weakening; Contested: much talk against the data; Warming: not measurable yet, or not for more than five business days. A change holds three business days and a state lasts at least five.',
  });

export const ScoreBand = z
  .enum(['strong_headwind', 'headwind', 'neutral', 'tailwind', 'strong_tailwind'])
  .meta({
    id: 'ScoreBand',
    description:
      '0–24 strong_headwind, 25–44 headwind, 45–55 neutral, 56–75 tailwind, 76–100 strong_tailwind.',
  });

export const MacroFreshness = z
  .enum(['live', 'delayed', 'stale', 'warming', 'replay', 'fixture', 'unavailable'])
  .meta({
    id: 'MacroFreshness',
    description:
      'live: every daily input is at most one business day late; delayed: at most three; stale: later; warming: no daily input has enough history; replay: an instant of the past was asked for; fixture: synthetic data; unavailable: nothing is recorded, of a single index only.',
  });

export const Licence = z.enum(['PD', '3P', 'OPEN', 'CALC', 'mixed']).meta({
  id: 'Licence',
  description:
    'PD public domain or official; 3P third-party rights, shown as z-score only; OPEN open licence with credit; CALC computed from prices.',
});

export const Vintage = z.enum(['native', 'archived', 'latest_only']).meta({
  id: 'Vintage',
  description:
    'native: never revised, or its vintages are on file; archived: observed here as it came out; latest_only: one vintage stands for all, so the past may know too much.',
});

/** What every body of surface B says about where it comes from. */
export const provenance = {
  as_of: InstantText.describe('The instant that the body describes.'),
  known_at: InstantText.nullable().describe('The largest known-at among the observations used.'),
  snapshot_id: Sha256.describe('Fingerprint of the frame: the same frame answers every part of a question.'),
  freshness: MacroFreshness,
  contract_version: ContractVersion,
};
