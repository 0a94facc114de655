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
import { type Strengths, strengthsOf, support } from './narrative-strength.js';
import { NumberRows } from './number-rows.js';
import { NARRATIVE } from './parameters.js';
import { REGIME_LABELS, REGIME_START, type RegimeLabel, stepRegime } from './regime.js';
import { lastStepBy, stepOf } from './sessions.js';

// Every step has a row of measures, a row of codes and a row of sessions, each no wider than its numbers need.
const MEAN = 0;
const STRENGTH = MEAN + FAMILY_COUNT;
const ATTENTION = STRENGTH + NARRATIVE_COUNT;
const DRIVERS = ATTENTION + NARRATIVE_COUNT;
const MEASURES = DRIVERS + NARRATIVE_COUNT;

const LABEL = 0;
const CHECK = 1;
const SIGNAL = 2;
const STATE = SIGNAL + FAMILY_COUNT;
const CODES = STATE + NARRATIVE_COUNT;

const SINCE = 0;
const STATE_SINCE = 1;
const SESSIONS = STATE_SINCE + NARRATIVE_COUNT;

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
  readonly #measures = new NumberRows(Float64Array, MEASURES);
  /** Places in the lists of labels, quadrants, signals and states. */
  readonly #codes = new NumberRows(Int8Array, CODES);
  /** A century has fewer sessions than sixteen bits count. */
  readonly #sessions = new NumberRows(Int16Array, SESSIONS);
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

  /** The session on which the label in force at the instant began; -1 before the first step. */
  labelSince(at: Instant): number {
    const place = this.#place(lastStepBy(at));
    return place < 0 ? -1 : this.#sessions.at(place, SINCE);
  }

  of(session: number): PathStep | null {
    const place = this.#place(session);
    if (place < 0) return null;
    const measures = this.#measures;
    const codes = this.#codes;
    const sessions = this.#sessions;
    return {
      session,
      label: REGIME_LABELS[codes.at(place, LABEL)]!,
      labelSince: sessions.at(place, SINCE),
      check: QUADRANTS[codes.at(place, CHECK)]!,
      familyMean: (family) => measures.at(place, MEAN + family),
      signal: (family) => GAUGE_SIGNALS[codes.at(place, SIGNAL + family)]!,
      strength: (narrative) => measures.at(place, STRENGTH + narrative),
      attention: (narrative) => measures.at(place, ATTENTION + narrative),
      drivers: (narrative) => measures.at(place, DRIVERS + narrative),
      state: (narrative) => NARRATIVE_STATES[codes.at(place, STATE + narrative)]!,
      stateSince: (narrative) => sessions.at(place, STATE_SINCE + narrative),
    };
  }

  /** Strength of a narrative on a session, NaN where there is none. */
  strengthOf(session: number, narrative: number): number {
    const place = this.#place(session);
    return place < 0 ? Number.NaN : this.#measures.at(place, STRENGTH + narrative);
  }

  /** The row of a session; -1 where there is none. */
  #place(session: number): number {
    const place = session - this.#first;
    return this.#first >= 0 && place < this.#count ? Math.max(-1, place) : -1;
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
    for (const rows of [this.#measures, this.#codes, this.#sessions]) rows.reach(this.#count);
    const conditions = conditionsAt(this.#timelines, at);
    this.#stepRegime(session, conditions);
    this.#stepFamilies(conditions);
    this.#stepNarratives(session, strengthsOf(conditions, this.#attention.at(at)));
    this.#count += 1;
  }

  #stepRegime(session: number, { familyMeans }: Conditions): void {
    const row = this.#count;
    const axes = axesOf(familyMeans);
    const regime = stepRegime(this.#regime, axes);
    const begins = row === 0 || regime.label !== this.#regime.label;
    this.#regime = regime;
    this.#jump = stepJump(this.#jump, axes);
    this.#codes.set(row, LABEL, REGIME_LABELS.indexOf(regime.label));
    this.#codes.set(row, CHECK, QUADRANTS.indexOf(cheapestQuadrant(this.#jump)));
    this.#sessions.set(row, SINCE, begins ? session : this.#sessions.at(row - 1, SINCE));
  }

  #stepFamilies({ familyMeans }: Conditions): void {
    const row = this.#count;
    for (let f = 0; f < FAMILY_COUNT; f += 1) {
      const mean = familyMeans[f]!;
      const before = row === 0 ? 'neutral' : GAUGE_SIGNALS[this.#codes.at(row - 1, SIGNAL + f)]!;
      const signal = Number.isNaN(mean) ? 'unavailable' : signalAfter(before, gaugeValue(mean), mean);
      this.#measures.set(row, MEAN + f, mean);
      this.#codes.set(row, SIGNAL + f, GAUGE_SIGNALS.indexOf(signal));
    }
  }

  #stepNarratives(session: number, { z, attention, drivers }: Strengths): void {
    const row = this.#count;
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
              drivers: Number.isNaN(drivers[n]!) ? null : support(n, drivers[n]!),
              isTop: z[n]! >= bar,
            },
      );
      this.#narratives[n] = after;
      const began = row === 0 || after.state !== before.state;
      this.#measures.set(row, STRENGTH + n, z[n]!);
      this.#measures.set(row, ATTENTION + n, attention[n]!);
      this.#measures.set(row, DRIVERS + n, drivers[n]!);
      this.#codes.set(row, STATE + n, NARRATIVE_STATES.indexOf(after.state));
      this.#sessions.set(row, STATE_SINCE + n, began ? session : this.#sessions.at(row - 1, STATE_SINCE + n));
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
