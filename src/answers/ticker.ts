// The packet of one ticker, now or at a past instant: values, receipts, recent bands, evidence.
import type { snapshotTicker, TickerPacket } from '../contracts/attention/board.js';
import { Failure } from '../contracts/failures.js';
import type { InputOf } from '../contracts/operation.js';
import { kpiStateOf } from '../domain/attention/kpi-receipts.js';
import type { AnomalyBand } from '../domain/facts/frame.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { formatInstant, LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { AssetNames } from './asset-names.js';
import {
  capBucket,
  coreKpiValues,
  denominatorShape,
  liveFreshness,
  POLICY_PATH,
  pastFreshness,
} from './board-shapes.js';
import type { Evidence } from './evidence/evidence.js';
import { packetReceipts } from './kpi-receipts.js';
import type { LiveBoard } from './live-board.js';
import { newestFrame } from './newest-frame.js';
import type { FrameOfInstant, PastFrames } from './past-frames.js';
import { themeOf } from './theme.js';
import { topPosts } from './top-posts.js';

export interface TickerParts {
  readonly archive: ArchiveReader;
  readonly live: LiveBoard;
  readonly past: PastFrames;
  readonly names: AssetNames;
  readonly evidence: Evidence;
  readonly clock: Clock;
}

const BAND_CHANGES = 24;

export function tickerAnswer({ archive, live, past, names, evidence, clock }: TickerParts) {
  async function bandHistory(ticker: string, to: Instant): Promise<TickerPacket['band_history']> {
    const changes = await archive.emissions({
      kind: 'signal',
      types: ['attention.band_changed'],
      ticker,
      to,
      knownBy: LATEST,
      newest: true,
      limit: BAND_CHANGES,
    });
    return changes.map(({ sequence, at, body }) => ({
      seq: sequence,
      as_of: formatInstant(at),
      prev: body['prev'] as AnomalyBand,
      now: body['now'] as AnomalyBand,
    }));
  }

  return async (input: InputOf<typeof snapshotTicker>): Promise<TickerPacket> => {
    const { ticker, as_of, top_posts_sort: sort } = input;
    const now = clock();
    const replayed = as_of === undefined ? null : await past.instantOf(as_of);
    const frame: FrameOfInstant =
      replayed === null ? { recorded: true, header: newestFrame(live).header } : await past.at(replayed);
    const { header } = frame;
    const at = replayed ?? now;
    const [row, asset] = await Promise.all([past.row(frame, ticker), names.at(ticker, at)]);
    if (!row || (!asset && row.posts === 0)) throw new Failure('ticker_not_found');
    const [posts, bands, receipt] = await Promise.all([
      topPosts(archive, { ticker, header, replayed, now, sort }),
      bandHistory(ticker, header.at),
      evidence.receipt(frame, replayed ?? header.at, input.include_proof ? [row] : null),
    ]);
    const packet = {
      ticker: row.ticker,
      name: asset?.name ?? null,
      sector: asset?.sector ?? null,
      as_of: formatInstant(replayed ?? header.at),
      state: row.state,
      rank: row.rank,
      core_kpi_values: coreKpiValues(row),
      anomaly_band: row.band,
      band_history: bands,
      cap_bucket: capBucket(row.denominator),
      themes: asset?.sector == null ? [] : [themeOf(asset.sector)],
      denominator: denominatorShape(row.denominator),
      activity: row.activity,
      sample: { posts: row.posts, authors: row.authors, narratives: row.narratives },
      entity: { precision: row.entityPrecision, ambiguous: row.ambiguous },
      top_posts: posts,
      top_posts_sort: sort,
      source_set_version: header.sourceSet.version,
      freshness: replayed === null ? liveFreshness(header, now) : pastFreshness(frame),
      receipt,
      policy: POLICY_PATH,
    };
    return { ...packet, core_kpis: packetReceipts(packet, header, (id) => kpiStateOf(id, row)) };
  };
}
