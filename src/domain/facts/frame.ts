// A frame is the published result of one cycle: one row per ticker, stamped with all it was computed from.
import type { Instant } from '../../kernel/instant.js';

export const ROW_STATES = ['ranked', 'insufficient', 'unavailable', 'nano'] as const;
export type RowState = (typeof ROW_STATES)[number];

export const ANOMALY_BANDS = [
  'insufficient',
  'warming',
  'quiet',
  'normal',
  'elevated',
  'high',
  'extreme',
] as const;
export type AnomalyBand = (typeof ANOMALY_BANDS)[number];

/** Numbers are rounded to six significant digits, which a 32-bit float keeps without loss; null is "not measurable". */
export interface Row {
  readonly slot: number;
  readonly ticker: string;
  readonly rank: number | null;
  readonly state: RowState;
  readonly band: AnomalyBand;
  readonly activity: number | null;
  readonly density: number | null;
  readonly share: number | null;
  readonly velocity: number | null;
  readonly surprise: number | null;
  readonly independence: number | null;
  readonly entityPrecision: number | null;
  readonly ambiguous: boolean;
  readonly posts: number;
  readonly authors: number;
  readonly narratives: number;
  readonly denominator: Denominator;
}

export const DENOMINATOR_STATES = [
  'exact',
  'per_class_sum',
  'vendor',
  'stale',
  'floored',
  'unavailable',
] as const;
export type DenominatorState = (typeof DENOMINATOR_STATES)[number];

/** The market capitalisation behind a density, with the facts it was resolved from. */
export interface Denominator {
  readonly state: DenominatorState;
  readonly usdBillions: number | null;
  readonly shares: number | null;
  readonly sharesKnownAt: Instant | null;
  readonly sharesSource: string | null;
  readonly close: number | null;
  readonly closeDate: string | null;
}

export interface SourceSet {
  readonly version: number;
  readonly sources: readonly string[];
  readonly warming: readonly string[];
  /** Divides raw activity so that a source that joins does not lift every ticker at once. */
  readonly level: number;
}

export interface FrameHeader {
  /** The cycle boundary: the frame is a function of the facts known by this instant. */
  readonly at: Instant;
  readonly cycleSeconds: number;
  /** The last sequence in the archive when the frame was computed. */
  readonly highWater: number;
  /** The largest `knownAt` among the facts used. */
  readonly newestKnownAt: Instant | null;
  readonly postsUsed: number;
  readonly postsBackfilled: number;
  readonly rowCount: number;
  readonly sourceSet: SourceSet;
  /** SHA-256 over the header without this member and over the packed rows in slot order. */
  readonly fingerprint: string;
}

export interface Frame {
  readonly header: FrameHeader;
  /** In slot order. */
  readonly rows: readonly Row[];
}

/** A frame as it was recorded: with its own place in the archive. */
export interface RecordedHeader extends FrameHeader {
  readonly sequence: number;
  readonly knownAt: Instant;
}
