// The decisions that depend on the days before them, taken once a business day and kept for every day.
import type { Instant } from '../../kernel/instant.js';
import type { AttentionShares } from './attention-shares.js';
import { axesOf, QUADRANTS, type Quadrant } from './axes.js';
import { FAMILY_COUNT } from './catalogue/families.js';
import { NARRATIVE_COUNT } from './catalogue/narratives.js';
import { type Conditions, conditionsAt } from './conditions.js';
import { GAUGE_SIGNALS, type GaugeSignal, gaugeValue, signalAfter } from './gauges.js';
import type { IndexTimeline } from './index-timeline.js';
import { cheapestQuadrant, JUMP_START, stepJump } from './jump-check.js';
import {
  NARRATIVE_START,
  NARRATIVE_STATES,
  type NarrativeMachine,
  type NarrativeState,
  stepNarrative,
} from './narrative-machine.js';
import { type Strengths, strengthsOf } from './narrative-strength.js';
import { NARRATIVE } from './parameters.js';
import { REGIME_LABELS, REGIME_START, type RegimeLabel, stepRegime } from './regime.js';
import { lastStepBy, stepOf } from './sessions.js';

// One row of numbers per step: label, when it began, the cross-check, then the families, then the narratives.
const LABEL = 0;
const SINCE = 1;
const CHECK = 2;
const MEAN = 3;
const SIGNAL = MEAN + FAMILY_COUNT;
const STRENGTH = SIGNAL + FAMILY_COUNT;
const ATTENTION = STRENGTH + NARRATIVE_COUNT;
const DRIVERS = ATTENTION + NARRATIVE_COUNT;
const STATE = DRIVERS + NARRATIVE_COUNT;
const STATE_SINCE = STATE + NARRATIVE_COUNT;
const WIDTH = STATE_SINCE + NARRATIVE_COUNT;

/** One step of the path. Sessions are places in the calendar of business days. */
export interface PathStep {
  readonly session: number;
  readonly label: RegimeLabel;
  /** The session on which the label began. */
  readonly labelSince: number;
  readonly check: Quadrant;
  familyMean(family: number): number;
  signal(family: number): GaugeSignal;
  strength(narrative: number): number;
  attention(narrative: number): number;
  drivers(narrative: number): number;
  state(narrative: number): NarrativeState;
  stateSince(narrative: number): number;
}

export class DailyPath {
  readonly #timelines: readonly (readonly IndexTimeline[])[];
  readonly #attention: AttentionShares;
  #rows = new Float64Array(WIDTH * 256);
  #first = -1;
  #count = 0;
  #regime = REGIME_START;
  #jump = JUMP_START;
  #narratives: NarrativeMachine[] = fresh();

  constructor(timelines: readonly (readonly IndexTimeline[])[], attention: AttentionShares) {
    this.#timelines = timelines;
    this.#attention = attention;
  }

  /** The instant of the newest step taken; facts known by then must not arrive any more, or the path starts over. */
  get lastStepAt(): Instant {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : stepOf(this.#first + this.#count - 1);
  }

  /** The session of the first step; -1 while there is none. */
  get firstSession(): number {
    return this.#first;
  }

  restart(): void {
    this.#first = -1;
    this.#count = 0;
    this.#regime = REGIME_START;
    this.#jump = JUMP_START;
    this.#narratives = fresh();
  }

  /** Takes every step up to the instant. */
  extend(at: Instant): void {
    const last = lastStepBy(at);
    if (this.#first < 0) {
      const begins = this.#begins();
      if (begins === null || begins > at) return;
      this.#first = lastStepBy(begins - 1) + 1;
    }
    while (this.#first + this.#count <= last) this.#step(this.#first + this.#count);
  }

  /** The newest step at or before the instant, or null. The path must have been extended that far. */
  at(at: Instant): PathStep | null {
    return this.of(lastStepBy(at));
  }

  of(session: number): PathStep | null {
    const place = session - this.#first;
    if (this.#first < 0 || place < 0 || place >= this.#count) return null;
    const rows = this.#rows;
    const base = place * WIDTH;
    return {
      session,
      label: REGIME_LABELS[rows[base + LABEL]!]!,
      labelSince: rows[base + SINCE]!,
      check: QUADRANTS[rows[base + CHECK]!]!,
      familyMean: (family) => rows[base + MEAN + family]!,
      signal: (family) => GAUGE_SIGNALS[rows[base + SIGNAL + family]!]!,
      strength: (narrative) => rows[base + STRENGTH + narrative]!,
      attention: (narrative) => rows[base + ATTENTION + narrative]!,
      drivers: (narrative) => rows[base + DRIVERS + narrative]!,
      state: (narrative) => NARRATIVE_STATES[rows[base + STATE + narrative]!]!,
      stateSince: (narrative) => rows[base + STATE_SINCE + narrative]!,
    };
  }

  /** Strength of a narrative on a session, NaN where there is none. */
  strengthOf(session: number, narrative: number): number {
    const place = session - this.#first;
    if (place < 0 || place >= this.#count) return Number.NaN;
    return this.#rows[place * WIDTH + STRENGTH + narrative]!;
  }

  /** Changes of every narrative's strength from each session of the list to the next, NaN where one is unknown. */
  strengthChanges(sessions: readonly number[]): Float64Array[] {
    const changes = Array.from({ length: NARRATIVE_COUNT }, () => new Float64Array(sessions.length - 1));
    for (let i = 1; i < sessions.length; i += 1) {
      for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
        changes[n]![i - 1] = this.strengthOf(sessions[i]!, n) - this.strengthOf(sessions[i - 1]!, n);
      }
    }
    return changes;
  }

  #begins(): Instant | null {
    let first = Number.POSITIVE_INFINITY;
    for (const of of this.#timelines) {
      for (const timeline of of)
        if (timeline.knownAt.length > 0) first = Math.min(first, timeline.knownAt.at(0));
    }
    return Number.isFinite(first) ? first : null;
  }

  #step(session: number): void {
    const at = stepOf(session);
    const base = this.#count * WIDTH;
    if (base + WIDTH > this.#rows.length) {
      const wider = new Float64Array(WIDTH * Math.ceil((this.#rows.length / WIDTH) * 1.25));
      wider.set(this.#rows);
      this.#rows = wider;
    }
    const conditions = conditionsAt(this.#timelines, at);
    this.#stepRegime(session, base, conditions);
    this.#stepFamilies(base, conditions);
    this.#stepNarratives(session, base, strengthsOf(conditions, this.#attention.at(at)));
    this.#count += 1;
  }

  #stepRegime(session: number, base: number, { familyMeans }: Conditions): void {
    const rows = this.#rows;
    const axes = axesOf(familyMeans);
    const regime = stepRegime(this.#regime, axes);
    const begins = this.#count === 0 || regime.label !== this.#regime.label;
    this.#regime = regime;
    this.#jump = stepJump(this.#jump, axes);
    rows[base + LABEL] = REGIME_LABELS.indexOf(regime.label);
    rows[base + SINCE] = begins ? session : rows[base - WIDTH + SINCE]!;
    rows[base + CHECK] = QUADRANTS.indexOf(cheapestQuadrant(this.#jump));
  }

  #stepFamilies(base: number, { familyMeans }: Conditions): void {
    const rows = this.#rows;
    for (let f = 0; f < FAMILY_COUNT; f += 1) {
      const mean = familyMeans[f]!;
      const before = this.#count === 0 ? 'neutral' : GAUGE_SIGNALS[rows[base - WIDTH + SIGNAL + f]!]!;
      const signal = Number.isNaN(mean) ? 'unavailable' : signalAfter(before, gaugeValue(mean), mean);
      rows[base + MEAN + f] = mean;
      rows[base + SIGNAL + f] = GAUGE_SIGNALS.indexOf(signal);
    }
  }

  #stepNarratives(session: number, base: number, { z, attention, drivers }: Strengths): void {
    const rows = this.#rows;
    const bar = topBar(z);
    for (let n = 0; n < NARRATIVE_COUNT; n += 1) {
      const before = this.#narratives[n]!;
      const earlier = this.strengthOf(session - NARRATIVE.momentumSteps, n);
      const after = stepNarrative(
        before,
        Number.isNaN(z[n]!)
          ? null
          : {
              z: z[n]!,
              momentum: Number.isNaN(earlier) ? 0 : z[n]! - earlier,
              attention: Number.isNaN(attention[n]!) ? null : attention[n]!,
              drivers: Number.isNaN(drivers[n]!) ? null : drivers[n]!,
              isTop: z[n]! >= bar,
            },
      );
      this.#narratives[n] = after;
      const began = this.#count === 0 || after.state !== before.state;
      rows[base + STRENGTH + n] = z[n]!;
      rows[base + ATTENTION + n] = attention[n]!;
      rows[base + DRIVERS + n] = drivers[n]!;
      rows[base + STATE + n] = NARRATIVE_STATES.indexOf(after.state);
      rows[base + STATE_SINCE + n] = began ? session : rows[base - WIDTH + STATE_SINCE + n]!;
    }
  }
}

function fresh(): NarrativeMachine[] {
  return Array.from({ length: NARRATIVE_COUNT }, () => NARRATIVE_START);
}

/** The strength from which a narrative is among the strongest few. */
function topBar(z: Float64Array): number {
  const sorted = Float64Array.from(z.filter((value) => !Number.isNaN(value))).sort();
  return sorted[sorted.length - NARRATIVE.topRank] ?? Number.POSITIVE_INFINITY;
}
