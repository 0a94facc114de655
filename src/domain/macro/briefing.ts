// The facts of the daily briefing: what the weather is, what changed, what came in, what is due, and what is missing.
import { DAY, HOUR, type Instant } from '../../kernel/instant.js';
import { newYorkDay, newYorkInstant, writeDay } from '../../kernel/new-york-time.js';
import { bandOf, type ScoreBand } from './asset-score.js';
import { INDEXES } from './catalogue/indexes.js';
import { SECTORS } from './catalogue/sector-priors.js';
import { changesBetween, type MacroChange } from './changes.js';
import { twoDecimals } from './gauges.js';
import type { Coverage, GaugeReading, IndexReading, MacroFrame, NarrativeReading } from './macro-frame.js';
import type { MacroState } from './macro-state.js';
import { ROBUST } from './parameters.js';
import type { Release, UpcomingRelease } from './releases.js';
import { lastStepBy, stepOf } from './sessions.js';

export type Edition = 'am' | 'update' | 'close';

export interface IndexMove {
  readonly symbol: string;
  readonly name: string;
  readonly z: number;
  /** Change of the wind-signed z over five sessions: up is easier for risk. */
  readonly change: number;
}

export interface SectorLine {
  readonly ticker: string;
  readonly sector: string;
  readonly score: number | null;
  readonly change5: number | null;
  readonly topDriver: string | null;
}

export interface DataGap {
  readonly symbol: string;
  readonly status: IndexReading['status'];
  readonly overdueHours: number | null;
}

export interface OldestValue {
  readonly symbol: string;
  readonly releasedAt: Instant;
}

export interface Briefing {
  readonly date: string;
  readonly edition: Edition;
  readonly at: Instant;
  readonly fingerprint: string;
  readonly headline: string;
  readonly regime: MacroFrame['regime'] & { readonly changedFrom: string | null };
  readonly market: {
    readonly score: number | null;
    readonly change1: number | null;
    readonly change5: number | null;
    readonly band: ScoreBand | null;
  };
  readonly gauges: readonly GaugeReading[];
  /** All that moved, the furthest first. */
  readonly moves: { readonly up: readonly IndexMove[]; readonly down: readonly IndexMove[] };
  readonly windFlips: readonly MacroChange[];
  readonly narratives: {
    readonly dominant: readonly NarrativeReading[];
    readonly rising: readonly NarrativeReading[];
    readonly fading: readonly NarrativeReading[];
    readonly turned: readonly MacroChange[];
  };
  readonly sectors: readonly SectorLine[];
  /** Values that came in since the session before. */
  readonly releases: readonly Release[];
  /** Values that are due today. */
  readonly calendar: readonly UpcomingRelease[];
  readonly health: Coverage & { readonly gaps: readonly DataGap[]; readonly oldest: OldestValue | null };
  /** Indexes whose wind would turn with a small move. */
  readonly watch: readonly { readonly symbol: string; readonly wind: string; readonly distance: number }[];
}

const WATCH_DISTANCE = 0.15;

/** The briefing as of an instant; differences are against the last session's step and the fifth before it. */
export function briefingAt(state: MacroState, at: Instant): Briefing {
  const frame = state.frame(at);
  const today = newYorkDay(at);
  const session = lastStepBy(at);
  // After today's step, "yesterday" is the step before it.
  const last = newYorkDay(stepOf(session)) === today ? session - 1 : session;
  const before = state.frame(stepOf(last));
  const weekAgo = state.frame(stepOf(last - 4));
  const changes = changesBetween(before, frame);
  const endOfDay = newYorkInstant(today + 1, 0);
  return {
    date: writeDay(today),
    edition: editionOf(at, today),
    at,
    fingerprint: frame.fingerprint,
    headline: headline(frame, weekAgo),
    regime: {
      ...frame.regime,
      changedFrom: before.regime.label === frame.regime.label ? null : before.regime.label,
    },
    market: {
      score: frame.marketScore,
      change1: difference(frame.marketScore, before.marketScore),
      change5: difference(frame.marketScore, weekAgo.marketScore),
      band: frame.marketScore === null ? null : bandOf(frame.marketScore),
    },
    gauges: frame.gauges,
    moves: movesBetween(weekAgo, frame),
    windFlips: changes.filter(({ kind }) => kind === 'wind_flip'),
    narratives: narrativesOf(frame, changes),
    sectors: sectorLines(state, frame, weekAgo),
    // Since the last close, but a day at least and four at most.
    releases: state.releases(Math.max(Math.min(stepOf(last), at - DAY), at - 4 * DAY), at),
    calendar: state.calendar(at, endOfDay),
    health: { ...frame.coverage, gaps: gapsOf(frame), oldest: oldestOf(frame) },
    watch: watchList(frame),
  };
}

function editionOf(at: Instant, today: number): Edition {
  const sinceMidnight = at - newYorkInstant(today, 0);
  if (sinceMidnight < 8.5 * HOUR) return 'am';
  return sinceMidnight < 16.5 * HOUR ? 'update' : 'close';
}

function difference(now: number | null, then: number | null): number | null {
  return now === null || then === null ? null : twoDecimals(now - then);
}

function headline({ regime, marketScore, gauges }: MacroFrame, weekAgo: MacroFrame): string {
  const label = regime.since === null ? regime.label : `${regime.label} since ${regime.since}`;
  if (marketScore === null) return `${label}; market score not measurable`;
  const change = difference(marketScore, weekAgo.marketScore);
  const moved = change === null ? '' : `, ${change >= 0 ? '+' : ''}${change} in five sessions`;
  const strained = gauges.filter(({ signal }) => signal === 'stress' || signal === 'risk_off').length;
  const easy = gauges.filter(({ signal }) => signal === 'risk_on').length;
  return `${label}; market score ${marketScore}${moved}; ${easy} of ${gauges.length} gauges easy, ${strained} strained`;
}

function movesBetween(then: MacroFrame, now: MacroFrame): Briefing['moves'] {
  const moves = now.indexes.flatMap(({ symbol, z }, i): IndexMove[] => {
    const before = then.indexes[i]!.z;
    if (z === null || before === null) return [];
    const row = INDEXES[i]!;
    return [{ symbol, name: row.name, z: twoDecimals(z), change: twoDecimals(row.sign * (z - before)) }];
  });
  const sorted = moves.sort((a, b) => b.change - a.change);
  return {
    up: sorted.filter(({ change }) => change > 0),
    down: sorted.filter(({ change }) => change < 0).reverse(),
  };
}

function narrativesOf({ narratives }: MacroFrame, changes: readonly MacroChange[]): Briefing['narratives'] {
  const moving = narratives
    .filter(({ momentum1w }) => momentum1w !== null)
    .sort((a, b) => b.momentum1w! - a.momentum1w!);
  return {
    dominant: narratives.filter(({ state }) => state === 'Dominant'),
    rising: moving.filter(({ momentum1w }) => momentum1w! > 0).slice(0, 3),
    fading: moving
      .filter(({ momentum1w }) => momentum1w! < 0)
      .slice(-3)
      .reverse(),
    turned: changes.filter(({ kind }) => kind === 'narrative_state'),
  };
}

function sectorLines(state: MacroState, now: MacroFrame, then: MacroFrame): SectorLine[] {
  return SECTORS.map(({ sector, fund }) => {
    const current = state.scoreSector(now, fund, sector);
    const earlier = state.scoreSector(then, fund, sector);
    return {
      ticker: fund,
      sector,
      score: current.score,
      change5: difference(current.score, earlier.score),
      topDriver: current.topDriver,
    };
  });
}

function gapsOf({ indexes }: MacroFrame): DataGap[] {
  return indexes
    .filter(({ status }) => status !== 'live')
    .map(({ symbol, status, overdueHours }) => ({ symbol, status, overdueHours }));
}

/** The index whose value was released longest ago. */
function oldestOf({ indexes }: MacroFrame): OldestValue | null {
  let oldest: OldestValue | null = null;
  for (const { symbol, releasedAt } of indexes) {
    if (releasedAt !== null && (oldest === null || releasedAt < oldest.releasedAt))
      oldest = { symbol, releasedAt };
  }
  return oldest;
}

function watchList({ indexes }: MacroFrame): Briefing['watch'] {
  const { enter, leave } = ROBUST.wind;
  return indexes.flatMap(({ symbol, z, wind }) => {
    if (z === null || wind === null) return [];
    const distance = twoDecimals(wind === 'neutral' ? enter - Math.abs(z) : Math.abs(z) - leave);
    return distance >= 0 && distance <= WATCH_DISTANCE ? [{ symbol, wind, distance }] : [];
  });
}
