// Every feed, by name: the list that stream routes, documents and scope listings are made from.
import { leaderboardSocket, leaderboardStream } from './attention/stream.js';
import type { Feed } from './feed.js';
import { macroStream } from './macro/stream.js';

export const FEEDS = {
  leaderboard_stream: leaderboardStream,
  leaderboard_socket: leaderboardSocket,
  macro_stream: macroStream,
} as const satisfies Record<string, Feed>;
