// The level and the state of attention for the newest frame: few boards are read, each once, and the result is kept.
import { setImmediate } from 'node:timers/promises';
import { type AttentionLevel, LEVEL, levelOf, sameSlots } from '../domain/attention/attention-level.js';
import {
  type HourlyReference,
  type RegimeState,
  regimeState,
  type Sighting,
  STATE_RULES,
} from '../domain/attention/attention-regime.js';
import { type FrameMoment, momentOf } from '../domain/attention/frame-moment.js';
import { turnoverOf } from '../domain/attention/tape-health.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { HOUR, SECOND } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Board } from './whole-board.js';

export interface TapeState {
  readonly now: FrameMoment;
  /** Null when there is no frame of that time. */
  readonly hourAgo: FrameMoment | null;
  readonly level: AttentionLevel;
  readonly regime: RegimeState;
}

const TURNOVER_RANKS = 25;
/** More than one answer looks at; a new frame needs one or two that are not among them. */
const KEPT_MOMENTS = 256;

const present = <Value>(value: Value | null): Value[] => (value === null ? [] : [value]);

export class TapeStates {
  readonly #archive: ArchiveReader;
  readonly #moments = new Map<Instant, FrameMoment>();
  #kept: { readonly at: Instant; readonly state: Promise<TapeState> } | null = null;

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  /** `before`: headers of frames before the newest one, in the order of time. */
  of(board: Board, before: readonly RecordedHeader[]): Promise<TapeState> {
    const { at } = board.header;
    if (this.#kept?.at === at) return this.#kept.state;
    const state = this.#measure(board, before);
    this.#kept = { at, state };
    // A failed reading is forgotten, so that the next question tries again.
    state.catch(() => {
      if (this.#kept?.state === state) this.#kept = null;
    });
    return state;
  }

  async #measure({ header, rows }: Board, before: readonly RecordedHeader[]): Promise<TapeState> {
    const { at } = header;
    const now = this.#keep(momentOf(at, rows));
    const sightings: Sighting[] = [];
    for (const earlier of before.filter((one) => one.at < at).slice(1 - STATE_RULES.walk))
      sightings.push(...present(await this.#sighting(await this.#moment(earlier.at))));
    const newest = (await this.#sighting(now))!;
    const regime = regimeState([...sightings, newest], await this.#hours(at));
    return { now, hourAgo: await this.#newest(at - HOUR), level: newest.level, regime };
  }

  async #sighting(moment: FrameMoment | null): Promise<Sighting | null> {
    if (moment === null) return null;
    const past: number[] = [];
    for (const slot of sameSlots(moment.at))
      past.push(...present(await this.#newest(slot, LEVEL.slot)).map(({ activity }) => activity));
    const { effective, breadth } = moment;
    const turnover = turnoverBetween(moment, await this.#newest(moment.at - HOUR));
    return { level: levelOf(moment.activity, past), effective, breadth, turnover };
  }

  /** The full hours before the instant. */
  async #hours(at: Instant): Promise<HourlyReference> {
    const hours: (FrameMoment | null)[] = [];
    const last = Math.ceil(at / HOUR) * HOUR;
    for (let i = STATE_RULES.hours + 1; i > 0; i--) hours.push(await this.#newest(last - i * HOUR));
    const compared = hours.slice(1);
    return {
      effective: compared.flatMap((hour) => present(hour?.effective ?? null)),
      breadth: compared.flatMap((hour) => present(hour?.breadth ?? null)),
      turnover: compared.flatMap((hour, i) => present(hour && turnoverBetween(hour, hours[i]!))),
    };
  }

  /** The newest frame up to the instant, unless it is too old to speak for it. */
  async #newest(instant: Instant, span?: number): Promise<FrameMoment | null> {
    const header = await this.#archive.frameAt(instant);
    if (header === null || instant - header.at > (span ?? 2 * header.cycleSeconds * SECOND)) return null;
    return this.#moment(header.at);
  }

  async #moment(at: Instant): Promise<FrameMoment | null> {
    const kept = this.#moments.get(at);
    if (kept) return kept;
    // The first answer of a process reads dozens of boards; others must not wait for all of them.
    await setImmediate();
    const rows = await this.#archive.boardAt(at);
    return rows === null ? null : this.#keep(momentOf(at, rows));
  }

  #keep(moment: FrameMoment): FrameMoment {
    this.#moments.set(moment.at, moment);
    if (this.#moments.size > KEPT_MOMENTS) this.#moments.delete(this.#moments.keys().next().value!);
    return moment;
  }
}

function turnoverBetween(now: FrameMoment, then: FrameMoment | null): number | null {
  if (then === null) return null;
  return turnoverOf(now.first.slice(0, TURNOVER_RANKS), then.first.slice(0, TURNOVER_RANKS)).share;
}
