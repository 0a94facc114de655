// Builds the wire shapes of the snapshot tape from rows and headers.
import type { LeaderboardFrame, TickerPacket } from '../contracts/attention/board.js';
import type { Denominator, FrameHeader, Row } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { formatInstant, SECOND } from '../kernel/instant.js';

export const POLICY_PATH = '/v1/api-scope';

type LeaderboardRow = LeaderboardFrame['leaderboard'][number];

export function capBucket({ usdBillions }: Denominator): LeaderboardRow['cap_bucket'] {
  if (usdBillions === null) return 'unknown';
  if (usdBillions < 0.05) return 'nano';
  if (usdBillions < 0.3) return 'micro';
  if (usdBillions < 2) return 'small';
  if (usdBillions < 10) return 'mid';
  return usdBillions <= 200 ? 'large' : 'mega';
}

export function coreKpiValues(row: Row): LeaderboardRow['core_kpi_values'] {
  return {
    attention_density: row.density,
    attention_share: row.share,
    attention_velocity: row.velocity,
    attention_surprise: row.surprise,
    voice_independence: row.independence,
  };
}

export function leaderboardRow(row: Row, previousRank: number | null): LeaderboardRow {
  return {
    ticker: row.ticker,
    rank: row.rank!,
    rank_prev: previousRank,
    core_kpi_values: coreKpiValues(row),
    attention_density: row.density!,
    anomaly_band: row.band,
    cap_bucket: capBucket(row.denominator),
    state: row.state,
    denominator_state: row.denominator.state,
    entity_precision: row.entityPrecision,
  };
}

/** Synthetic data never pass for anything else. */
export function isFixture({ sourceSet }: FrameHeader): boolean {
  return [...sourceSet.sources, ...sourceSet.warming].some((source) => source.startsWith('fixture'));
}

/** How many cycles a frame may be late before it is called stale. */
const CYCLES_UNTIL_STALE = 3;

export function liveFreshness(header: FrameHeader, now: Instant): LeaderboardFrame['freshness'] {
  if (isFixture(header)) return 'fixture';
  return now - header.at > CYCLES_UNTIL_STALE * header.cycleSeconds * SECOND ? 'stale' : 'live';
}

/** A frame that was asked for by its instant. */
export function pastFreshness({
  recorded,
  header,
}: {
  readonly recorded: boolean;
  readonly header: FrameHeader;
}): LeaderboardFrame['freshness'] {
  if (isFixture(header)) return 'fixture';
  return recorded ? 'archived' : 'simulated';
}

export function denominatorShape(denominator: Denominator): TickerPacket['denominator'] {
  return {
    usd_billions: denominator.usdBillions,
    shares: denominator.shares,
    shares_known_at: denominator.sharesKnownAt === null ? null : formatInstant(denominator.sharesKnownAt),
    shares_source: denominator.sharesSource,
    close: denominator.close,
    close_date: denominator.closeDate,
    state: denominator.state,
  };
}

/** `logIndex` is the leaf that states a recorded frame. */
export function receiptShape(
  { header, recorded }: { readonly header: FrameHeader; readonly recorded: boolean },
  asOf: Instant,
  logIndex: number | null,
): TickerPacket['receipt'] {
  const logged = logIndex === null ? 'unlogged' : 'logged';
  return {
    as_of: formatInstant(asOf),
    frame_at: formatInstant(header.at),
    frame_sha256: header.fingerprint,
    recorded,
    archive_high_water: header.highWater,
    newest_known_at: header.newestKnownAt === null ? null : formatInstant(header.newestKnownAt),
    lookahead: false,
    knowledge: header.postsBackfilled > 0 ? 'simulated' : 'observed',
    backfilled_share:
      header.postsUsed === 0 ? 0 : Number((header.postsBackfilled / header.postsUsed).toFixed(4)),
    commitment: recorded ? logged : 'recomputed',
    log_index: logIndex,
  };
}
