// How the recorder fares, as it tells the API processes.
import type { Instant } from '../../kernel/instant.js';

export interface SourceStatus {
  readonly source: string;
  readonly state: 'waiting' | 'backfilling' | 'live' | 'failed';
  /** Share of the backfill that is done. */
  readonly progress?: number;
  readonly lastFactAt: Instant | null;
  readonly facts: number;
  readonly faults: number;
}

export interface RecorderStatus {
  readonly at: Instant;
  readonly sources: readonly SourceStatus[];
}
