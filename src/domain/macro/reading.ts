// What is known about one index at an instant: its newest value, how unusual it is, and how far it has aged.
import { HOUR, type Instant } from '../../kernel/instant.js';
import type { IndexTimeline } from './index-timeline.js';
import { AGE } from './parameters.js';

/** live: as new as it can be; delayed: overdue; stale: overdue for too long to count; warming: history too short. */
export const INDEX_STATUSES = ['live', 'delayed', 'stale', 'warming', 'unavailable'] as const;
export type IndexStatus = (typeof INDEX_STATUSES)[number];

/** Where a reading stands: a timeline and a place in it, with the weight that its age leaves. */
export interface Standing {
  readonly timeline: IndexTimeline;
  readonly place: number;
  readonly status: IndexStatus;
  /** 1 while the value is as new as it can be, then halving with every half-life; 0 when it does not count. */
  readonly weight: number;
  readonly overdueHours: number;
}

const THOUSAND = 1000;

/** Ages are counted in whole hours and weights in thousandths, so that a frame does not change with every second. */
function standing(timeline: IndexTimeline, place: number, at: Instant): Standing {
  const { frequency } = timeline.source;
  const overdueHours = Math.max(0, Math.floor((at - timeline.dueAt(place)) / HOUR));
  if (Number.isNaN(timeline.z.at(place)))
    return { timeline, place, status: 'warming', weight: 0, overdueHours };
  const halfLives = (overdueHours * HOUR) / AGE.halfLife[frequency];
  if (halfLives > AGE.staleHalfLives) return { timeline, place, status: 'stale', weight: 0, overdueHours };
  const cap =
    timeline.row.revision === 'refitted' && timeline.vintages.at(place) === 2 ? AGE.latestOnlyWeight : 1;
  const weight = (cap * Math.round(2 ** -halfLives * THOUSAND)) / THOUSAND;
  return { timeline, place, status: overdueHours > 0 ? 'delayed' : 'live', weight, overdueHours };
}

const RANK: Record<IndexStatus, number> = { live: 0, delayed: 1, stale: 2, warming: 3, unavailable: 4 };

/** The better standing of an index and its fallback; null while neither has said anything. */
export function standingAt(timelines: readonly IndexTimeline[], at: Instant): Standing | null {
  let best: Standing | null = null;
  for (const timeline of timelines) {
    const place = timeline.placeAt(at);
    if (place < 0) continue;
    const candidate = standing(timeline, place, at);
    if (best === null || RANK[candidate.status] < RANK[best.status]) best = candidate;
    // The source itself goes first: a fallback is asked only where the source does not count.
    if (best.weight > 0) return best;
  }
  return best;
}

export function counts(status: IndexStatus): boolean {
  return status === 'live' || status === 'delayed';
}
