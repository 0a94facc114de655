// The tool to call first: one screen of what the market's weather is and what moved.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, TOOLS_GROUP } from './access.js';
import { Boundary, GaugeLine, NarrativeMove, ReleaseDue } from './compact.js';
import { Gauge } from './gauges.js';
import { AsOfInput, optional } from './inputs.js';
import { provenance, RegimeLabel, ScoreBand } from './vocabulary.js';

export const RELEASES_SHOWN = 12;

export const MarketPulse = z
  .strictObject({
    headline: z.string(),
    regime_label: RegimeLabel,
    regime_since: z.string().nullable(),
    market_score: z.strictObject({
      value: z.number().nullable(),
      change_1d: z.number().nullable().describe('Against the business day before.'),
      change_1w: z.number().nullable().describe('Against five business days before.'),
      band: ScoreBand.nullable(),
    }),
    gauges: z.array(GaugeLine).describe('Of the families asked for.'),
    largest_moves: z
      .array(
        z.strictObject({
          index_symbol: z.string(),
          z_score: z.number(),
          change: z
            .number()
            .describe('Change of the wind-signed z-score over five sessions; up is easier for risk.'),
        }),
      )
      .max(5),
    narratives_rising: z.array(NarrativeMove).max(3),
    narratives_fading: z.array(NarrativeMove).max(3),
    released_24h: z
      .array(
        z.strictObject({
          index_symbol: z.string(),
          released_at: InstantText,
          z_before: z.number().nullable(),
          z_after: z.number().nullable(),
        }),
      )
      .max(RELEASES_SHOWN)
      .describe('The newest of the last 24 hours, oldest first.'),
    released_24h_count: z.int(),
    due_24h: z.array(ReleaseDue).max(RELEASES_SHOWN),
    due_24h_count: z.int(),
    boundary: Boundary,
    ...provenance,
  })
  .meta({ id: 'MarketPulse' });
export type MarketPulse = z.input<typeof MarketPulse>;

export const getMarketPulse = operation({
  name: 'get_market_pulse',
  method: 'GET',
  path: '/v1/agent/tools/get_market_pulse',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'One screen: market score, gauges, largest moves, narratives, releases',
  description: `The cheap first call: market score (0 to 100) with its change over a day and a week, gauges with their signals, the five largest moves of indexes in standard deviations, narratives by momentum, and the releases of the last and the next 24 hours. As new as the newest edition, which follows the releases. Measurement, neither forecast nor advice. ${COST} For the regime in full use get_market_regime; for every single change use get_signal_changes.`,
  access: METERED,
  input: z.strictObject({
    families: optional(
      z.array(Gauge.shape.gauge_key).min(1).max(14),
      'Families of indexes whose gauges, moves and releases are wanted; all when absent.',
    ),
    as_of: AsOfInput,
  }),
  output: MarketPulse,
  failures: ['invalid_parameter', ...REPLAY_FAILURES],
  keeps: 'frame',
  example: {},
});
