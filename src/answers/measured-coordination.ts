// Measures the coordination of a ticker for the frame that answers, once per ticker and frame.
import { type Cascade, fitCascade } from '../domain/attention/cascade.js';
import { type CoordinationReading, measureCoordination } from '../domain/attention/coordination.js';
import { MEASURES } from '../domain/attention/measure-parameters.js';
import type { CoordinationPost } from '../domain/attention/voices.js';
import type { FactOf } from '../domain/facts/fact.js';
import type { FrameHeader } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { DAY } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import { recordedIndexes } from './gate.js';

export interface MeasuredCoordination {
  readonly reading: CoordinationReading;
  readonly cascade: Cascade | null;
  /** Where the index stands among its recorded values, 0 to 100. */
  readonly percentile: number | null;
  readonly newestKnownAt: Instant | null;
  /** More posts than are looked at: the measurement is of the newest. */
  readonly cut: boolean;
}

const MOST_POSTS = 10_000;
/** The fit visits its posts more than a thousand times. */
const MOST_IN_CASCADE = 1_500;
const KEPT = 256;
const BASELINE = 90 * DAY;
const BASELINE_RECORDS = 90 * 24;
const FEWEST_RECORDS = 24;

export class CoordinationMeasurements {
  readonly #archive: ArchiveReader;
  readonly #kept = new Map<string, Promise<MeasuredCoordination>>();

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  of(ticker: string, header: FrameHeader): Promise<MeasuredCoordination> {
    const key = `${ticker} ${header.fingerprint}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const measured = this.#measure(ticker, header);
    this.#kept.set(key, measured);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    measured.catch(() => this.#kept.delete(key));
    return measured;
  }

  async #measure(ticker: string, { at, highWater, sourceSet }: FrameHeader): Promise<MeasuredCoordination> {
    const { window } = MEASURES.coordination;
    const [found, indexes] = await Promise.all([
      this.#archive.postsAbout(
        ticker,
        { knownBy: at, after: at - window, upToSequence: highWater },
        MOST_POSTS,
      ),
      recordedIndexes(this.#archive, ticker, { from: at - BASELINE, to: at }, BASELINE_RECORDS),
    ]);
    const posts = found.filter(({ source }) => sourceSet.sources.includes(source));
    const reading = measureCoordination(posts.map(asVoice), at);
    const times = posts.map(({ effectiveAt }) => effectiveAt).filter((time) => time > at - window);
    const latest = times.toSorted((a, b) => b - a).slice(0, MOST_IN_CASCADE);
    const from = times.length > latest.length ? latest.at(-1)! : at - window;
    return {
      reading,
      cascade: reading.measurement ? fitCascade(latest, from, at) : null,
      percentile: reading.measurement ? percentileOf(reading.measurement.index, indexes) : null,
      newestKnownAt: posts[0]?.knownAt ?? null,
      cut: found.length === MOST_POSTS,
    };
  }
}

function asVoice({ knownAt, effectiveAt, source, body }: FactOf<'post'>): CoordinationPost {
  const { author, narrative, objects, authorCreatedAt, mentions } = body;
  return {
    knownAt,
    createdAt: effectiveAt,
    author,
    narrative,
    objects,
    authorCreatedAt,
    source,
    tickers: mentions.length,
  };
}

function percentileOf(index: number, recorded: readonly number[]): number | null {
  if (recorded.length < FEWEST_RECORDS) return null;
  const atMost = recorded.filter((value) => value <= index).length;
  return Number(((100 * atMost) / recorded.length).toFixed(1));
}
