// What was published about the indexes between two instants, and what is due next by the release clocks.
import type { Instant } from '../../kernel/instant.js';
import { writeDay } from '../../kernel/new-york-time.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { INDEXES } from './catalogue/indexes.js';
import type { IndexTimeline } from './index-timeline.js';
import { rounded } from './macro-frame.js';
import { lastUpTo } from './number-column.js';
import { AGE } from './parameters.js';
import { standingAt } from './reading.js';
import { nextReference } from './release-clock.js';

export interface Release {
  readonly symbol: string;
  readonly releasedAt: Instant;
  /** The reference day of the new value. */
  readonly observedOn: string;
  readonly value: number | null;
  /** The value before it, as it stands after this release. */
  readonly prior: number | null;
  /** Whether this release changed the value before it. */
  readonly priorRevised: boolean;
  readonly zBefore: number | null;
  readonly zAfter: number | null;
}

export interface UpcomingRelease {
  readonly symbol: string;
  readonly name: string;
  readonly dueAt: Instant;
  readonly forDay: string;
  /** How far its z-score has usually jumped at a release; null while there are too few to tell. */
  readonly usualGap: number | null;
}

/** Releases that a usual gap is taken over, and the least that it needs. */
const GAPS = 26;
const FEWEST_GAPS = 8;

/** Releases of new values with `from` < known ≤ `to`, by time, then in catalogue order. */
export function releasesBetween(
  timelines: readonly (readonly IndexTimeline[])[],
  from: Instant,
  to: Instant,
): Release[] {
  const found: Release[] = [];
  timelines.forEach((candidates, i) => {
    const timeline = standingAt(candidates, to)?.timeline;
    if (!timeline) return;
    const last = lastUpTo(timeline.knownAt, to);
    for (let place = lastUpTo(timeline.knownAt, from) + 1; place <= last; place += 1) {
      const observed = timeline.referenceDays.at(place);
      if (place > 0 && timeline.referenceDays.at(place - 1) === observed) continue;
      const before = place > 0 ? timeline.shown.at(place - 1) : Number.NaN;
      const prior = timeline.prior(place);
      found.push({
        symbol: INDEXES[i]!.symbol,
        releasedAt: timeline.knownAt.at(place),
        observedOn: writeDay(observed),
        value: rounded(timeline.shown.at(place)),
        prior: rounded(prior),
        priorRevised: !Number.isNaN(before) && !Number.isNaN(prior) && before !== prior,
        zBefore: place > 0 ? rounded(timeline.z.at(place - 1)) : null,
        zAfter: rounded(timeline.z.at(place)),
      });
    }
  });
  return found.sort((a, b) => a.releasedAt - b.releasedAt);
}

/** Values that the release clocks expect after `from` and up to `to`, as seen at `from`. */
export function upcomingReleases(
  timelines: readonly (readonly IndexTimeline[])[],
  from: Instant,
  to: Instant,
): UpcomingRelease[] {
  const found: UpcomingRelease[] = [];
  timelines.forEach((candidates, i) => {
    const standing = standingAt(candidates, from);
    if (standing === null) return;
    const { timeline, place } = standing;
    const { frequency } = timeline.source;
    const dueAt = timeline.dueAt(place) - AGE.grace[frequency];
    if (dueAt <= from || dueAt > to) return;
    const forDay = nextReference(frequency, timeline.referenceDays.at(place));
    const { symbol, name } = INDEXES[i]!;
    found.push({ symbol, name, dueAt, forDay: writeDay(forDay), usualGap: usualGap(timeline, place) });
  });
  return found.sort((a, b) => a.dueAt - b.dueAt);
}

/** The middle size of the last jumps of z that came with a new reference day. */
function usualGap({ z, referenceDays }: IndexTimeline, last: number): number | null {
  const sizes: number[] = [];
  for (let place = last; place > 0 && sizes.length < GAPS; place -= 1) {
    if (referenceDays.at(place) === referenceDays.at(place - 1)) continue;
    const size = Math.abs(z.at(place) - z.at(place - 1));
    if (Number.isNaN(size)) break;
    sizes.push(size);
  }
  return sizes.length < FEWEST_GAPS ? null : rounded(median(sizes));
}
