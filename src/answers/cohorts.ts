// Cohorts of the newest frame: the same summary for market-capitalisation buckets and for themes.
import { CapBucket } from '../contracts/attention/board.js';
import type { Buckets, Themes } from '../contracts/attention/cohorts.js';
import { isElevated } from '../domain/attention/tape-health.js';
import type { Row } from '../domain/facts/frame.js';
import { byRank } from '../domain/facts/published.js';
import { sixDigits } from '../domain/facts/row-codec.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import { median } from '../kernel/statistics/order-statistics.js';
import type { AssetNames } from './asset-names.js';
import { capBucket, leaderboardRow, liveFreshness, POLICY_PATH } from './board-shapes.js';
import { themeOf } from './theme.js';
import type { Board, WholeBoard } from './whole-board.js';

export interface CohortParts {
  readonly board: WholeBoard;
  readonly names: AssetNames;
  readonly clock: Clock;
}

type Cohort = Omit<Buckets['buckets'][number], 'bucket'>;

function cohort(rows: readonly Row[], limit: number): Cohort {
  const ranked = rows.filter(({ rank }) => rank !== null);
  return {
    count: rows.length,
    ranked: ranked.length,
    activity_share: sixDigits(rows.reduce((sum, { share }) => sum + (share ?? 0), 0)),
    median_density: ranked.length === 0 ? null : sixDigits(median(ranked.map(({ density }) => density!))),
    elevated: rows.filter(isElevated).length,
    leaderboard: byRank(ranked, Number.POSITIVE_INFINITY)
      .slice(0, limit)
      .map((row) => leaderboardRow(row, null)),
  };
}

export function cohortAnswers({ board, names, clock }: CohortParts) {
  const frameOf = ({ header }: Board) => ({
    seq: header.sequence,
    as_of: formatInstant(header.at),
    frame_sha256: header.fingerprint,
    freshness: liveFreshness(header, clock()),
    policy: POLICY_PATH,
  });

  return {
    async snapshot_buckets({ limit }: { limit: number }): Promise<Buckets> {
      const newest = await board.newest();
      return {
        ...frameOf(newest),
        buckets: CapBucket.options.map((bucket) => ({
          bucket,
          ...cohort(
            newest.rows.filter(({ denominator }) => capBucket(denominator) === bucket),
            limit,
          ),
        })),
      };
    },

    async snapshot_themes({ limit }: { limit: number }): Promise<Themes> {
      const newest = await board.newest();
      const byTicker = new Map(newest.rows.map((row) => [row.ticker, row]));
      const themes = [...(await names.sectors(newest.header.at))].map(([sector, tickers]) => ({
        ...themeOf(sector),
        ...cohort(
          tickers.flatMap((ticker) => byTicker.get(ticker) ?? []),
          limit,
        ),
      }));
      const order = (a: (typeof themes)[number], b: (typeof themes)[number]): number =>
        b.activity_share - a.activity_share || (a.theme < b.theme ? -1 : 1);
      return { ...frameOf(newest), themes: themes.sort(order) };
    },
  };
}
