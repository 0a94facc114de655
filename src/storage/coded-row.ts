// What the tape holds of a row, and the row again from it.
import type { Denominator, Row } from '../domain/facts/frame.js';
import type { CodedRow } from '../domain/facts/row-codec.js';

/** Member by member: a board has ten thousand rows, and copying them by spread takes ten times as long. */
export function codedRow(row: Row, denominatorRef: number): CodedRow {
  return {
    slot: row.slot,
    rank: row.rank,
    state: row.state,
    band: row.band,
    activity: row.activity,
    density: row.density,
    share: row.share,
    velocity: row.velocity,
    surprise: row.surprise,
    independence: row.independence,
    entityPrecision: row.entityPrecision,
    ambiguous: row.ambiguous,
    posts: row.posts,
    authors: row.authors,
    narratives: row.narratives,
    denominatorRef,
  };
}

/** The row again, from what the tape holds and what is kept elsewhere. */
export function wholeRow(row: CodedRow, ticker: string, denominator: Denominator): Row {
  return {
    slot: row.slot,
    ticker,
    rank: row.rank,
    state: row.state,
    band: row.band,
    activity: row.activity,
    density: row.density,
    share: row.share,
    velocity: row.velocity,
    surprise: row.surprise,
    independence: row.independence,
    entityPrecision: row.entityPrecision,
    ambiguous: row.ambiguous,
    posts: row.posts,
    authors: row.authors,
    narratives: row.narratives,
    denominator,
  };
}
