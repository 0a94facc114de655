// What a cycle says besides its rows: signals for listeners, and gate records that are revealed later.
import type { Instant } from '../../kernel/instant.js';

export const EMISSION_KINDS = ['signal', 'gate'] as const;
export type EmissionKind = (typeof EMISSION_KINDS)[number];

export interface Emission {
  readonly kind: EmissionKind;
  /** What it says, for example `attention.band_changed`. */
  readonly type: string;
  /** Null when it is about no single ticker. */
  readonly ticker: string | null;
  /** Plain JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Emissions follow their frame in the sequence, in the order in which they were given. */
export interface Emitted extends Emission {
  readonly sequence: number;
  readonly knownAt: Instant;
  /** The boundary of the frame that it came with. */
  readonly at: Instant;
}

export interface EmissionQuery {
  readonly kind: EmissionKind;
  readonly knownBy: Instant;
  readonly types?: readonly string[];
  /** Null asks for those that are about no single ticker. */
  readonly ticker?: string | null;
  /** Strictly after this sequence number. */
  readonly afterSequence?: number;
  /** Strictly before this sequence number. */
  readonly beforeSequence?: number;
  /** Boundaries at or after this instant. */
  readonly from?: Instant;
  /** Boundaries at or before this instant. */
  readonly to?: Instant;
  /** The last ones instead of the first ones; in both cases the answer is in ascending order. */
  readonly newest?: boolean;
  readonly limit: number;
}
