// The health of the tape: whether it is complete, how much it moves, and what its sources do.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantText } from '../primitives.js';
import { Freshness } from './board.js';

export const Diagnostics = z
  .strictObject({
    as_of: InstantText,
    freshness: Freshness,
    window: z.literal('PT24H'),
    snapshots: z.int().describe('Frames recorded in the window.'),
    cycle_s: z.int(),
    cycles: z.int().describe('Boundaries that the window should have, since the first recorded frame.'),
    gaps: z.strictObject({
      missing: z.int().describe('Boundaries without a frame.'),
      spans: z
        .array(z.strictObject({ from: InstantText, to: InstantText, missing: z.int() }))
        .describe('The longest ones, at most 10: the frames on both sides.'),
    }),
    tickers: z.strictObject({
      covered: z.int(),
      ranked: z.int(),
      bands: z
        .strictObject({
          insufficient: z.int(),
          warming: z.int(),
          quiet: z.int(),
          normal: z.int(),
          elevated: z.int(),
          high: z.int(),
          extreme: z.int(),
        })
        .describe('Tickers by anomaly band.'),
    }),
    turnover: z
      .strictObject({
        top: z.int(),
        against: InstantText,
        entered: z.int(),
        share: z.number().describe('Share of the first ranks held by other tickers than then.'),
      })
      .nullable()
      .describe('The first 25 against those of one hour ago; null when there is no such frame.'),
    attention_regime: z.strictObject({
      regime: z.enum(['calm', 'active', 'stressed']).nullable(),
      elevated_share: z
        .number()
        .nullable()
        .describe(
          'Share of the tickers with a band that are elevated, high or extreme; null while none has one.',
        ),
      active_from: z.number(),
      stressed_from: z.number(),
    }),
    sources: z
      .array(z.strictObject({ source: z.string(), state: z.enum(['counted', 'warming']) }))
      .describe('warming: recorded, and counted once its usual level is known.'),
    connectors: z
      .array(
        z.strictObject({
          connector: z.string(),
          state: z.enum(['live', 'backfilling', 'waiting', 'failed']),
          last_fact_at: InstantText.nullable(),
        }),
      )
      .describe('As the recorder tells; one connector may deliver several sources.'),
    policy: z.string(),
  })
  .meta({ id: 'Diagnostics' });
export type Diagnostics = z.input<typeof Diagnostics>;

export const diagnostics = operation({
  name: 'diagnostics',
  method: 'GET',
  path: '/v1/diagnostics',
  surface: 'attention',
  group: 'contract, trust, service',
  summary: 'Health of the tape: counts, gaps, turnover and the attention regime',
  description:
    'Counts of snapshots, cycles and tickers over the last 24 hours, missing boundaries, turnover of the first 25 against an hour ago, and how much of the market is unusually spoken of.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: Diagnostics,
  failures: ['unknown_parameter', 'warming_up', 'archive_unavailable'],
  keeps: 'frame',
  example: {},
});
