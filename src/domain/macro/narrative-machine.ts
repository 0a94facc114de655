// The life of a narrative: dormant, emerging, building, dominant, weakening, with holds and dwells between.
import { NARRATIVE } from './parameters.js';

export const NARRATIVE_STATES = [
  'Warming',
  'Dormant',
  'Emerging',
  'Building',
  'Dominant',
  'Weakening',
  'Contested',
] as const;
export type NarrativeState = (typeof NARRATIVE_STATES)[number];

/** One day of one narrative; z is its strength. */
export interface NarrativeDay {
  readonly z: number;
  /** Against five business days ago; 0 while that is not known. */
  readonly momentum: number;
  readonly attention: number | null;
  readonly drivers: number | null;
  /** Whether it is among the strongest of all narratives today. */
  readonly isTop: boolean;
}

export interface NarrativeMachine {
  readonly state: NarrativeState;
  readonly dwell: number;
  /** The state that was asked for on the last days in a row, and how many. */
  readonly wanted: NarrativeState;
  readonly held: number;
  /** Highest strength since the narrative left Dormant. */
  readonly peak: number;
  readonly topSteps: number;
  readonly contestedSteps: number;
  /** Days in a row without any measurement. */
  readonly blankSteps: number;
  /** Where Contested goes back to. */
  readonly before: NarrativeState;
}

export const NARRATIVE_START: NarrativeMachine = {
  state: 'Warming',
  dwell: 0,
  wanted: 'Warming',
  held: 0,
  peak: Number.NEGATIVE_INFINITY,
  topSteps: 0,
  contestedSteps: 0,
  blankSteps: 0,
  before: 'Dormant',
};

/** One business day; null is a day without any measurement. */
export function stepNarrative(machine: NarrativeMachine, day: NarrativeDay | null): NarrativeMachine {
  if (day === null) return withoutMeasurement(machine);
  if (machine.state === 'Warming') return { ...NARRATIVE_START, state: 'Dormant', wanted: 'Dormant' };
  const peak = Math.max(machine.peak, day.z);
  const topSteps = day.isTop ? machine.topSteps + 1 : 0;
  const contestedSteps = isContested(day) ? machine.contestedSteps + 1 : 0;
  const dwell = machine.dwell + 1;
  const seen = { ...machine, dwell, peak, topSteps, contestedSteps, blankSteps: 0 };
  const { state: wanted, atOnce } = target(seen, day);
  const held = wanted === machine.state ? 0 : wanted === machine.wanted ? machine.held + 1 : 1;
  const moved = { ...seen, wanted, held };
  const isProven = atOnce || held >= NARRATIVE.holdSteps;
  if (held === 0 || !isProven || dwell < NARRATIVE.dwellSteps) return moved;
  return {
    ...moved,
    state: wanted,
    dwell: 0,
    held: 0,
    peak: wanted === 'Dormant' || machine.state === 'Dormant' ? day.z : peak,
    before: wanted === 'Contested' ? machine.state : machine.before,
  };
}

/** A short gap keeps the state and breaks every row of days; after a long one nothing is left to tell of. */
function withoutMeasurement(machine: NarrativeMachine): NarrativeMachine {
  const { state } = machine;
  const dwell = machine.dwell + 1;
  if (state === 'Warming') return { ...NARRATIVE_START, dwell };
  const blankSteps = machine.blankSteps + 1;
  if (blankSteps > NARRATIVE.blankSteps) return NARRATIVE_START;
  return { ...machine, dwell, blankSteps, wanted: state, held: 0, topSteps: 0, contestedSteps: 0 };
}

/** Talk without data. */
function isContested({ attention, drivers }: NarrativeDay): boolean {
  return attention !== null && drivers !== null && attention >= 1.75 && drivers <= -0.75;
}

/** Where a day points. A row of ten days has held for long enough already, so it needs no further days. */
function target(machine: NarrativeMachine, day: NarrativeDay): { state: NarrativeState; atOnce: boolean } {
  if (machine.state !== 'Contested' && machine.contestedSteps >= NARRATIVE.contestedSteps)
    return { state: 'Contested', atOnce: true };
  // A leader of a quiet field must still be strong enough not to weaken on the spot.
  const leads = machine.topSteps >= NARRATIVE.topSteps && !isFading(day.z, machine.peak);
  if (machine.state === 'Building' && leads) return { state: 'Dominant', atOnce: true };
  return { state: pointed(machine, day), atOnce: false };
}

function isFading(z: number, peak: number): boolean {
  return z < 0.7 * peak || z < 2;
}

function pointed({ state, before, peak }: NarrativeMachine, day: NarrativeDay): NarrativeState {
  const { z, momentum, attention, drivers } = day;
  switch (state) {
    case 'Dormant':
      return z >= 1 && momentum > 0.25 ? 'Emerging' : state;
    case 'Emerging':
      if (z >= 1.75) return 'Building';
      return z < 0.5 ? 'Dormant' : state;
    case 'Building':
      if (z >= 3) return 'Dominant';
      return z < 1 ? 'Weakening' : state;
    case 'Dominant':
      return isFading(z, peak) ? 'Weakening' : state;
    case 'Weakening':
      if (z >= 3 && momentum > 0.5) return 'Dominant';
      if (z >= 1.75 && momentum > 0.5) return 'Building';
      return z < 0.75 ? 'Dormant' : state;
    case 'Contested':
      return attention === null || drivers === null || Math.abs(attention - drivers) < 1.5 ? before : state;
    default:
      return state;
  }
}
