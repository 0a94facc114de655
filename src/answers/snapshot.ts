// Answers of the snapshot tape: the board now, and one ticker now or then.
import type { LeaderboardFrame, TickerPacket } from '../contracts/attention/board.js';
import { Failure } from '../contracts/failures.js';
import type { PublishedFrame } from '../domain/facts/published.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import type { AssetNames } from './asset-names.js';
import {
  capBucket,
  coreKpiValues,
  denominatorShape,
  isFixture,
  leaderboardRow,
  liveFreshness,
  POLICY_PATH,
  receiptShape,
} from './board-shapes.js';
import type { LiveBoard } from './live-board.js';
import type { FrameOfInstant, PastFrames } from './past-frames.js';

export interface SnapshotParts {
  readonly live: LiveBoard;
  readonly past: PastFrames;
  readonly names: AssetNames;
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

export function snapshotAnswers({ live, past, names, clock }: SnapshotParts) {
  const latest = (): PublishedFrame => {
    if (live.latest) return live.latest;
    throw new Failure('warming_up', { retryAfterSeconds: 2 });
  };

  return {
    async snapshot_leaderboard({ limit }: { limit: number }): Promise<LeaderboardFrame> {
      const frame = latest();
      return leaderboardFrame(frame, limit, liveFreshness(frame.header, clock()));
    },

    async snapshot_ticker({
      ticker,
      as_of,
    }: {
      ticker: string;
      as_of?: string | undefined;
    }): Promise<TickerPacket> {
      const at = as_of === undefined ? clock() : await past.instantOf(as_of);
      const frame: FrameOfInstant =
        as_of === undefined ? { recorded: true, header: latest().header } : await past.at(at);
      const [row, asset] = await Promise.all([past.row(frame, ticker), names.at(ticker, at)]);
      if (!row || (!asset && row.posts === 0)) throw new Failure('ticker_not_found');
      const { header } = frame;
      const then = frame.recorded ? 'archived' : 'simulated';
      return {
        ticker: row.ticker,
        name: asset?.name ?? null,
        sector: asset?.sector ?? null,
        as_of: formatInstant(as_of === undefined ? header.at : at),
        state: row.state,
        rank: row.rank,
        core_kpi_values: coreKpiValues(row),
        anomaly_band: row.band,
        cap_bucket: capBucket(row.denominator),
        denominator: denominatorShape(row.denominator),
        activity: row.activity,
        sample: { posts: row.posts, authors: row.authors, narratives: row.narratives },
        entity: { precision: row.entityPrecision, ambiguous: row.ambiguous },
        source_set_version: header.sourceSet.version,
        freshness: as_of === undefined ? liveFreshness(header, at) : isFixture(header) ? 'fixture' : then,
        receipt: receiptShape(header, as_of === undefined ? header.at : at, frame.recorded),
        policy: POLICY_PATH,
      };
    },
  };
}
