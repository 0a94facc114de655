// Everything about one index at an instant: its row, its reading, its past readings and the sectors that answer to it.
import { DAY, type Instant } from '../../kernel/instant.js';
import { writeDay } from '../../kernel/new-york-time.js';
import { FAMILIES, familyPlace } from './catalogue/families.js';
import type { IndexRow } from './catalogue/index-row.js';
import { INDEXES } from './catalogue/indexes.js';
import { SECTORS } from './catalogue/sector-priors.js';
import { indexReading } from './frame-parts.js';
import type { IndexTimeline } from './index-timeline.js';
import { type IndexReading, rounded } from './macro-frame.js';
import { standingAt } from './reading.js';

export interface PastReading {
  readonly observedOn: string;
  readonly knownAt: Instant;
  readonly value: number | null;
  readonly z: number | null;
}

export interface IndexDetail {
  readonly row: IndexRow;
  readonly reading: IndexReading;
  /** Changes of z over one, four and thirteen weeks. */
  readonly changes: { readonly w1: number | null; readonly w4: number | null; readonly w13: number | null };
  /** Whether the newest value has changed since it was first reported. */
  readonly revisedSinceFirst: boolean;
  /** One reading per reference day, as it stood last before the instant; oldest first. */
  readonly history: readonly PastReading[];
  /** Sectors whose returns answered most to it, the strongest first; none where that was not measured. */
  readonly sectors: readonly {
    readonly sector: string;
    readonly fund: string;
    readonly basisPoints: number;
  }[];
}

const WEEK = 7 * DAY;
const SECTORS_SHOWN = 4;

export function indexDetail(
  place: number,
  timelines: readonly IndexTimeline[],
  at: Instant,
  points: number,
): IndexDetail {
  const row = INDEXES[place]!;
  const standing = standingAt(timelines, at);
  const reading = indexReading(place, standing, standingAt(timelines, at - WEEK));
  const change = (weeks: number): number | null => {
    if (standing === null) return null;
    const { timeline } = standing;
    const then = timeline.placeAt(at - weeks * WEEK);
    return then < 0 ? null : rounded(timeline.z.at(standing.place) - timeline.z.at(then));
  };
  return {
    row,
    reading,
    changes: { w1: change(1), w4: change(4), w13: change(13) },
    revisedSinceFirst: standing !== null && isRevised(standing.timeline, standing.place),
    history: standing === null ? [] : pastReadings(standing.timeline, standing.place, points),
    sectors: exposedSectors(row),
  };
}

/** The moves were measured against the anchor of a family: they say nothing about its other members. */
function exposedSectors({ symbol, family }: IndexRow): IndexDetail['sectors'] {
  if (FAMILIES[familyPlace(family)]!.anchor !== symbol) return [];
  return SECTORS.flatMap(({ sector, fund, moves }) => {
    const basisPoints = moves[family];
    return basisPoints === undefined ? [] : [{ sector, fund, basisPoints }];
  })
    .sort((a, b) => Math.abs(b.basisPoints) - Math.abs(a.basisPoints))
    .slice(0, SECTORS_SHOWN);
}

function isRevised({ shown, referenceDays }: IndexTimeline, place: number): boolean {
  let first = place;
  while (first > 0 && referenceDays.at(first - 1) === referenceDays.at(place)) first -= 1;
  return shown.at(first) !== shown.at(place);
}

function pastReadings(timeline: IndexTimeline, last: number, points: number): PastReading[] {
  const found: PastReading[] = [];
  let day = Number.POSITIVE_INFINITY;
  for (let place = last; place >= 0 && found.length < points; place -= 1) {
    const observed = timeline.referenceDays.at(place);
    // Going back in time, the first reading of a day that is met is the last one that was made of it.
    if (observed >= day) continue;
    day = observed;
    found.push({
      observedOn: writeDay(observed),
      knownAt: timeline.knownAt.at(place),
      value: rounded(timeline.shown.at(place)),
      z: rounded(timeline.z.at(place)),
    });
  }
  return found.reverse();
}
