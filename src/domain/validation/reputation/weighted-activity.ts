// Activity per ticker with every voice counted alike, and with voices weighed by reputation; and what each foretold.
import { seededRandom } from '../../../kernel/statistics/seeded-random.js';
import { CrossSection, type Ordered, ordered } from '../cross-section.js';
import type { Closes } from '../forward-returns.js';
import type { Section } from '../panel.js';
import { REPUTATION, VALIDATION } from '../parameters.js';

/** A grid point without its signals: all that the study of voices needs of it. */
export type GridPoint = Pick<Section, 'date' | 'at' | 'decidedAt' | 'logCap'>;

/** The posts of one day as columns: who spoke of what, and how much of the post was about it. */
export interface Voices {
  readonly author: Uint32Array;
  readonly place: Uint32Array;
  readonly share: Float64Array;
}

/** One matured grid point with the scores that were known before its week began. */
export interface Day {
  readonly date: string;
  readonly voices: Voices;
  readonly scores: Float64Array;
  readonly targets: readonly Ordered[];
  readonly size: Ordered;
}

/** Relative to the mean score, cut above; who has no score yet weighs nothing. */
export const weightOf = (scores: Float64Array, author: number): number =>
  author < scores.length ? Math.min(REPUTATION.largestWeight, scores[author]! * scores.length) : 0;

/** Activity by place; NaN where nobody spoke, so that both forms are about the same names. */
export function activityOf(
  { author, place, share }: Voices,
  width: number,
  weight: (author: number) => number,
): Float64Array {
  const activity = new Float64Array(width).fill(Number.NaN);
  for (let i = 0; i < author.length; i++) {
    const at = place[i]!;
    const added = share[i]! * weight(author[i]!);
    activity[at] = Number.isNaN(activity[at]) ? added : activity[at]! + added;
  }
  return activity;
}

export class VoiceStudy {
  readonly #closes: Closes;
  readonly #cross: CrossSection;
  readonly #width: number;

  constructor(closes: Closes, sector: Uint16Array) {
    this.#closes = closes;
    this.#cross = new CrossSection(sector);
    this.#width = sector.length;
  }

  /** Null when the return of the next session is not known by the instant. */
  day(point: GridPoint, voices: Voices, scores: Float64Array, asOf: number): Day | null {
    const entry = this.#closes.firstAfter(point.decidedAt);
    const ripeAt = entry === null ? null : this.#closes.maturesAt(entry, 1);
    if (entry === null || ripeAt === null || ripeAt > asOf) return null;
    const { returns } = this.#closes.forward(entry, 1);
    const targets = [ordered(returns), ordered(returns.map(Math.abs))];
    return { date: point.date, voices, scores, targets, size: ordered(point.logCap) };
  }

  /** Neutral coefficients by target; NaN where there are too few names. */
  coefficients(day: Day, weight: (author: number) => number): number[] {
    const signal = ordered(activityOf(day.voices, this.#width, weight));
    return this.#cross
      .correlate(signal, day.targets, day.size)
      .map(({ neutral, neutralNames }) => (neutralNames < VALIDATION.minNames ? Number.NaN : neutral));
  }

  /**
   * How often shuffled reputations do as well as the real ones, by target. Scores are shuffled among all authors of
   * their week. Yields between draws.
   */
  *permutation(days: readonly Day[], found: readonly number[], seed: string): Generator<void, number[]> {
    const random = seededRandom(seed);
    const asGood = found.map(() => 0);
    for (let draw = 0; draw < REPUTATION.permutations; draw++) {
      const shuffled = new Map<Float64Array, Float64Array>();
      const sums = found.map(() => 0);
      for (const day of days) {
        const scores = shuffled.get(day.scores) ?? shuffledCopy(day.scores, (n) => random.integer(0, n));
        shuffled.set(day.scores, scores);
        this.coefficients(day, (author) => weightOf(scores, author)).forEach((value, j) => {
          sums[j]! += Number.isNaN(value) ? 0 : value;
        });
      }
      sums.forEach((sum, j) => {
        if (Math.abs(sum / days.length) >= Math.abs(found[j]!)) asGood[j]! += 1;
      });
      yield;
    }
    // One added above and below: so many draws never prove a zero.
    return asGood.map((count) => (1 + count) / (1 + REPUTATION.permutations));
  }
}

function shuffledCopy(values: Float64Array, upTo: (most: number) => number): Float64Array {
  const copy = values.slice();
  for (let i = copy.length - 1; i > 0; i--) {
    const j = upTo(i);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
