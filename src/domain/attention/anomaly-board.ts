// Reads the anomaly of every ticker per cycle: incrementally, and to the same result as from the bare history.
import type { Instant } from '../../kernel/instant.js';
import { EXTREME, HELD_STEPS, HIGH, heldLevel, levelOf, type StepReading } from './anomaly-bands.js';
import { type HourModel, HourModels, isMember, readStep } from './hour-model.js';
import { type HourlyHistory, hourOfStep, stepAt } from './hourly-history.js';
import { MEASURES } from './measure-parameters.js';
import {
  type Baseline,
  calibrated,
  calibrationFactor,
  discoveryRates,
  type Exposure,
  empiricalTail,
} from './surprise.js';

const { bands: BANDS } = MEASURES;

/** How all tickers together stand at one step: what a single ticker's band needs to know of the others. */
export interface CrossSection {
  readonly step: number;
  readonly lambda: number;
  /** Tickers whose surprises were compared. */
  readonly members: number;
  /** The smallest surprise that is a discovery among them. */
  readonly cutoff: number;
}

/** The anomaly columns of one cycle, by slot. NaN where nothing can be said. */
export interface AnomalyCycle {
  readonly step: number;
  readonly observedSince: Instant;
  readonly hoursObserved: number;
  readonly lambda: number;
  readonly surprise: Float64Array;
  readonly trend: Float64Array;
  /** The false discovery rate of the surprise among the tickers that were spoken of. */
  readonly discovery: Float64Array;
  readonly level: Uint8Array;
  /** Oldest first; the last one is that of the cycle. */
  readonly sections: readonly CrossSection[];
}

interface Comparison {
  readonly step: number;
  members: number;
  /** Surprises that could be discoveries, by slot. */
  readonly candidates: Map<number, number>;
}

interface SlotState {
  readonly revision: number;
  /** Per step: the level it has if its surprise is a discovery, and whether it was compared. */
  readonly marks: Uint8Array;
  hour: number;
  model: HourModel | null;
  reading: StepReading | null;
}

const CANDIDATE = -Math.log10(BANDS.discovery);
const RING = 32;
const MEMBER = 8;

/**
 * Between two step boundaries nothing can change, so most cycles cost nothing; a new step is one reading per ticker,
 * a new hour one model per ticker; a ticker whose past changed is read anew.
 */
export class AnomalyBoard {
  readonly #history: HourlyHistory;
  #models: HourModels;
  #observedSince: Instant = Number.NaN;
  #last = Number.NaN;
  #comparisons: Comparison[] = [];
  readonly #exposures = new Map<number, (Exposure | null)[]>();
  #slots: SlotState[] = [];
  #cycle: AnomalyCycle | null = null;

  constructor(history: HourlyHistory) {
    this.#history = history;
    this.#models = new HourModels(history, 0);
  }

  /** The columns at an instant for the first `slots` slots; the same object as long as nothing changes. */
  at(at: Instant, slots: number, observedSince: Instant): AnomalyCycle {
    this.#history.advance(at);
    const step = stepAt(at);
    const follows = step >= this.#last && step - this.#last < HELD_STEPS;
    if (!follows || observedSince !== this.#observedSince || slots < this.#slots.length)
      this.#restart(observedSince);
    const oldest = step - HELD_STEPS + 1;
    const next = Number.isNaN(this.#last) ? oldest : this.#last + 1;
    const last = this.#last;
    // Until this cycle is whole, a fault must not leave half of it behind for the next one.
    this.#last = Number.NaN;
    this.#openSteps(oldest, next, step);
    let changed = next <= step;
    for (let slot = 0; slot < slots; slot++) {
      const state = this.#slots[slot];
      const revision = this.#history.revision(slot);
      if (state?.revision === revision) {
        this.#run(slot, state, next, step);
        continue;
      }
      changed = true;
      if (state) this.#forget(slot, state, last);
      const fresh = { revision, marks: new Uint8Array(RING), hour: Number.NaN, model: null, reading: null };
      this.#slots[slot] = fresh;
      this.#run(slot, fresh, oldest, step);
    }
    this.#last = step;
    if (changed || !this.#cycle) this.#cycle = this.#close(step);
    return this.#cycle;
  }

  #restart(observedSince: Instant): void {
    this.#models = new HourModels(this.#history, observedSince);
    this.#observedSince = observedSince;
    this.#last = Number.NaN;
    this.#comparisons = [];
    this.#exposures.clear();
    this.#slots = [];
  }

  #openSteps(oldest: number, next: number, step: number): void {
    this.#comparisons = this.#comparisons.filter((comparison) => comparison.step >= oldest);
    for (let u = next; u <= step; u++) this.#comparisons.push({ step: u, members: 0, candidates: new Map() });
    for (const hour of this.#exposures.keys()) if (hour < hourOfStep(oldest)) this.#exposures.delete(hour);
    for (let hour = hourOfStep(oldest); hour <= hourOfStep(step); hour++) {
      if (!this.#exposures.has(hour)) this.#exposures.set(hour, []);
    }
  }

  #run(slot: number, state: SlotState, from: number, to: number): void {
    for (let step = from; step <= to; step++) {
      const hour = hourOfStep(step);
      if (hour !== state.hour) {
        state.model = this.#models.at(slot, hour, hour === state.hour + 1 ? state.model : null);
        state.hour = hour;
        state.reading = null;
        this.#exposures.get(hour)![slot] = state.model?.exposure ?? null;
      }
      const count = this.#history.hourBefore(slot, step);
      if (state.reading?.count !== count) state.reading = readStep(count, state.model);
      const reading = state.reading;
      const member = isMember(count, state.model);
      state.marks[step % RING] = levelOf(reading, 0) | (member ? MEMBER : 0);
      if (!member) continue;
      const comparison = this.#comparisons.at(step - to - 1)!;
      comparison.members++;
      if (reading.surprise >= CANDIDATE) comparison.candidates.set(slot, reading.surprise);
    }
  }

  /** Takes a slot out of the comparisons before it is read anew. */
  #forget(slot: number, { marks }: SlotState, last: number): void {
    for (const comparison of this.#comparisons) {
      if (comparison.step > last) break;
      if (marks[comparison.step % RING]! >= MEMBER) comparison.members--;
      comparison.candidates.delete(slot);
    }
  }

  #close(step: number): AnomalyCycle {
    const lambdas = new Map([...this.#exposures].map(([hour, exposures]) => [hour, pooled(exposures)]));
    const sections = this.#comparisons.map((comparison) => crossSection(comparison, lambdas));
    const count = this.#slots.length;
    const level = new Uint8Array(count);
    const discovery = new Float64Array(count).fill(Number.NaN);
    const members: number[] = [];
    const levels = new Uint8Array(HELD_STEPS);
    this.#slots.forEach(({ marks }, slot) => {
      for (let i = 0; i < HELD_STEPS; i++) {
        const mark = marks[sections[i]!.step % RING]!;
        const found = mark % MEMBER;
        levels[i] = found === EXTREME && !this.#isDiscovery(i, slot, sections[i]!) ? HIGH : found;
      }
      level[slot] = heldLevel(levels);
      if (marks[step % RING]! >= MEMBER) members.push(slot);
    });
    const { lambda } = sections.at(-1)!;
    const surprise = Float64Array.from(this.#slots, ({ reading }) => reading!.surprise);
    const rates = discoveryRates(
      Float64Array.from(members, (slot) => surprise[slot]!),
      lambda,
      members.length,
    );
    members.forEach((slot, i) => {
      discovery[slot] = rates[i]!;
    });
    return {
      step,
      observedSince: this.#observedSince,
      hoursObserved: this.#models.hoursObserved(hourOfStep(step)),
      lambda,
      surprise,
      trend: Float64Array.from(this.#slots, ({ reading }) => reading!.trend),
      discovery,
      level,
      sections,
    };
  }

  #isDiscovery(index: number, slot: number, { cutoff }: CrossSection): boolean {
    return (this.#comparisons[index]!.candidates.get(slot) ?? 0) >= cutoff;
  }
}

function pooled(exposures: readonly (Exposure | null)[]): number {
  const sum = { openings: 0, hours: 0 };
  for (const exposure of exposures) {
    sum.openings += exposure?.openings ?? 0;
    sum.hours += exposure?.hours ?? 0;
  }
  return calibrationFactor(sum);
}

/** Members that are no candidates cannot be discoveries, whatever their surprise: only their number counts. */
function crossSection(
  { step, members, candidates }: Comparison,
  lambdas: ReadonlyMap<number, number>,
): CrossSection {
  const lambda = lambdas.get(hourOfStep(step))!;
  const surprises = [...candidates.values()];
  let cutoff = Number.POSITIVE_INFINITY;
  discoveryRates(surprises, lambda, members).forEach((rate, i) => {
    if (rate <= BANDS.discovery) cutoff = Math.min(cutoff, surprises[i]!);
  });
  return { step, lambda, members, cutoff };
}

/** Everything behind one ticker's band at the step of a cycle. */
export interface TickerAnomaly extends StepReading {
  readonly baseline: Baseline | null;
  /** Calibrated against the pooled past of all tickers. */
  readonly probability: number;
  /** Against the ticker's own past alone. */
  readonly empirical: number;
  readonly level: number;
}

/** From the bare history: the same numbers as the cycle's columns, with what they rest on. */
export function explainAnomaly(history: HourlyHistory, slot: number, cycle: AnomalyCycle): TickerAnomaly {
  const models = new HourModels(history, cycle.observedSince);
  const modelOf = new Map<number, HourModel | null>();
  const steps = cycle.sections.map(({ step, cutoff }) => {
    const hour = hourOfStep(step);
    if (!modelOf.has(hour)) modelOf.set(hour, models.at(slot, hour, null));
    const model = modelOf.get(hour)!;
    const reading = readStep(history.hourBefore(slot, step), model);
    const discovered = isMember(reading.count, model) && reading.surprise >= cutoff;
    return { model, reading, level: levelOf(reading, discovered ? 0 : 1) };
  });
  const { model, reading } = steps.at(-1)!;
  return {
    ...reading,
    baseline: model?.baseline ?? null,
    probability: calibrated(reading.surprise, cycle.lambda),
    empirical: empiricalTail(reading.surprise, models.past(slot, hourOfStep(cycle.step))),
    level: heldLevel(steps.map(({ level }) => level)),
  };
}
