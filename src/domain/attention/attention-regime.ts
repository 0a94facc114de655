// The state of attention as a whole, from the last frames: six words with hysteresis and a least stay.
import type { ATTENTION_STATES } from '../../contracts/attention/diagnostics.js';
import { quantileOfSorted } from '../../kernel/statistics/order-statistics.js';
import type { AttentionLevel, LevelReason } from './attention-level.js';

export type AttentionStateName = (typeof ATTENTION_STATES)[number];

export const STATE_RULES = {
  staleCycles: 3,
  /** Robust z of the level. */
  elevatedFrom: 2,
  elevatedUntil: 1.5,
  quietUpTo: -1,
  /** Places among the full hours of the day before. */
  concentratedBelow: 0.1,
  concentratedUntil: 0.2,
  broadAbove: 0.9,
  disorderlyAbove: 0.99,
  disorderlyCycles: 3,
  hours: 24,
  leastHours: 12,
  /** A state is kept for this many frames at least. */
  stayCycles: 3,
  /** Frames that are walked through; the state before them is not known. */
  walk: 12,
} as const;

export interface Sighting {
  readonly level: AttentionLevel;
  readonly effective: number | null;
  readonly breadth: number | null;
  /** Against an hour before; null without a frame there. */
  readonly turnover: number | null;
}

/** What the full hours before had. */
export interface HourlyReference {
  readonly effective: readonly number[];
  readonly breadth: readonly number[];
  readonly turnover: readonly number[];
}

export type StateReason = LevelReason | 'short_reference';

export interface RegimeState {
  readonly state: AttentionStateName | null;
  /** Why the state is null. */
  readonly reason: StateReason | null;
  /** Frames since the state began, as far as was looked back. */
  readonly cycles: number;
}

type Told = Omit<RegimeState, 'cycles'>;

const told = (state: AttentionStateName): Told => ({ state, reason: null });
const untold = (reason: StateReason): Told => ({ state: null, reason });

/** What a frame calls for, given what was so in the frame before; to be asked in the order of time. */
function judgement(reference: HourlyReference): (sighting: Sighting) => Told {
  const { leastHours } = STATE_RULES;
  const placed = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    // A comparison with NaN is false: a short reference finds nothing unusual.
    return (share: number): number =>
      sorted.length < leastHours ? Number.NaN : quantileOfSorted(sorted, share);
  };
  const effectiveAt = placed(reference.effective);
  const breadthAt = placed(reference.breadth);
  const turnoverAt = placed(reference.turnover);
  let elevated = false;
  let concentrated = false;
  let restless = 0;
  return ({ level, effective, breadth, turnover }) => {
    restless = turnover !== null && turnover > turnoverAt(STATE_RULES.disorderlyAbove) ? restless + 1 : 0;
    const { elevatedFrom, elevatedUntil, concentratedBelow, concentratedUntil } = STATE_RULES;
    elevated = level.z !== null && level.z >= (elevated ? elevatedUntil : elevatedFrom);
    const bound = effectiveAt(concentrated ? concentratedUntil : concentratedBelow);
    concentrated = effective !== null && effective < bound;
    if (restless >= STATE_RULES.disorderlyCycles) return told('disorderly');
    if (level.z === null) return untold(level.reason!);
    if (!elevated) return told(level.z <= STATE_RULES.quietUpTo ? 'quiet' : 'normal');
    if (reference.effective.length < leastHours) return untold('short_reference');
    const broad = breadth !== null && breadth > breadthAt(STATE_RULES.broadAbove);
    return told(concentrated && !broad ? 'elevated_concentrated' : 'elevated_broad');
  };
}

/** In the order of time, the newest last, at least one. That a tape is stale is for the clock to say. */
export function regimeState(sightings: readonly Sighting[], reference: HourlyReference): RegimeState {
  const judge = judgement(reference);
  let held: Told = judge(sightings[0]!);
  let cycles = 1;
  // Nobody saw the first state begin: it may end at once.
  let stay = 0;
  for (const sighting of sightings.slice(1)) {
    const wanted = judge(sighting);
    // What can no longer be told is not held on to.
    const bound = cycles < stay && wanted.state !== null && held.state !== null;
    if (wanted.state === held.state || bound) {
      cycles++;
      if (held.state === null) held = wanted;
    } else {
      held = wanted;
      cycles = 1;
      stay = STATE_RULES.stayCycles;
    }
  }
  return { ...held, cycles };
}
