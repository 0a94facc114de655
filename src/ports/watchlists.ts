// Watchlists that customers save: their own state, no fact of the archive, replaced when saved again.
import type { Instant } from '../kernel/instant.js';

export interface SavedList {
  readonly id: string;
  readonly name: string | null;
  readonly tickers: readonly string[];
  readonly savedAt: Instant;
}

export const MOST_WATCHLISTS = 100;

export interface Watchlists {
  /** Lists belong to customers: another customer's list of the same id is another list. */
  find(customerId: string, id: string): Promise<SavedList | null>;
  /** Whole or not at all. Throws `TooManyWatchlists` where a new list would be one too many. */
  save(customerId: string, list: SavedList): Promise<void>;
  close(): Promise<void>;
}

export class TooManyWatchlists extends Error {
  constructor() {
    super(`a customer has at most ${MOST_WATCHLISTS} watchlists`);
    this.name = 'TooManyWatchlists';
  }
}

export class WatchlistsUnavailable extends Error {
  constructor(cause: unknown) {
    super('the store of watchlists does not answer', { cause });
    this.name = 'WatchlistsUnavailable';
  }
}
