// How far each index moved in each week: market series by the day they are dated, releases by the week they came out.
import type { Instant } from '../../kernel/instant.js';
import type { IndexTimeline } from './index-timeline.js';
import { placeUpTo } from './level-view.js';
import { lastUpTo } from './number-column.js';
import { standingAt } from './reading.js';
import { weekEndDay, weekStep } from './sessions.js';
import { moveOf } from './transforms.js';

/** Moves of the weeks first … last as known by the instant, NaN where a week has none; null for slow indexes. */
export function weeklyMoves(
  timelines: readonly IndexTimeline[],
  first: number,
  last: number,
  knownBy: Instant,
): Float64Array | null {
  const timeline = standingAt(timelines, knownBy)?.timeline;
  if (!timeline) return null;
  const { frequency } = timeline.source;
  // A monthly value says nothing about one week among four; its index takes part through its family.
  if (frequency === 'M' || frequency === 'Q') return null;
  const levels = frequency === 'W' ? releasedLevels : datedLevels;
  const at = levels(timeline, first - 1, last, knownBy);
  const moves = new Float64Array(last - first + 1);
  for (let i = 0; i < moves.length; i += 1) moves[i] = at[i + 1]! - at[i]!;
  return moves;
}

/** The z-score as it stood at the end of each week: markets answer to a release when it comes. */
function releasedLevels(timeline: IndexTimeline, first: number, last: number): Float64Array {
  const at = new Float64Array(last - first + 1);
  const known = timeline.knownAt.values;
  let place = lastUpTo(timeline.knownAt, weekStep(first));
  for (let week = first; week <= last; week += 1) {
    const step = weekStep(week);
    while (place + 1 < timeline.knownAt.length && known[place + 1]! <= step) place += 1;
    at[week - first] = place < 0 ? Number.NaN : timeline.z.at(place);
  }
  return at;
}

/** The level dated in each week, as first reported: the same days that the returns are measured over. */
function datedLevels(timeline: IndexTimeline, first: number, last: number, knownBy: Instant): Float64Array {
  const move = moveOf(timeline.row.transform);
  const { days } = timeline;
  const known = timeline.firstKnownAt.values;
  const { length } = timeline.firstKnownAt;
  const at = new Float64Array(last - first + 1);
  let place = placeUpTo(days, length, weekEndDay(first));
  for (let week = first; week <= last; week += 1) {
    const end = weekEndDay(week);
    while (place + 1 < length && days[place + 1]! <= end) place += 1;
    let found = place;
    while (found >= 0 && days[found]! > end - 7 && known[found]! > knownBy) found -= 1;
    const value = found >= 0 && days[found]! > end - 7 ? timeline.firstMove(found) : Number.NaN;
    at[week - first] = move !== 'log' ? value : value > 0 ? Math.log(value) : Number.NaN;
  }
  return at;
}
