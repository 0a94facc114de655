// The archive: facts in, facts as known by an instant out. Nothing in it is ever changed.
import type { Emission, EmissionQuery, Emitted } from '../domain/facts/emission.js';
import type { Fact, FactOf, Report } from '../domain/facts/fact.js';
import type { Frame, RecordedHeader, Row } from '../domain/facts/frame.js';
import type { FactReader, Knowledge } from '../domain/facts/knowledge.js';
import type { Statement } from '../domain/facts/statement.js';
import type { Instant } from '../kernel/instant.js';
import type { LogReader, LogWriter } from './log.js';

export interface Extent {
  /** Smallest and largest `knownAt` of the facts, frames aside; null while there are none. */
  readonly firstKnownAt: Instant | null;
  readonly lastKnownAt: Instant | null;
  /** The last sequence given, to a fact or a frame; 0 while the archive is empty. */
  readonly highWater: number;
}

/** From the first slot up to, and without, the second. */
export type SlotRange = readonly [from: number, to: number];

export interface ArchiveReader extends FactReader, LogReader {
  /** Where the facts lie, without credentials; for people. */
  readonly location: string;
  extent(): Promise<Extent>;
  /** The newest posts that mention a ticker, newest first. */
  postsAbout(ticker: string, knowledge: Knowledge, limit: number): Promise<readonly FactOf<'post'>[]>;
  /** Which of these posts are in the archive already, by provider and id. */
  seenPosts(posts: readonly { provider: string; id: string }[]): Promise<readonly boolean[]>;
  /**
   * What became of each post, as known by the instant; null where nothing did. The newest change by `knownAt`, but a
   * deletion is final: whatever is reported after it, or was dated before it, cannot bring a post back.
   */
  changesOf(
    posts: readonly { readonly provider: string; readonly id: string }[],
    knownBy: Instant,
  ): Promise<readonly (FactOf<'post_change'> | null)[]>;
  cursor(connector: string): Promise<string | null>;

  /** The newest frame recorded for a boundary at or before the instant. */
  frameAt(at: Instant): Promise<RecordedHeader | null>;
  /** One ticker in the frame that was recorded for exactly this boundary. */
  rowAt(at: Instant, ticker: string): Promise<Row | null>;
  /** All rows, in slot order, of the frame that was recorded for exactly this boundary; or those in some slots only. */
  boardAt(at: Instant, within?: SlotRange): Promise<readonly Row[] | null>;
  /** Headers in the order of their boundaries; both ends are included. */
  frames(from: Instant, to: Instant): AsyncIterable<readonly RecordedHeader[]>;
  /** Signals and gate records in ascending sequence. */
  emissions(query: EmissionQuery): Promise<readonly Emitted[]>;
  /** Slots are given to tickers once, in order of appearance, and never reused. */
  slots(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export interface Batch {
  readonly facts: readonly Report[];
  /** Stored in the same transaction as the facts. */
  readonly cursor?: { readonly connector: string; readonly value: string };
}

export interface Appended {
  /** What was new, stamped, in append order. Facts already in the archive are dropped. */
  readonly facts: readonly Fact[];
  readonly duplicates: number;
  readonly highWater: number;
}

/** The one recorder's side. A second writer cannot be opened while the first one lives. */
export interface ArchiveWriter extends ArchiveReader, LogWriter {
  append(batch: Batch): Promise<Appended>;
  /** Gives slots to tickers that have none yet. */
  assignSlots(tickers: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Refuses a boundary at or before the newest recorded one: `FrameStands`.
   * Emissions are stored in the same transaction; the i-th has the frame's sequence plus 1 + i. Statements follow them
   * in the sequence and share the frame's `knownAt`.
   */
  appendFrame(
    frame: Frame,
    emissions?: readonly Emission[],
    statements?: readonly Statement[],
  ): Promise<RecordedHeader>;
}

export class FrameStands extends Error {
  readonly at: Instant;
  constructor(at: Instant) {
    super('a frame is already recorded at or after this boundary');
    this.name = 'FrameStands';
    this.at = at;
  }
}

export class RecorderBusy extends Error {
  constructor(location: string) {
    super(`another recorder writes to ${location}`);
    this.name = 'RecorderBusy';
  }
}

/** The store cannot be reached, or a writer has lost its claim; nothing was acknowledged. */
export class ArchiveUnavailable extends Error {
  constructor(location: string, cause: unknown) {
    super(`the archive at ${location} does not answer`, { cause });
    this.name = 'ArchiveUnavailable';
  }
}

/** There is no archive yet, or only one of an earlier program; the message says which. */
export class ArchiveUnready extends Error {
  constructor(location: string, found: number | null, known: number) {
    super(
      found === null
        ? `there is no archive at ${location} yet`
        : `${location} has schema version ${found}; the next start brings it to ${known}`,
    );
    this.name = 'ArchiveUnready';
  }
}

export interface ArchiveStore {
  /** Makes the archive, or brings it up to date, where that is due; `asItIs` forbids both: `ArchiveUnready` then. */
  openReader(options?: { readonly asItIs?: boolean }): Promise<ArchiveReader>;
  /** Throws `RecorderBusy` when another recorder holds the archive, unless `standby` says to wait for it. */
  openWriter(options?: { readonly standby?: AbortSignal }): Promise<ArchiveWriter>;
}
