// The feed of typed signal events, and the public ledger of state changes.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, limitInput, Sha256, Ticker, TickerInput } from '../primitives.js';
import { CoreKpiValues } from './board.js';
import { KpiReceipt, Span } from './kpi-receipt.js';

export const SIGNALS_SCOPE = 'signals:read';

export const SignalKind = z
  .enum([
    'attention.band_changed',
    'attention.burst_started',
    'attention.burst_ended',
    'attention.rank_entered',
    'attention.rank_exited',
    'attention.share_rotated',
    'attention.price_diverged',
    'attention.first_seen',
    'attention.source_concentrated',
    'coordination.measurement_shifted',
    'denominator.revised',
    'data.coverage_changed',
  ])
  .meta({ id: 'SignalKind' });

/** What changed in the standing of a ticker or of the tape, without the reasons that signals carry. */
export const STATE_CHANGES = [
  'attention.band_changed',
  'attention.burst_started',
  'attention.burst_ended',
  'attention.rank_entered',
  'attention.rank_exited',
  'attention.first_seen',
  'denominator.revised',
  'data.coverage_changed',
] as const satisfies readonly z.infer<typeof SignalKind>[];

const Change = z.unknown().describe('A value or an object, as the kind has it; null when there was none.');

export const SignalEnvelope = z
  .strictObject({
    id: z.string().describe('ULID; the same event always has the same id.'),
    seq: z.int().describe('Place in the archive; grows, with gaps.'),
    kind: SignalKind,
    version: z.literal(1),
    ticker: Ticker.nullable().describe('Null when it is about no single ticker.'),
    emitted_at: InstantText,
    as_of: InstantText.describe('The boundary of the frame that it came with.'),
    window: Span.describe('The span that prev and now are compared over; PT0S: from one frame to the next.'),
    prev: Change,
    now: Change,
    core_kpi_values: CoreKpiValues.nullable().describe('The five KPIs of the ticker in that frame.'),
    core_kpis: z.array(KpiReceipt).describe('Receipts of these values; empty without a ticker.'),
    evidence_refs: z
      .array(z.strictObject({ type: z.enum(['frame', 'detail']), ref: z.string() }))
      .describe('The frame by its fingerprint, then what the kind adds as name=value.'),
    frame_sha256: Sha256.nullable(),
    state: z.enum(['active', 'expired']).describe('expired: older than ttl_s.'),
    ttl_s: z.int(),
    policy: z.literal('ranking_input_only'),
  })
  .meta({ id: 'SignalEnvelope', description: 'Signals are ranking input, never an execution trigger.' });
export type SignalEnvelope = z.input<typeof SignalEnvelope>;

const CursorInput = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/)
  .optional()
  .describe('`next_cursor` of an earlier answer to the same question; opaque, good for 30 days.');

const paging = {
  since: InstantInput.optional().describe('Only events of frames at or after this instant.'),
  limit: limitInput(200, 50),
  cursor: CursorInput,
};

const page = {
  next_cursor: z.string().describe('Goes on behind the last event given; nothing is skipped or repeated.'),
  has_more: z.boolean().describe('True when more is there already.'),
  policy: z.string(),
};

export const SignalPage = z
  .strictObject({ signals: z.array(SignalEnvelope).describe('In ascending order of seq.'), ...page })
  .meta({ id: 'SignalPage' });
export type SignalPage = z.input<typeof SignalPage>;

const kind = z
  .array(SignalKind)
  .min(1)
  .max(SignalKind.options.length)
  .optional()
  .describe('Kinds with commas between them; all when absent.');

const PAGED =
  'In ascending order. Without `cursor` and `since` the newest `limit` events; with `since` from there on; with `cursor` what came after. A cursor belongs to its filters.';

const FAILURES = [
  'invalid_limit',
  'invalid_parameter',
  'invalid_cursor',
  'unknown_parameter',
  'cursor_expired',
  'archive_unavailable',
] as const;

const SIGNALS_GROUP = 'signals and coordination';

export const botFeedSignals = operation({
  name: 'bot_feed_signals',
  method: 'GET',
  path: '/v1/bot-feed/signals',
  surface: 'attention',
  group: SIGNALS_GROUP,
  summary: 'Typed signal events with their KPI receipts',
  description: `Events of the tape as typed envelopes. Signals are ranking input, never an execution trigger. ${PAGED}`,
  access: { kind: 'key', scope: SIGNALS_SCOPE },
  input: z.strictObject({ kind, ticker: TickerInput.optional(), ...paging }),
  output: SignalPage,
  failures: ['invalid_ticker', ...FAILURES],
  keeps: 'nothing',
  example: { kind: ['attention.band_changed'], limit: 10 },
});

export const botFeedTickerSignals = operation({
  name: 'bot_feed_ticker_signals',
  method: 'GET',
  path: '/v1/bot-feed/signals/{ticker}',
  surface: 'attention',
  group: SIGNALS_GROUP,
  summary: 'Signal events of one ticker',
  description: `The history of one ticker in typed envelopes. Signals are ranking input, never an execution trigger. ${PAGED}`,
  access: { kind: 'key', scope: SIGNALS_SCOPE },
  input: z.strictObject({ ticker: TickerInput, kind, ...paging }),
  output: SignalPage,
  failures: ['invalid_ticker', ...FAILURES],
  keeps: 'nothing',
  example: { ticker: 'NVDA', limit: 10 },
});

export const StateChange = z
  .strictObject({
    seq: z.int(),
    as_of: InstantText,
    recorded_at: InstantText,
    ticker: Ticker.nullable(),
    change: z.enum(STATE_CHANGES),
    prev: Change,
    now: Change,
    frame_sha256: Sha256.nullable().describe('The frame that shows the new state.'),
    core_kpi_values: CoreKpiValues.nullable().describe('The five KPIs of the ticker in that frame.'),
    previous_seq: z
      .int()
      .nullable()
      .describe('The change of this kind before, for the same ticker; null for the first one.'),
    dwell_s: z.int().nullable().describe('From that one to this one, in seconds between their frames.'),
  })
  .meta({ id: 'StateChange' });

export const StateChanges = z
  .strictObject({ changes: z.array(StateChange).describe('In ascending order of seq.'), ...page })
  .meta({ id: 'StateChanges' });
export type StateChanges = z.input<typeof StateChanges>;

export const stateChanges = operation({
  name: 'state_changes',
  method: 'GET',
  path: '/v1/snapshot/state-changes',
  surface: 'attention',
  group: 'snapshot tape',
  summary: 'Changes of bands, ranks and states, as recorded',
  description: `A bounded ledger of what changed from frame to frame, each with the change of its kind before. ${PAGED} With \`until\` nothing later than that.`,
  access: PUBLIC,
  input: z.strictObject({
    ticker: TickerInput.optional(),
    change: z
      .array(z.enum(STATE_CHANGES))
      .min(1)
      .max(STATE_CHANGES.length)
      .optional()
      .describe('Kinds of change with commas between them; all when absent.'),
    ...paging,
    until: InstantInput.optional().describe('Only changes of frames at or before this instant.'),
  }),
  output: StateChanges,
  failures: ['invalid_ticker', ...FAILURES],
  keeps: 'frame',
  example: { limit: 10 },
});
