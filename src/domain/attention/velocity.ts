// How fast attention moves: doublings of the last hours over what this clock hour usually brings.

import { roundSignificant } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { firstFullHour, type HourlyHistory, hourOfStep, stepAt } from './hourly-history.js';
import { MEASURES } from './measure-parameters.js';

const { halfLife, days: DAYS, minDays, offset } = MEASURES.velocity;
const { step: STEP, stepsPerHour, stepsBehind } = MEASURES.history;

/** Weights of the steps, oldest first, that turn counts into an hourly rate; a constant rate gives itself. */
const WEIGHTS = ((): Float64Array => {
  const raw = Float64Array.from(
    { length: stepsBehind },
    (_, i) => 2 ** (-((stepsBehind - 1 - i) * STEP) / halfLife),
  );
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return raw.map((weight) => (weight * stepsPerHour) / sum);
})();

/** The recent hourly rate: newer steps weigh more, half as much per hour back. */
export function recentRate(history: HourlyHistory, slot: number, step: number, scratch: Uint32Array): number {
  const counts = history.steps(slot, step, scratch);
  let rate = 0;
  for (let i = 0; i < counts.length; i++) rate += counts[i]! * WEIGHTS[i]!;
  // An ordinary hour is a velocity of zero, not of some last bits.
  return roundSignificant(rate, 12);
}

/** The median of a clock hour over the last days; null while too few of them were observed. */
export function usualRate(
  history: HourlyHistory,
  slot: number,
  hour: number,
  firstHour: number,
): number | null {
  const counts: number[] = [];
  for (let day = 1; day <= DAYS; day++) {
    const then = hour - 24 * day;
    if (then >= firstHour) counts.push(history.sumOfHours(slot, then, then + 1));
  }
  return counts.length < minDays ? null : median(counts);
}

/** Doublings per usual hour; zero is an ordinary hour. */
export function doublings(recent: number, usual: number): number {
  return roundSignificant(Math.log2((recent + offset) / (usual + offset)), 6);
}

/** The clock hour that the newest complete step belongs to. */
function clockHour(step: number): number {
  return hourOfStep(step - 1);
}

const SCRATCH_LENGTH = stepsBehind;

/** One ticker from the bare history. */
export function velocityAt(
  history: HourlyHistory,
  slot: number,
  at: Instant,
  observedSince: Instant,
): number | null {
  history.advance(at);
  const step = stepAt(at);
  const usual = usualRate(history, slot, clockHour(step), firstFullHour(observedSince));
  if (usual === null) return null;
  return doublings(recentRate(history, slot, step, new Uint32Array(SCRATCH_LENGTH)), usual);
}

/** All tickers per cycle: usual rates are kept for a clock hour, velocities for a step. */
export class VelocityBoard {
  readonly #history: HourlyHistory;
  readonly #scratch = new Uint32Array(SCRATCH_LENGTH);
  #usual: (number | null)[] = [];
  #revisions: number[] = [];
  #hour = Number.NaN;
  #step = Number.NaN;
  #observedSince: Instant = Number.NaN;
  #velocities = new Float64Array(0);

  constructor(history: HourlyHistory) {
    this.#history = history;
  }

  /** By slot; NaN where nothing can be said. The same array as long as nothing changes. */
  at(at: Instant, slots: number, observedSince: Instant): Float64Array {
    this.#history.advance(at);
    const step = stepAt(at);
    const hour = clockHour(step);
    if (hour !== this.#hour || observedSince !== this.#observedSince) this.#revisions = [];
    const sameStep = step === this.#step && slots === this.#velocities.length;
    let result = sameStep ? this.#velocities : new Float64Array(slots);
    for (let slot = 0; slot < slots; slot++) {
      const revision = this.#history.revision(slot);
      const known = this.#revisions[slot] === revision;
      if (known && sameStep) continue;
      if (!known) this.#usual[slot] = usualRate(this.#history, slot, hour, firstFullHour(observedSince));
      this.#revisions[slot] = revision;
      const usual = this.#usual[slot]!;
      if (result === this.#velocities) result = result.slice();
      result[slot] =
        usual === null ? Number.NaN : doublings(recentRate(this.#history, slot, step, this.#scratch), usual);
    }
    this.#hour = hour;
    this.#step = step;
    this.#observedSince = observedSince;
    this.#velocities = result;
    return result;
  }
}
