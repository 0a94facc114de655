// Every operation, by name: the list that routes, documents, tools and clients are made from.
import { apiScope } from './attention/api-scope.js';
import { snapshotLeaderboard, snapshotTicker } from './attention/board.js';
import { coreKpis, ontology } from './attention/catalogue.js';
import { snapshotBuckets, snapshotThemes } from './attention/cohorts.js';
import { diagnostics } from './attention/diagnostics.js';
import { snapshotAsOf } from './attention/past-board.js';
import { realness, realnessCommitments } from './attention/realness.js';
import { botFeedSignals, botFeedTickerSignals, stateChanges } from './attention/signals.js';
import { saveWatchlist, snapshotWatchlist } from './attention/watchlists.js';
import type { AnswersTo, Operation } from './operation.js';
import { health } from './readiness.js';
import { customerUsage } from './research/usage.js';

export const OPERATIONS = {
  snapshot_leaderboard: snapshotLeaderboard,
  snapshot_ticker: snapshotTicker,
  snapshot_as_of: snapshotAsOf,
  snapshot_buckets: snapshotBuckets,
  snapshot_themes: snapshotThemes,
  snapshot_watchlist: snapshotWatchlist,
  save_watchlist: saveWatchlist,
  state_changes: stateChanges,
  bot_feed_signals: botFeedSignals,
  bot_feed_ticker_signals: botFeedTickerSignals,
  realness,
  realness_commitments: realnessCommitments,
  core_kpis: coreKpis,
  api_scope: apiScope,
  ontology,
  diagnostics,
  customer_usage: customerUsage,
  health,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export type Answers = AnswersTo<typeof OPERATIONS>;
