// The published macro picture of one instant; every number in it is rounded once, then fingerprinted.

import { fingerprint, roundSignificant } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import type { Wind } from './asset-score.js';
import type { Axes, Quadrant } from './axes.js';
import type { Licence } from './catalogue/index-row.js';
import type { GaugeSignal } from './gauges.js';
import type { VintageCapability } from './index-timeline.js';
import type { NarrativeState } from './narrative-machine.js';
import type { IndexStatus } from './reading.js';
import type { RegimeLabel } from './regime.js';
import type { Frequency } from './release-clock.js';

/** One index; null is "not known" and the status says why. */
export interface IndexReading {
  readonly symbol: string;
  readonly status: IndexStatus;
  readonly frequency: Frequency;
  readonly licence: Licence;
  readonly value: number | null;
  readonly transformed: number | null;
  /** Robust z-score against its own history, held to ±4. */
  readonly z: number | null;
  readonly wind: Wind | null;
  readonly percentile: number | null;
  /** Change of z over seven days. */
  readonly change1w: number | null;
  readonly observedOn: string | null;
  readonly releasedAt: Instant | null;
  readonly knownAt: Instant | null;
  /** When the next value is due by the release clock, without grace. */
  readonly nextReleaseAt: Instant | null;
  readonly overdueHours: number | null;
  /** What age has left of its weight, 0 to 1. */
  readonly weight: number;
  readonly vintage: VintageCapability | null;
  /** Read from the row's second source, because its own does not count. */
  readonly isFallback: boolean;
  readonly observations: number;
}

export interface GaugeReading {
  readonly key: string;
  readonly label: string;
  readonly value: number | null;
  readonly signal: GaugeSignal;
  /** Weighted mean of the wind-signed z of its indexes. */
  readonly z: number | null;
  readonly change1w: number | null;
  readonly change4w: number | null;
  /** Symbols of the indexes that move it most. */
  readonly drivers: readonly string[];
  readonly live: number;
  readonly total: number;
  /** Share in the market score. */
  readonly weight: number | null;
  readonly oldestAgeHours: number | null;
}

export interface RegimeReading {
  readonly label: RegimeLabel;
  /** Day on which the label began. */
  readonly since: string | null;
  readonly sessions: number;
  readonly axes: Axes;
  /** Four quadrants and Stress, summing to 1; null while growth or inflation is not measured. */
  readonly probabilities: Readonly<Record<Quadrant | 'Stress', number>> | null;
  /** The quadrant by a second method; a caveat when it differs. */
  readonly check: Quadrant | null;
  readonly agrees: boolean | null;
}

export interface NarrativeReading {
  readonly slug: string;
  readonly label: string;
  readonly state: NarrativeState;
  readonly since: string | null;
  /** Strength, 0 to 100. */
  readonly score: number | null;
  readonly z: number | null;
  readonly momentum1w: number | null;
  readonly attentionZ: number | null;
  readonly driverZ: number | null;
  readonly phase: 1 | -1;
  /** 0 to 100; halved when only attention or only indexes speak. */
  readonly confidence: number;
}

export interface NarrativeEdge {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

export interface Coverage {
  readonly live: number;
  readonly delayed: number;
  readonly stale: number;
  readonly warming: number;
  readonly unavailable: number;
  /** Family-weighted share of the indexes that count, 0 to 1. */
  readonly share: number;
}

/** live: every daily input is at most a business day late; delayed: at most three; stale: later; warming: too little. */
export type Freshness = 'live' | 'delayed' | 'stale' | 'warming';

export interface MacroFrame {
  readonly at: Instant;
  readonly version: string;
  readonly freshness: Freshness;
  readonly marketScore: number | null;
  readonly regime: RegimeReading;
  readonly indexes: readonly IndexReading[];
  readonly gauges: readonly GaugeReading[];
  readonly narratives: readonly NarrativeReading[];
  readonly edges: readonly NarrativeEdge[];
  readonly coverage: Coverage;
  /** The largest known-at among the observations behind the indexes. */
  readonly newestKnownAt: Instant | null;
  readonly fingerprint: string;
}

const DIGITS = 6;

/** The one rounding of published numbers; not-a-number becomes null. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? roundSignificant(value, DIGITS) : null;
}

/** As `rounded`, for a number that is there. */
export function six(value: number): number {
  return roundSignificant(value, DIGITS);
}

export function sealMacroFrame(frame: Omit<MacroFrame, 'fingerprint'>): MacroFrame {
  return { ...frame, fingerprint: fingerprint({ schema: 'barograph.macro.frame.v1', ...frame }) };
}
