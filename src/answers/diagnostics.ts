// The health of the tape as the archive and the recorder show it.
import type { Diagnostics } from '../contracts/attention/diagnostics.js';
import { elevatedShare, gapsIn, REGIME, regimeOf, turnoverOf } from '../domain/attention/tape-health.js';
import { ANOMALY_BANDS, type AnomalyBand, type RecordedHeader, type Row } from '../domain/facts/frame.js';
import { byRank } from '../domain/facts/published.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { DAY, formatInstant, HOUR, SECOND } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import { liveFreshness, POLICY_PATH } from './board-shapes.js';
import type { RecorderWatch } from './health.js';
import type { WholeBoard } from './whole-board.js';

export interface DiagnosticParts {
  readonly archive: ArchiveReader;
  readonly board: WholeBoard;
  readonly watch: RecorderWatch;
  readonly clock: Clock;
}

const TOP = 25;
const SHOWN_GAPS = 10;

const rounded = (value: number): number => Number(value.toFixed(4));

export function diagnosticsAnswer({ archive, board, watch, clock }: DiagnosticParts) {
  async function headersIn(from: Instant, to: Instant): Promise<RecordedHeader[]> {
    const headers: RecordedHeader[] = [];
    for await (const page of archive.frames(from, to)) headers.push(...page);
    return headers;
  }

  async function turnover(rows: readonly Row[], at: Instant): Promise<Diagnostics['turnover']> {
    const then = await archive.frameAt(at - HOUR);
    // A frame long before that hour says nothing about it.
    if (!then || at - HOUR - then.at > 2 * then.cycleSeconds * SECOND) return null;
    const first = (board: readonly Row[]): string[] => byRank(board, TOP).map(({ ticker }) => ticker);
    const { entered, share } = turnoverOf(first(rows), first((await archive.boardAt(then.at)) ?? []));
    return { top: TOP, against: formatInstant(then.at), entered, share: rounded(share) };
  }

  const sources = ({ sourceSet }: RecordedHeader): Diagnostics['sources'] => [
    ...sourceSet.sources.map((source) => ({ source, state: 'counted' as const })),
    ...sourceSet.warming.map((source) => ({ source, state: 'warming' as const })),
  ];

  const connectors = (): Diagnostics['connectors'] =>
    (watch.status?.sources ?? []).map(({ source, state, lastFactAt }) => ({
      connector: source,
      state,
      last_fact_at: lastFactAt === null ? null : formatInstant(lastFactAt),
    }));

  return async (): Promise<Diagnostics> => {
    const now = clock();
    const from = now - DAY;
    const { header, rows } = await board.newest();
    const [headers, before, turned] = await Promise.all([
      headersIn(from + 1, now),
      archive.frameAt(from),
      turnover(rows, header.at),
    ]);
    const gaps = gapsIn(headers, before, from, now);
    const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
    const share = elevatedShare(rows);
    const inBand = (band: AnomalyBand): number => rows.filter((row) => row.band === band).length;
    return {
      as_of: formatInstant(header.at),
      freshness: liveFreshness(header, now),
      window: 'PT24H',
      snapshots: headers.length,
      cycle_s: header.cycleSeconds,
      cycles: headers.length + missing,
      gaps: {
        missing,
        spans: gaps
          .toSorted((a, b) => b.missing - a.missing || a.from - b.from)
          .slice(0, SHOWN_GAPS)
          .map((gap) => ({
            from: formatInstant(gap.from),
            to: formatInstant(gap.to),
            missing: gap.missing,
          })),
      },
      tickers: {
        covered: rows.length,
        ranked: rows.filter(({ rank }) => rank !== null).length,
        bands: Object.fromEntries(ANOMALY_BANDS.map((band) => [band, inBand(band)])) as Record<
          AnomalyBand,
          number
        >,
      },
      turnover: turned,
      attention_regime: {
        regime: share === null ? null : regimeOf(share),
        elevated_share: share === null ? null : rounded(share),
        active_from: REGIME.activeFrom,
        stressed_from: REGIME.stressedFrom,
      },
      sources: sources(header),
      connectors: connectors(),
      policy: POLICY_PATH,
    };
  };
}
