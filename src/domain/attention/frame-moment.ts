// What the state of attention needs of one frame: its total, how it is shared, and who stands first.
import type { Instant } from '../../kernel/instant.js';
import { herfindahl } from '../../kernel/statistics/concentration.js';
import type { Row } from '../facts/frame.js';
import { byRank } from '../facts/published.js';

export interface FrameMoment {
  readonly at: Instant;
  /** Of all tickers together; the level of the source set is divided out of it already. */
  readonly activity: number;
  /** As many equal tickers would be as concentrated; null with fewer than two that have any activity. */
  readonly effective: number | null;
  /** Share of the tickers with a measured surprise whose surprise is large; null without any. */
  readonly breadth: number | null;
  /** The first tickers, by rank. */
  readonly first: readonly string[];
}

/** A surprise of 2 is one in a hundred. */
const SURPRISING = 2;
const FIRST = 200;

export const activitiesOf = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ activity }) => (activity !== null && activity > 0 ? [activity] : []));

function breadthOf(rows: readonly Row[]): number | null {
  const surprises = rows.flatMap(({ surprise }) => (surprise === null ? [] : [surprise]));
  if (surprises.length === 0) return null;
  return surprises.filter((surprise) => surprise >= SURPRISING).length / surprises.length;
}

export function momentOf(at: Instant, rows: readonly Row[]): FrameMoment {
  const activities = activitiesOf(rows);
  return {
    at,
    activity: activities.reduce((sum, activity) => sum + activity, 0),
    effective: activities.length < 2 ? null : 1 / herfindahl(activities),
    breadth: breadthOf(rows),
    first: byRank(rows, FIRST).map(({ ticker }) => ticker),
  };
}
