// The tool that lists what changed from edition to edition.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantInput, InstantText } from '../primitives.js';
import { COST, EDITION_FAILURES, METERED, TOOLS_GROUP } from './access.js';
import { Gauge } from './gauges.js';
import { optional } from './inputs.js';
import { provenance } from './vocabulary.js';

export const ChangeKind = z
  .enum(['wind_flip', 'band_cross', 'regime_change', 'narrative_state', 'gauge_signal', 'release'])
  .meta({
    id: 'MacroChangeKind',
    description:
      'wind_flip: the wind of an index turned; band_cross: the market score went to another band; regime_change; narrative_state; gauge_signal; release: a new value came in.',
  });

export const MacroChange = z
  .strictObject({
    id: z.string().describe('The same change has the same id in every answer.'),
    ts: InstantText.describe('The edition in which it first showed.'),
    kind: ChangeKind,
    subject: z
      .string()
      .describe('Symbol of an index, key of a gauge, slug of a narrative, regime or market.'),
    from: z.string().nullable(),
    to: z.string().nullable(),
    z: z.number().nullable(),
    evidence: z.string().nullable().describe('The observation or the index that it rests on.'),
  })
  .meta({ id: 'MacroChange' });

export const SignalChanges = z
  .strictObject({
    events: z.array(MacroChange).describe('Oldest first.'),
    next_cursor: z.string().describe('Goes on behind the last event given; nothing is skipped or repeated.'),
    truncated: z.boolean().describe('True when more is there already.'),
    since: InstantText.describe('From where on changes were looked for.'),
    ...provenance,
  })
  .meta({ id: 'SignalChanges' });
export type SignalChanges = z.input<typeof SignalChanges>;

export const USUAL_CHANGES = 50;

export const getSignalChanges = operation({
  name: 'get_signal_changes',
  method: 'GET',
  path: '/v1/agent/tools/get_signal_changes',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'What changed: winds, gauges, regime, narratives, releases',
  description: `Typed changes from edition to edition, oldest first, each with what it was, what it is and what it rests on. Without \`since\` and \`cursor\` those of the last seven days; at most 90 days back. Days before recording began are compared at 17:00 in New York. Keep \`next_cursor\` and ask again with it: nothing is missed or told twice. Measurement, no advice. ${COST} For a summary use get_market_pulse; to be told at once use GET /v1/stream.`,
  access: METERED,
  input: z.strictObject({
    since: optional(
      InstantInput,
      'Only changes after this instant, RFC 3339 with an offset. Not together with `cursor`.',
    ),
    cursor: optional(
      z
        .string()
        .max(200)
        .regex(/^[A-Za-z0-9_-]+$/),
      '`next_cursor` of an earlier answer to the same question; opaque, good for 30 days. It goes on by itself: leave `since` out.',
    ),
    kinds: optional(z.array(ChangeKind).min(1).max(6), 'Kinds of changes; all when absent.'),
    families: optional(
      z.array(Gauge.shape.gauge_key).min(1).max(14),
      'Families of indexes; changes that belong to no family are left out then. All when absent.',
    ),
    limit: optional(z.int().min(1).max(200), `How many, 1 to 200; ${USUAL_CHANGES} when absent.`),
  }),
  output: SignalChanges,
  failures: [
    'invalid_parameter',
    'invalid_limit',
    'invalid_cursor',
    'cursor_expired',
    'as_of_out_of_range',
    'replay_busy',
    ...EDITION_FAILURES,
  ],
  keeps: 'nothing',
  example: { kinds: ['wind_flip', 'regime_change'], limit: 10 },
});
