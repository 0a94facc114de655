// The health of the tape: whether it is complete, how much it moves, and what its sources do.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantText } from '../primitives.js';
import { Freshness } from './board.js';

export const ATTENTION_STATES = [
  'stale',
  'quiet',
  'normal',
  'elevated_broad',
  'elevated_concentrated',
  'disorderly',
] as const;

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
    turnover_by_depth: z
      .array(z.strictObject({ top: z.int(), entered: z.int(), share: z.number() }))
      .describe('The same for the first 10, 50 and 200; empty when there is no such frame.'),
    concentration: z
      .strictObject({
        gini: z.number(),
        herfindahl: z.number(),
        effective_tickers: z
          .number()
          .describe('1 / Herfindahl: as many equal tickers would be as concentrated.'),
        normalised_entropy: z.number(),
        top_10_share: z.number(),
      })
      .nullable()
      .describe('How the activity is shared among the tickers that have any; null with fewer than two.'),
    breadth: z
      .number()
      .nullable()
      .describe(
        'Share of the tickers with a measured surprise whose surprise is 2 or more; null without any.',
      ),
    level: z
      .strictObject({
        activity: z.number().describe('Of all tickers together.'),
        z: z
          .number()
          .nullable()
          .describe('(activity − median) / spread; null with a reason, never infinite.'),
        median: z.number().nullable(),
        spread: z.number().nullable().describe('1.4826 × the median absolute deviation.'),
        weeks: z.int().describe('Weeks before, of at most 8, that have a frame in this slot.'),
        reason: z
          .enum(['short_history', 'flat_baseline'])
          .nullable()
          .describe('short_history: fewer than 3 weeks; flat_baseline: a spread of zero.'),
      })
      .describe('How much is said in all, against the same five minutes of the weeks before, in UTC.'),
    last_cycle_age_s: z.number().describe('Since the boundary of the newest frame.'),
    integrity: z.strictObject({
      tree_size: z.int().describe('Leaves of the transparency log.'),
      root_hash: z.string().describe('Base64, of the tree over them.'),
      last_leaf_at: InstantText.nullable(),
      newest_frame_stated: z
        .boolean()
        .describe('Whether the log states the newest frame with its fingerprint.'),
    }),
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
      state: z
        .enum(ATTENTION_STATES)
        .nullable()
        .describe(
          'stale: no frame for more than three cycles; disorderly: turnover above all but 1 % of the last 24 full hours, three frames in a row; elevated: level z of 2 or more, until it is below 1.5, concentrated when few tickers hold it and broad otherwise; quiet: z of −1 or less. Null with a reason where the tape cannot tell.',
        ),
      state_reason: z
        .enum(['short_history', 'flat_baseline', 'short_reference'])
        .nullable()
        .describe('short_reference: fewer than 12 of the last 24 full hours have a frame.'),
      state_cycles: z
        .int()
        .nullable()
        .describe(
          'Frames since the state began, of the last 12; a state stays for 3 at least. Null when stale.',
        ),
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
    'Counts of snapshots, cycles and tickers over the last 24 hours, missing boundaries, turnover of the first 25 against an hour ago, how much of the market is unusually spoken of, and the level of all attention against the same slot of the weeks before.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: Diagnostics,
  failures: ['unknown_parameter', 'warming_up', 'archive_unavailable'],
  keeps: 'frame',
  example: {},
});
