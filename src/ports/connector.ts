// A connector turns one outside provider into facts: ask builds the request, pull talks, read is pure.
import type { Report } from '../domain/facts/fact.js';
import type { PostReport } from '../domain/facts/post.js';
import type { Clock, Instant } from '../kernel/instant.js';

/** What one raw item says. Posts still carry their text; ingest makes facts of them. */
export interface Reading {
  readonly posts: readonly PostReport[];
  readonly facts: readonly Report[];
  /** Why parts of the item were refused, for the log and the metrics; never the item's own words. */
  readonly faults: readonly string[];
}

export interface Pulled<Raw> {
  readonly items: readonly Raw[];
  /** Where to go on after these items are stored. */
  readonly cursor: string;
  /** How far a backfill has come, 0 to 1; absent once the connector runs live. */
  readonly progress?: number;
}

export interface PullContext {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Waits until the clock has reached the instant, or the signal aborts. */
  readonly until: (at: Instant) => Promise<void>;
}

export interface Connector<Ask = unknown, Raw = unknown> {
  readonly name: string;
  /** Tells nothing that a board needs: boards do not wait for its backfill, and it begins after the first of them. */
  readonly macroOnly?: boolean;
  /** Builds the request from the stored cursor; pure. */
  ask(cursor: string | null): Ask;
  /** Talks to the provider; ends when the provider has no more or the signal aborts. */
  pull(ask: Ask, context: PullContext): AsyncIterable<Pulled<Raw>>;
  /** Turns one raw item into facts; pure, so a recorded payload tests it. */
  read(raw: Raw): Reading;
}
