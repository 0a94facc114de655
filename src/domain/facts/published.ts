// What the recorder tells every API process when a frame is recorded: enough for the live board, and no more.
import type { RecordedHeader, Row } from './frame.js';

export const PUBLISHED_ROWS = 100;

export interface PublishedFrame {
  readonly header: RecordedHeader;
  /** The first ranked rows, by rank. */
  readonly top: readonly Row[];
  /** Ranks of those tickers in the frame before. */
  readonly previousRanks: Readonly<Record<string, number>>;
  readonly ranked: number;
}

/** Ranked rows by rank. */
export function byRank(rows: readonly Row[], limit: number): Row[] {
  return rows.filter((row) => row.rank !== null && row.rank <= limit).sort((a, b) => a.rank! - b.rank!);
}

export function publishedFrame(
  header: RecordedHeader,
  rows: readonly Row[],
  previous: readonly Row[] | null,
): PublishedFrame {
  const top = byRank(rows, PUBLISHED_ROWS);
  const previousRanks: Record<string, number> = {};
  for (const { slot, ticker } of top) {
    const rank = previous?.[slot]?.rank;
    if (rank !== null && rank !== undefined) previousRanks[ticker] = rank;
  }
  return { header, top, previousRanks, ranked: rows.filter((row) => row.rank !== null).length };
}
