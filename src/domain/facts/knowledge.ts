// How facts are asked for: always as known by an instant.
import type { Instant } from '../../kernel/instant.js';
import type { FactKind, FactOf } from './fact.js';

/** `knownBy` is required: a read that could see the future cannot be written. */
export interface Knowledge {
  /** Facts with `knownAt` at or before this instant. */
  readonly knownBy: Instant;
  /** Facts with `knownAt` strictly after this instant; from the beginning when absent. */
  readonly after?: Instant;
  /** Facts up to this sequence: what a recorded frame could see, whatever was backfilled since. */
  readonly upToSequence?: number;
}

export interface MentionCount {
  readonly ticker: string;
  readonly source: string;
  readonly bucketStart: Instant;
  readonly posts: number;
}

export interface SourceStart {
  readonly source: string;
  readonly firstKnownAt: Instant;
}

/** What a measure may read. The archive is one; a list in memory could be another. */
export interface FactReader {
  /** Facts of one kind in the order (knownAt, sequence), in batches. */
  facts<K extends FactKind>(kind: K, knowledge: Knowledge): AsyncIterable<readonly FactOf<K>[]>;
  /** Posts per ticker, source and bucket of `knownAt`; buckets are aligned to multiples of `bucket`. */
  mentionCounts(knowledge: Knowledge, bucket: number): Promise<readonly MentionCount[]>;
  /** The first `knownAt` of every source that has delivered a post or a count. */
  sourceStarts(knowledge: Knowledge): Promise<readonly SourceStart[]>;
}
