// The 17 tools of attention measurement: the name that agents know, and the operation behind it.
import { z } from 'zod';
import { attestation } from '../../contracts/attention/attestation.js';
import { snapshotLeaderboard, snapshotTicker } from '../../contracts/attention/board.js';
import { coreKpis, ontology } from '../../contracts/attention/catalogue.js';
import { snapshotBuckets, snapshotThemes } from '../../contracts/attention/cohorts.js';
import { diagnostics } from '../../contracts/attention/diagnostics.js';
import { snapshotAsOf } from '../../contracts/attention/past-board.js';
import { reputationScorecard } from '../../contracts/attention/reputation.js';
import { type Scorecard, scorecard } from '../../contracts/attention/scorecard.js';
import { ScorecardSummary, SummaryHorizon } from '../../contracts/attention/scorecard-summary.js';
import { botFeedSignals, botFeedTickerSignals, stateChanges } from '../../contracts/attention/signals.js';
import { snapshotWatchlist } from '../../contracts/attention/watchlists.js';
import { IncludeProof } from '../../contracts/log/proof.js';
import { InstantInput, limitInput, TickerInput } from '../../contracts/primitives.js';
import { scorecardSummary } from './scorecard-summary.js';
import { type Tool, type ToolServer, tool } from './tool.js';

const PUBLIC = 'Needs no key.';
const SIGNALS = 'Needs a key with signals:read.';
/** An event comes with the receipts of five KPIs, about 2 KB of text. */
const EVENTS = 2;

const INSTRUCTIONS = `Barograph measures which tickers people speak about. Measurement, not advice; signals are ranking input, never an execution trigger.
Call sso_contract once before you use any KPI value: it defines every metric. Each result is {value, receipt}; when receipt.ontology_fp differs from the ontology_sha256 that you fetched, fetch again.
Units: attention_density is effective posts (24 h equivalent) per USD 1 billion of market capitalisation; attention_share is percent; null means not measurable, never zero.
Quote receipt.known_at_max and receipt.provenance_state with a number; provenance_state "fixture" is synthetic data.
Start with attention_leaderboard, then attention_ticker. For the past use attention_as_of, which cannot see later knowledge. Keep limits small.`;

/** One ticker, or the whole board, at a past instant. */
const asOf: Tool = {
  name: 'attention_as_of',
  title: 'The archive at a past instant',
  description: `Replays the board, or with \`ticker\` one ticker, at a past instant, with a receipt that nothing later was used. Density in effective posts per USD 1 billion. ${PUBLIC} For now use attention_leaderboard or attention_ticker.`,
  input: z.strictObject({
    as_of: InstantInput,
    ticker: TickerInput.optional().describe('One ticker instead of the board.'),
    limit: limitInput(100, 10).describe('Rows of the board, 1 to 100; without meaning for one ticker.'),
    include_proof: IncludeProof,
  }),
  operations: [snapshotAsOf, snapshotTicker],
  ask: ({ ticker, limit, ...when }) =>
    ticker === undefined
      ? { operation: snapshotAsOf, input: { ...when, limit } }
      : { operation: snapshotTicker, input: { ...when, ticker, top_posts_sort: 'observed_desc' } },
  definition: false,
  shown: null,
  inputSchema: null,
};

/** The whole document is for machines; a model reads the rows of one horizon. */
const summary: Tool = {
  name: 'scorecard_summary',
  title: 'What the signals were worth so far',
  description: `Verdict, mean rank IC, p-value, power and FDR survival of each signal, tested weekly on the recorded tape; says what the data cannot tell. ${PUBLIC} Whole document: GET /v1/scorecard.`,
  input: z.strictObject({
    horizon: SummaryHorizon.default('1d'),
    as_of: InstantInput.optional(),
  }),
  operations: [scorecard],
  ask: ({ as_of }) => ({ operation: scorecard, input: { as_of } }),
  definition: false,
  shown: {
    output: ScorecardSummary,
    of: (answer, { horizon }) =>
      scorecardSummary(answer as Scorecard, horizon as ScorecardSummary['horizon']),
  },
  inputSchema: null,
};

const tools: readonly Tool[] = [
  tool({
    name: 'attention_leaderboard',
    title: 'Attention leaderboard',
    description: `Tickers ranked by attention density (effective posts, 24 h equivalent, per USD 1 billion of market capitalisation), now. New every cycle, 15 s. ${PUBLIC} For the past use attention_as_of; for one ticker attention_ticker.`,
    operation: snapshotLeaderboard,
    input: snapshotLeaderboard.input.extend({ limit: limitInput(100, 10) }),
  }),
  tool({
    name: 'attention_ticker',
    title: 'One ticker',
    description: `The five KPIs of one ticker with receipts, denominator, sample, band history and evidence; \`as_of\` replays the past. New every cycle. ${PUBLIC} For a ranking use attention_leaderboard.`,
    operation: snapshotTicker,
  }),
  tool({
    name: 'attention_bot_feed',
    title: 'Newest attention signals',
    description: `The newest typed signal events, by kind. Ranking input, never an execution trigger. ${SIGNALS} To follow the feed without gaps use attention_signals; without a key attention_state_changes.`,
    operation: botFeedSignals,
    input: botFeedSignals.input
      .pick({ kind: true })
      .extend({ limit: limitInput(200, EVENTS) })
      .strict(),
  }),
  tool({
    name: 'attention_signals',
    title: 'Signal events with a cursor',
    description: `Signal events with core KPI receipts, oldest first; send next_cursor back to go on without gaps or repeats. ${SIGNALS} For one ticker use attention_ticker_signals.`,
    operation: botFeedSignals,
    input: botFeedSignals.input.extend({ limit: limitInput(200, EVENTS) }),
  }),
  tool({
    name: 'attention_ticker_signals',
    title: 'Signal history of one ticker',
    description: `Signal events of one ticker with core KPI receipts, oldest first, with a cursor. ${SIGNALS} Without a key use attention_state_changes with \`ticker\`.`,
    operation: botFeedTickerSignals,
    input: botFeedTickerSignals.input.extend({ limit: limitInput(200, EVENTS) }),
  }),
  tool({
    name: 'attention_buckets',
    title: 'Cohorts by market capitalisation',
    description: `How much attention each market-cap bucket has (percent) and who leads it, now. New every cycle. ${PUBLIC} \`limit\` is rows per bucket; for sectors use attention_themes.`,
    operation: snapshotBuckets,
    input: z.strictObject({ limit: limitInput(25, 2).describe('Rows per bucket, 1 to 25.') }),
  }),
  tool({
    name: 'attention_themes',
    title: 'Cohorts by theme',
    description: `Share of attention (percent) and leading tickers of each theme, now. New every cycle. ${PUBLIC} \`limit\` is rows per theme; for size use attention_buckets.`,
    operation: snapshotThemes,
    input: z.strictObject({ limit: limitInput(25, 1).describe('Rows per theme, 1 to 25.') }),
  }),
  tool({
    name: 'attention_watchlist',
    title: 'A saved watchlist, ranked',
    description:
      'The tickers of a saved list, ranked by the core KPI contract, now. Needs a key with watchlists:read; lists are saved with PUT /v1/snapshot/watchlists/{id}.',
    operation: snapshotWatchlist,
  }),
  tool({
    name: 'attention_core_kpis',
    title: 'The five core KPIs',
    description: `Formula, unit, inputs and window of the five core KPIs. Changes only with the ontology. ${PUBLIC} For every metric and parameter use sso_contract.`,
    operation: coreKpis,
    definition: true,
  }),
  tool({
    name: 'sso_contract',
    title: 'The signal ontology',
    description: `Fetch first: formula and inputs of every metric, the fingerprint that receipts carry, and the JSON Schema of receipts. Takes no arguments. ${PUBLIC} About 3,000 tokens, once per session.`,
    operation: ontology,
    definition: true,
  }),
  tool({
    name: 'attention_snapshot_leaderboard',
    title: 'Live ranking snapshot',
    description: `The newest recorded frame with its sequence number and fingerprint, ranked by attention density (effective posts per USD 1 billion). New every cycle. ${PUBLIC} The same frame as attention_leaderboard.`,
    operation: snapshotLeaderboard,
    input: snapshotLeaderboard.input.extend({ limit: limitInput(100, 10) }),
  }),
  asOf,
  tool({
    name: 'attention_state_changes',
    title: 'Ledger of state changes',
    description: `What changed from frame to frame: bands, ranks, bursts, coverage; oldest first, with a cursor. From the local archive. ${PUBLIC} For the reasons and KPI receipts use attention_signals.`,
    operation: stateChanges,
    input: stateChanges.input.extend({ limit: limitInput(200, 10) }),
  }),
  tool({
    name: 'attention_live_diagnostics',
    title: 'Health of the tape',
    description: `Counts of snapshots, cycles and tickers of 24 h, gaps, turnover of the first 25, and the attention regime. ${PUBLIC} Ask it when values look stale.`,
    operation: diagnostics,
  }),
  summary,
  tool({
    name: 'reputation_scorecard',
    title: 'Validation of the author graph',
    description: `Whether weighting voices by reputation adds information, lasts, and resists bought accounts. Aggregates of at least 20 authors, no names; weekly. ${PUBLIC} For the signals use scorecard_summary.`,
    operation: reputationScorecard,
  }),
  tool({
    name: 'attention_attestation',
    title: 'Signed attestation',
    description: `One signed receipt that binds the fingerprints of ontology, scorecard, reputation and archive, each week. ${PUBLIC} Compare its ontology with sso_contract.`,
    operation: attestation,
  }),
];

export const ATTENTION_SERVER: ToolServer = {
  path: '/mcp/attention',
  name: 'barograph-attention',
  title: 'Barograph: attention',
  instructions: INSTRUCTIONS,
  tools,
  resources: [],
};
