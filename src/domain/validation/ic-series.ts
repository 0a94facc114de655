// One information coefficient per session and hypothesis, from sections of the tape and the returns that followed.
import type { Instant } from '../../kernel/instant.js';
import { type Mood, moodOf } from './attention-mood.js';
import { type Coefficient, CrossSection, type Ordered, ordered } from './cross-section.js';
import type { BucketSeries } from './decay.js';
import { type Closes, LOSSES, type Loss } from './forward-returns.js';
import { HORIZONS, TARGETS, type Target } from './hypotheses.js';
import type { Section } from './panel.js';
import { VALIDATION } from './parameters.js';
import { type Persistence, SignalPersistence } from './signal-persistence.js';
import { TAPE_SIGNALS } from './tape-signals.js';

/** The daily coefficients of one hypothesis, in the order of time; days without one are left out. */
export interface IcSeries {
  readonly dates: string[];
  readonly at: Instant[];
  readonly observed: boolean[];
  readonly raw: number[];
  readonly neutral: number[];
  readonly names: number[];
  /** Null where no name had a band. */
  readonly moods: (Mood | null)[];
  /** Highest minus lowest fifth; days on which ties leave one of them empty are left out. */
  readonly spreads: number[];
  /** Means of the five fifths on these days, summed. */
  readonly fifths: Float64Array;
  /** Matured sections, with or without a coefficient. */
  matured: number;
  /** Sections that are not ripe yet. */
  immature: number;
  /** Names that had the signal, and why some of them have no return. */
  eligible: number;
  readonly lost: Record<Loss, number>;
}

const emptySeries = (): IcSeries => ({
  dates: [],
  at: [],
  observed: [],
  raw: [],
  neutral: [],
  names: [],
  moods: [],
  spreads: [],
  fifths: new Float64Array(5),
  matured: 0,
  immature: 0,
  eligible: 0,
  lost: { entry_unknown: 0, exit_unknown: 0, identity_gap: 0 },
});

export const seriesKey = (signal: string, horizon: number, target: Target): string =>
  `${signal}/${horizon}d/${target}`;

export interface IcGround {
  readonly closes: Closes;
  /** By place. */
  readonly sector: Uint16Array;
  /** What matures later than this is not known. */
  readonly asOf: Instant;
  readonly horizons?: readonly number[];
}

/** Collects sections in the order of time. */
export class IcLedger {
  readonly #ground: IcGround;
  readonly #cross: CrossSection;
  readonly #series = new Map<string, IcSeries>();
  readonly #horizons: readonly number[];
  readonly #persistence: readonly SignalPersistence[];
  /** By the key of the series that ends where the bucket ends; the first bucket is the shortest series itself. */
  readonly #later = new Map<string, number[]>();
  #lastAt: Instant = Number.NEGATIVE_INFINITY;
  #sections = 0;
  #names = 0;

  constructor(ground: IcGround) {
    this.#ground = ground;
    this.#horizons = ground.horizons ?? HORIZONS;
    this.#cross = new CrossSection(ground.sector);
    this.#persistence = TAPE_SIGNALS.map(() => new SignalPersistence(ground.sector.length));
    for (const { id } of TAPE_SIGNALS)
      for (const horizon of this.#horizons)
        for (const target of TARGETS) {
          this.#series.set(seriesKey(id, horizon, target), emptySeries());
          this.#later.set(seriesKey(id, horizon, target), []);
        }
  }

  get sections(): number {
    return this.#sections;
  }

  /** Names of the universe, summed over the sections. */
  get universe(): number {
    return this.#names;
  }

  series(signal: string, horizon: number, target: Target): IcSeries {
    return this.#series.get(seriesKey(signal, horizon, target))!;
  }

  persistence(signal: string): Persistence {
    return this.#persistence[TAPE_SIGNALS.findIndex(({ id }) => id === signal)]!.result;
  }

  /** Coefficients of the returns from one horizon to the next. */
  buckets(signal: string, target: Target): BucketSeries[] {
    return this.#horizons.map((to, i) => ({
      from: this.#horizons[i - 1] ?? 0,
      to,
      values:
        i === 0 ? this.series(signal, to, target).neutral : this.#later.get(seriesKey(signal, to, target))!,
    }));
  }

  /** Yields between pieces of work, so that whoever runs it can let others go first. */
  *take(section: Section): Generator<void> {
    if (section.at <= this.#lastAt) throw new RangeError('sections must come in strictly increasing time');
    this.#lastAt = section.at;
    this.#sections++;
    this.#names += section.names;
    const signals = section.signals.map(ordered);
    const size = ordered(section.logCap);
    const entry = this.#ground.closes.firstAfter(section.decidedAt);
    if (entry !== null)
      for (const [k, persistence] of this.#persistence.entries()) persistence.take(entry, signals[k]!);
    const mood = moodOf(section);
    for (const [i, horizon] of this.#horizons.entries()) {
      const ripeAt = entry === null ? null : this.#ground.closes.maturesAt(entry, horizon);
      if (entry === null || ripeAt === null || ripeAt > this.#ground.asOf) this.#wait(horizon);
      else {
        this.#ripe(section, mood, signals, size, horizon, entry);
        if (i > 0) this.#fade(signals, size, this.#horizons[i - 1]!, horizon, entry);
      }
      yield;
    }
  }

  #wait(horizon: number): void {
    for (const { id } of TAPE_SIGNALS)
      for (const target of TARGETS) this.series(id, horizon, target).immature++;
  }

  #ripe(
    section: Section,
    mood: Mood | null,
    signals: readonly Ordered[],
    size: Ordered,
    horizon: number,
    entry: number,
  ): void {
    const { returns, losses } = this.#ground.closes.forward(entry, horizon);
    const targets = [ordered(returns), ordered(returns.map(Math.abs))];
    signals.forEach((signal, k) => {
      const { id } = TAPE_SIGNALS[k]!;
      const found = this.#cross.correlate(signal, targets, size, { withFifths: true });
      TARGETS.forEach((target, j) => {
        const series = this.series(id, horizon, target);
        series.matured++;
        count(series, signal, losses);
        add(series, section, mood, found[j]!);
      });
    });
  }

  #fade(signals: readonly Ordered[], size: Ordered, from: number, to: number, entry: number): void {
    const { returns } = this.#ground.closes.forward(entry + from, to - from);
    const targets = [ordered(returns), ordered(returns.map(Math.abs))];
    signals.forEach((signal, k) => {
      const found = this.#cross.neutral(signal, targets, size, VALIDATION.minNames);
      TARGETS.forEach((target, j) => {
        if (Number.isNaN(found[j])) return;
        this.#later.get(seriesKey(TAPE_SIGNALS[k]!.id, to, target))!.push(found[j]!);
      });
    });
  }
}

function count(series: IcSeries, { order }: Ordered, losses: Uint8Array): void {
  series.eligible += order.length;
  for (const place of order) {
    const lost = losses[place]!;
    if (lost > 0) series.lost[LOSSES[lost - 1]!]++;
  }
}

function add(
  series: IcSeries,
  section: Section,
  mood: Mood | null,
  { neutralNames, raw, neutral, fifths }: Coefficient,
): void {
  if (neutralNames < VALIDATION.minNames || Number.isNaN(raw) || Number.isNaN(neutral)) return;
  series.dates.push(section.date);
  series.at.push(section.at);
  series.observed.push(section.observed);
  series.raw.push(raw);
  series.neutral.push(neutral);
  series.names.push(neutralNames);
  series.moods.push(mood);
  if (fifths.some(Number.isNaN)) return;
  series.spreads.push(fifths[4]! - fifths[0]!);
  fifths.forEach((value, k) => {
    series.fifths[k]! += value;
  });
}
