// Every operation, by name: the list that routes, documents, tools and clients are made from.
import { apiScope } from './attention/api-scope.js';
import { attestation } from './attention/attestation.js';
import { snapshotLeaderboard, snapshotTicker } from './attention/board.js';
import { coreKpis, ontology } from './attention/catalogue.js';
import { snapshotBuckets, snapshotThemes } from './attention/cohorts.js';
import { diagnostics } from './attention/diagnostics.js';
import { snapshotAsOf } from './attention/past-board.js';
import { realness, realnessCommitments } from './attention/realness.js';
import { reputationScorecard } from './attention/reputation.js';
import { scorecard } from './attention/scorecard.js';
import { botFeedSignals, botFeedTickerSignals, stateChanges } from './attention/signals.js';
import { saveWatchlist, snapshotWatchlist } from './attention/watchlists.js';
import { logCheckpoint, logConsistency, logEntry, logInclusion, logKey } from './log/operations.js';
import { assetScore, checkBatch } from './macro/asset-score.js';
import { agentBriefing } from './macro/briefing.js';
import { gauges } from './macro/gauges.js';
import { indices } from './macro/indexes.js';
import { assetThemes, narrativeGraph } from './macro/narratives.js';
import { openaiTools } from './macro/tool-manifest.js';
import { MACRO_TOOLS } from './macro/tools.js';
import type { AnswersTo, Operation } from './operation.js';
import { health } from './readiness.js';
import { hubPitIdentityCohort } from './research/cohort.js';
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
  scorecard,
  reputation_scorecard: reputationScorecard,
  attestation,
  diagnostics,
  asset_score: assetScore,
  check_batch: checkBatch,
  gauges,
  indices,
  narrative_graph: narrativeGraph,
  asset_themes: assetThemes,
  agent_briefing: agentBriefing,
  openai_tools: openaiTools,
  ...MACRO_TOOLS,
  customer_usage: customerUsage,
  hub_pit_identity_cohort: hubPitIdentityCohort,
  log_checkpoint: logCheckpoint,
  log_key: logKey,
  log_entry: logEntry,
  log_inclusion: logInclusion,
  log_consistency: logConsistency,
  health,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export type Answers = AnswersTo<typeof OPERATIONS>;
