// Cohorts of the newest frame: by market capitalisation, and by theme.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantText, limitInput, Sha256 } from '../primitives.js';
import { CapBucket, Freshness, LeaderboardRow } from './board.js';

const frame = {
  seq: z.int(),
  as_of: InstantText,
  frame_sha256: Sha256,
  freshness: Freshness,
  policy: z.string(),
};

const cohort = {
  count: z.int().describe('Tickers of the frame, ranked or not.'),
  ranked: z.int(),
  activity_share: z.number().describe('Percent of the activity of all eligible tickers.'),
  median_density: z.number().nullable().describe('Of its ranked tickers; null when there are none.'),
  elevated: z.int().describe('Tickers in an elevated, high or extreme band.'),
  leaderboard: z.array(LeaderboardRow).describe('The first of the cohort, by rank; rank_prev is not given.'),
};

export const Buckets = z
  .strictObject({
    ...frame,
    buckets: z
      .array(z.strictObject({ bucket: CapBucket, ...cohort }))
      .describe('From nano to mega, then unknown.'),
  })
  .meta({ id: 'Buckets' });
export type Buckets = z.input<typeof Buckets>;

export const Themes = z
  .strictObject({
    ...frame,
    themes: z
      .array(z.strictObject({ theme: z.string(), name: z.string(), ...cohort }))
      .describe('By share of activity, largest first.'),
  })
  .meta({ id: 'Themes' });
export type Themes = z.input<typeof Themes>;

const input = z.strictObject({ limit: limitInput(25, 5).describe('Rows per cohort, 1 to 25.') });
const shared = {
  method: 'GET',
  surface: 'attention',
  group: 'snapshot tape',
  access: PUBLIC,
  input,
  failures: ['invalid_limit', 'unknown_parameter', 'warming_up', 'archive_unavailable'],
  keeps: 'frame',
  example: { limit: 3 },
} as const;

export const snapshotBuckets = operation({
  ...shared,
  name: 'snapshot_buckets',
  path: '/v1/snapshot/buckets',
  summary: 'Cohorts by market capitalisation',
  description:
    'How many tickers of each size are spoken of, how much of the attention they have, and who leads them.',
  output: Buckets,
});

export const snapshotThemes = operation({
  ...shared,
  name: 'snapshot_themes',
  path: '/v1/snapshot/themes',
  summary: 'Cohorts by theme: an overview and the first tickers of each',
  description: 'A theme is a sector of the asset list. Tickers without a sector are in none.',
  output: Themes,
});
