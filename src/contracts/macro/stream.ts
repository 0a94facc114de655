// The pushed macro picture: a snapshot per channel, then what changed, and a heartbeat in between.
import { z } from 'zod';
import { feed } from '../feed.js';
import { InstantText } from '../primitives.js';
import { METERED, STRUCTURE_GROUP } from './access.js';
import { Regime } from './gauges.js';
import { GaugeSignal, IndexStatus, MacroFreshness, NarrativeState, provenance, Wind } from './vocabulary.js';

export const MacroChannel = z.enum(['indices', 'conditions', 'narratives', 'releases']).meta({
  id: 'MacroChannel',
  description:
    'indices: values and winds of the indexes; conditions: regime, gauges and market score; narratives: their states and momentum; releases: values as they come in.',
});
export type MacroChannel = z.infer<typeof MacroChannel>;

const IndexLine = z.strictObject({
  symbol: z.string(),
  current_value: z.number().nullable().describe('The z-score where rights forbid the value.'),
  value_basis: z.enum(['value', 'z_score']),
  z_score: z.number().nullable(),
  wind: Wind.nullable(),
  status: IndexStatus,
  observed_on: z.string().nullable(),
  released_at: InstantText.nullable(),
});

const GaugeState = z.strictObject({
  gauge_key: z.string(),
  value: z.number().nullable(),
  signal: GaugeSignal,
});

const NarrativeLine = z.strictObject({
  slug: z.string(),
  state: NarrativeState,
  momentum_1w: z.number().nullable(),
  score: z.number().nullable(),
});

const ReleaseLine = z.strictObject({
  symbol: z.string(),
  observed_on: z.string().nullable(),
  released_at: InstantText.nullable(),
  z_score: z.number().nullable(),
  wind: Wind.nullable(),
});

const edition = {
  seq: z.int().describe('Number of the edition; the id of the event.'),
  as_of: provenance.as_of,
};

export const MacroSnapshot = z
  .strictObject({
    event: z.literal('snapshot'),
    channel: MacroChannel,
    ...edition,
    reason: z
      .enum(['first', 'unknown_id', 'too_old'])
      .describe(
        'Why there is a snapshot: the stream begins, or its Last-Event-ID cannot be gone on from. In any case it replaces what a client has of the channel.',
      ),
    snapshot_id: provenance.snapshot_id,
    freshness: MacroFreshness,
    indices: z.array(IndexLine).optional(),
    regime: Regime.optional(),
    market_score: z.number().nullable().optional(),
    gauges: z.array(GaugeState).optional(),
    narratives: z.array(NarrativeLine).optional(),
    releases: z.array(ReleaseLine).optional().describe('Of the last 24 hours, oldest first.'),
  })
  .meta({ id: 'MacroSnapshot', description: 'The whole of one channel.' });
export type MacroSnapshot = z.input<typeof MacroSnapshot>;

const changed = <Event extends string, Members extends z.ZodRawShape>(event: Event, members: Members) =>
  z.strictObject({ event: z.literal(event), ...edition, ...members });

export const STREAM_EVENTS = {
  snapshot: MacroSnapshot,
  index_change: changed('index_change', { ...IndexLine.shape, prev_wind: Wind.nullable() }).meta({
    id: 'IndexChange',
  }),
  gauge_change: changed('gauge_change', {
    ...GaugeState.shape,
    prev_value: z.number().nullable(),
    prev_signal: GaugeSignal,
  }).meta({ id: 'GaugeChange' }),
  regime_change: changed('regime_change', {
    from: z.string(),
    to: z.string(),
    ...Regime.pick({ since: true, probabilities: true }).shape,
    regime: Regime,
  }).meta({ id: 'RegimeChange' }),
  market_change: changed('market_change', {
    market_score: z.number().nullable(),
    prev_market_score: z.number().nullable(),
  }).meta({ id: 'MarketChange' }),
  narrative_change: changed('narrative_change', {
    ...NarrativeLine.shape,
    from: NarrativeState,
    to: NarrativeState.describe('The same as `from` where only the strength has moved.'),
    prev_state: NarrativeState.describe('The same as `from`.'),
  }).meta({ id: 'NarrativeChange' }),
  release: changed('release', { ...ReleaseLine.shape, z_before: z.number().nullable() }).meta({
    id: 'MacroRelease',
  }),
  heartbeat: z
    .strictObject({
      event: z.literal('heartbeat'),
      ...edition,
      ts: InstantText.describe('When it was sent.'),
      now: InstantText.describe('The same as `ts`.'),
      freshness: MacroFreshness,
    })
    .meta({ id: 'MacroHeartbeat', description: 'Nothing has changed since the edition that it names.' }),
} as const;

const input = z.strictObject({
  channels: z
    .array(MacroChannel)
    .min(1)
    .max(4)
    .default(['indices', 'conditions'])
    .describe('Channels with commas between them; indices and conditions when absent.'),
});
export type MacroStreamInput = z.output<typeof input>;

export const macroStream = feed({
  name: 'macro_stream',
  wire: 'sse',
  method: 'GET',
  path: '/v1/stream',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: 'Changes of regime, gauges, indexes and narratives as server-sent events',
  description: `The first event of each channel is a \`snapshot\`; afterwards only what changed is sent, one event per change, and a \`heartbeat\` every 15 seconds of silence. The id of the last event of an edition is the number of the edition: a client that comes back with it as \`Last-Event-ID\` gets what changed since, at once; where that is unknown or too old a fresh snapshot comes, and \`reason\` says so. A slow reader skips to the newest edition and is told what changed since the one that it has. Opening a stream costs one asset read; pages of other origins may not open it.`,
  access: METERED,
  input,
  events: STREAM_EVENTS,
  failures: [
    'invalid_channel',
    'unknown_parameter',
    'origin_not_allowed',
    'warming_up',
    'too_many_streams',
    'streams_exhausted',
  ],
  example: { channels: ['indices', 'conditions'] },
});
