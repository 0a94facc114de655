// Answers of the snapshot tape: the board now, and the board at a past instant.
import type { LeaderboardFrame } from '../contracts/attention/board.js';
import type { PastBoard, snapshotAsOf } from '../contracts/attention/past-board.js';
import type { InputOf } from '../contracts/operation.js';
import { byRank, type PublishedFrame } from '../domain/facts/published.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import { leaderboardRow, liveFreshness, POLICY_PATH, pastFreshness } from './board-shapes.js';
import type { Evidence } from './evidence/evidence.js';
import type { LiveBoard } from './live-board.js';
import { newestFrame } from './newest-frame.js';
import type { FrameOfInstant, PastFrames } from './past-frames.js';

export interface SnapshotParts {
  readonly archive: ArchiveReader;
  readonly live: LiveBoard;
  readonly past: PastFrames;
  readonly evidence: Evidence;
  readonly clock: Clock;
}

export function leaderboardFrame(
  { header, top, previousRanks, ranked }: PublishedFrame,
  limit: number,
  freshness: LeaderboardFrame['freshness'],
): LeaderboardFrame {
  return {
    event: 'snapshot',
    seq: header.sequence,
    as_of: formatInstant(header.at),
    generated_at: formatInstant(header.knownAt),
    frame_sha256: header.fingerprint,
    source_set_version: header.sourceSet.version,
    sources: [...header.sourceSet.sources],
    sources_warming: [...header.sourceSet.warming],
    tickers: header.rowCount,
    ranked,
    freshness,
    policy: POLICY_PATH,
    leaderboard: top.slice(0, limit).map((row) => leaderboardRow(row, previousRanks[row.ticker] ?? null)),
  };
}

export function snapshotAnswers({ archive, live, past, evidence, clock }: SnapshotParts) {
  /** Ranks in the frame recorded before a recorded one; a computed frame has none before it. */
  async function ranksBefore(frame: FrameOfInstant): Promise<ReadonlyMap<string, number>> {
    const before = frame.recorded ? await archive.frameAt(frame.header.at - 1) : null;
    const rows = before ? ((await archive.boardAt(before.at)) ?? []) : [];
    return new Map(rows.flatMap(({ ticker, rank }) => (rank === null ? [] : [[ticker, rank] as const])));
  }

  return {
    async snapshot_leaderboard({ limit }: { limit: number }): Promise<LeaderboardFrame> {
      const frame = newestFrame(live);
      return leaderboardFrame(frame, limit, liveFreshness(frame.header, clock()));
    },

    async snapshot_as_of(input: InputOf<typeof snapshotAsOf>): Promise<PastBoard> {
      const { as_of, limit, include_proof } = input;
      const at = await past.instantOf(as_of);
      const frame = await past.at(at);
      const { header } = frame;
      const [rows, before] = await Promise.all([past.board(frame), ranksBefore(frame)]);
      const shown = byRank(rows, limit);
      return {
        as_of: formatInstant(at),
        frame_at: formatInstant(header.at),
        frame_sha256: header.fingerprint,
        source_set_version: header.sourceSet.version,
        sources: [...header.sourceSet.sources],
        tickers: header.rowCount,
        ranked: rows.filter(({ rank }) => rank !== null).length,
        freshness: pastFreshness(frame),
        receipt: await evidence.receipt(frame, at, include_proof ? shown : null),
        policy: POLICY_PATH,
        leaderboard: shown.map((row) => leaderboardRow(row, before.get(row.ticker) ?? null)),
      };
    },
  };
}
