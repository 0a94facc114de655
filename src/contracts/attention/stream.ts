// The pushed leaderboard: the heartbeat between its frames, and the two feeds that carry both.
import { z } from 'zod';
import { feed } from '../feed.js';
import { PUBLIC } from '../operation.js';
import { InstantText, limitInput, Sha256 } from '../primitives.js';
import { LeaderboardFrame } from './board.js';

/** What a key needs to open a keyed feed. */
export const STREAM_SCOPE = 'stream:read';

export const LeaderboardHeartbeat = z
  .strictObject({
    event: z.literal('heartbeat'),
    seq: z.int().describe('Sequence number of the newest frame.'),
    as_of: InstantText.describe('The cycle boundary of the newest frame.'),
    last_frame_sha256: Sha256.describe('Fingerprint of the newest frame.'),
  })
  .meta({
    id: 'LeaderboardHeartbeat',
    description:
      'Sent when there is nothing new to show: the rows are those of the last snapshot, or an interval has not passed yet.',
  });
export type LeaderboardHeartbeat = z.input<typeof LeaderboardHeartbeat>;

const input = z.strictObject({
  limit: limitInput(100, 25),
  interval: z
    .int()
    .min(1)
    .max(300)
    .default(5)
    .describe('Seconds between two snapshots at the least, 1 to 300.'),
});
export type LeaderboardFeedInput = z.output<typeof input>;

const GROUP = 'snapshot tape';
const HOW = `The first frame is a snapshot. Later ones come only when the first \`limit\` rows have changed, at most one per \`interval\` and always the newest. In between a heartbeat comes every \`interval\`, at least every 20 seconds. A reader that takes nothing for 30 seconds is disconnected.`;

export const leaderboardStream = feed({
  name: 'leaderboard_stream',
  wire: 'sse',
  method: 'GET',
  path: '/api/snapshot/leaderboard/stream',
  surface: 'attention',
  group: GROUP,
  summary: 'The leaderboard as server-sent events, for pages of this origin',
  description: `Events \`snapshot\` and \`heartbeat\` for a browser's EventSource, which cannot send a key: the server stands in for it, so only pages of the same origin may ask. ${HOW} The id of a snapshot is its \`seq\`; a client that comes back with the newest one as \`Last-Event-ID\` gets a heartbeat first instead of the same rows again.`,
  access: PUBLIC,
  input,
  events: { snapshot: LeaderboardFrame, heartbeat: LeaderboardHeartbeat },
  failures: [
    'invalid_limit',
    'invalid_interval',
    'unknown_parameter',
    'origin_not_allowed',
    'too_many_streams',
    'streams_exhausted',
  ],
  example: { limit: 10, interval: 5 },
});

export const leaderboardSocket = feed({
  name: 'leaderboard_socket',
  wire: 'websocket',
  method: 'GET',
  path: '/v1/snapshot/leaderboard/ws',
  surface: 'attention',
  group: GROUP,
  summary: 'The leaderboard over a WebSocket',
  description: `A WebSocket that pushes JSON frames with \`event\` = \`snapshot\` or \`heartbeat\`. The key travels in the handshake, never in the address: offer the two subprotocols \`barograph.snapshot.v1\` and \`barograph.key.\` followed by the base64url encoding of the key, without padding; only the first is ever selected. ${HOW} Close codes: 1001 the server stops, 1008 the client talks too much, 1009 a message over 1 KB, 1013 the reader was too slow, 4401 the key has ended.`,
  access: { kind: 'key', scope: STREAM_SCOPE },
  input,
  events: { snapshot: LeaderboardFrame, heartbeat: LeaderboardHeartbeat },
  failures: [
    'bad_request',
    'invalid_limit',
    'invalid_interval',
    'unknown_parameter',
    'origin_not_allowed',
    'too_many_streams',
    'streams_exhausted',
  ],
  example: { limit: 10, interval: 5 },
});
