// Every operation, by name: the list that routes, documents, tools and clients are made from.
import { snapshotLeaderboard, snapshotTicker } from './attention/board.js';
import type { AnswersTo, Operation } from './operation.js';
import { health } from './readiness.js';

export const OPERATIONS = {
  snapshot_leaderboard: snapshotLeaderboard,
  snapshot_ticker: snapshotTicker,
  health,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export type Answers = AnswersTo<typeof OPERATIONS>;
