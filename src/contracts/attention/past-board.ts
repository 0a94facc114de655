// The leaderboard at a past instant, with the receipt that shows what it was computed from.
import { z } from 'zod';
import { IncludeProof } from '../log/proof.js';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, limitInput, Sha256 } from '../primitives.js';
import { Freshness, LeaderboardRow, ReplayReceipt } from './board.js';

export const PastBoard = z
  .strictObject({
    as_of: InstantText.describe('The instant that was asked for.'),
    frame_at: InstantText.describe('The boundary of the frame that answers for it.'),
    frame_sha256: Sha256,
    source_set_version: z.int(),
    sources: z.array(z.string()),
    tickers: z.int(),
    ranked: z.int(),
    freshness: Freshness,
    receipt: ReplayReceipt,
    policy: z.string(),
    leaderboard: z.array(LeaderboardRow),
  })
  .meta({ id: 'PastBoard' });
export type PastBoard = z.input<typeof PastBoard>;

export const snapshotAsOf = operation({
  name: 'snapshot_as_of',
  method: 'GET',
  path: '/v1/snapshot/as-of',
  surface: 'attention',
  group: 'snapshot tape',
  summary: 'The leaderboard at a past instant, without lookahead',
  description:
    'The frame recorded for the instant, or one computed from what was known then; the receipt says which, and that nothing later was used.',
  access: PUBLIC,
  input: z.strictObject({
    as_of: InstantInput,
    limit: limitInput(100, 25),
    include_proof: IncludeProof,
  }),
  output: PastBoard,
  failures: [
    'invalid_as_of',
    'as_of_out_of_range',
    'invalid_limit',
    'invalid_parameter',
    'unknown_parameter',
    'replay_busy',
    'log_key_unavailable',
    'archive_unavailable',
  ],
  keeps: 'frame',
  example: { as_of: '2026-01-31T14:30:00Z', limit: 5 },
});
