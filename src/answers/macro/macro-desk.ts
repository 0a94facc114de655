// Works out what no edition holds: editions of the past that were never stated, briefings, the past of an index, changes.
import type { Driver } from '../../domain/macro/asset-score.js';
import type { Briefing } from '../../domain/macro/briefing.js';
import type { MacroChange } from '../../domain/macro/changes.js';
import type { MacroEdition } from '../../domain/macro/edition.js';
import type { IndexDetail } from '../../domain/macro/index-detail.js';
import type { RegimeLabel } from '../../domain/macro/regime.js';
import type { Instant } from '../../kernel/instant.js';

export interface ComputedEdition {
  readonly edition: MacroEdition;
  readonly highWater: number;
  readonly knowledge: 'observed' | 'simulated';
}

/** The changes of one comparison: an edition against the one before it. */
export interface ChangesAt {
  readonly at: Instant;
  readonly changes: readonly MacroChange[];
}

/** Plain data in, plain data out: a desk may stand in another thread. It is slow; callers do not wait on one another. */
export interface MacroDesk {
  edition(at: Instant): Promise<ComputedEdition>;
  briefing(at: Instant): Promise<Briefing>;
  /** Every driver of a ticker's score, the strongest first. */
  drivers(ticker: string, at: Instant): Promise<readonly Driver[]>;
  detail(symbol: string, at: Instant, points: number): Promise<IndexDetail>;
  /** Labels of the last sessions up to the instant, oldest first. */
  regimes(at: Instant, sessions: number): Promise<readonly { date: string; label: RegimeLabel }[]>;
  /** What changed with `from` < at ≤ `to`, by time. */
  changes(from: Instant, to: Instant): Promise<readonly ChangesAt[]>;
  close(): Promise<void>;
}

export type DeskQuestion = Exclude<keyof MacroDesk, 'close'>;
