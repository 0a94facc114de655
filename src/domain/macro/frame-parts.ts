// Turns conditions and daily decisions into the parts of a frame, rounded for publication.
import { HOUR, type Instant } from '../../kernel/instant.js';
import { writeDay } from '../../kernel/new-york-time.js';
import { normalCdf } from '../../kernel/statistics/normal.js';
import type { Wind } from './asset-score.js';
import { axesOf, quadrantOf, quadrantProbabilities, stressProbability } from './axes.js';
import { FAMILIES, FAMILY_WEIGHTS } from './catalogue/families.js';
import { FAMILY_MEMBERS, INDEXES } from './catalogue/indexes.js';
import { NARRATIVES } from './catalogue/narratives.js';
import { type Conditions, clip } from './conditions.js';
import type { DailyPath, PathStep } from './daily-path.js';
import { gaugeValue, gaugeWeights, signalAfter, twoDecimals } from './gauges.js';
import { VINTAGES } from './index-timeline.js';
import {
  type Coverage,
  type Freshness,
  type GaugeReading,
  type IndexReading,
  type NarrativeReading,
  type RegimeReading,
  rounded,
  six,
} from './macro-frame.js';
import { NARRATIVE_DRIVERS, phaseOf } from './narrative-strength.js';
import { AGE, FRESHNESS, NARRATIVE, ROBUST } from './parameters.js';
import type { Standing } from './reading.js';
import { businessDaysBetween, dayOfSession } from './sessions.js';

const WINDS: Record<number, Wind> = { 1: 'tailwind', 0: 'neutral', [-1]: 'headwind' };

export function indexReading(
  place: number,
  standing: Standing | null,
  weekAgo: Standing | null,
): IndexReading {
  const row = INDEXES[place]!;
  if (standing === null) {
    return {
      symbol: row.symbol,
      status: 'unavailable',
      frequency: row.frequency,
      licence: row.licence,
      value: null,
      transformed: null,
      z: null,
      wind: null,
      percentile: null,
      change1w: null,
      observedOn: null,
      releasedAt: null,
      knownAt: null,
      nextReleaseAt: null,
      overdueHours: null,
      weight: 0,
      vintage: null,
      isFallback: false,
      observations: 0,
    };
  }
  const { timeline, place: at, status, weight, overdueHours } = standing;
  const z = timeline.z.at(at);
  const before = weekAgo?.timeline === timeline ? timeline.z.at(weekAgo.place) : Number.NaN;
  return {
    symbol: row.symbol,
    status,
    frequency: timeline.source.frequency,
    licence: row.licence,
    value: rounded(timeline.shown.at(at)),
    transformed: rounded(timeline.transformed.at(at)),
    z: rounded(clip(z, ROBUST.displayClip)),
    wind: Number.isNaN(z) ? null : WINDS[timeline.winds.at(at)]!,
    percentile: rounded(timeline.percentile(at)),
    change1w: rounded(clip(z, ROBUST.displayClip) - clip(before, ROBUST.displayClip)),
    observedOn: writeDay(timeline.referenceDays.at(at)),
    releasedAt: timeline.releasedAt(at),
    knownAt: timeline.knownAt.at(at),
    nextReleaseAt: timeline.dueAt(at) - AGE.grace[timeline.source.frequency],
    overdueHours,
    weight,
    vintage: VINTAGES[timeline.vintages.at(at)]!,
    isFallback: timeline.source === row.fallback,
    observations: timeline.counts.at(at),
  };
}

export function gaugeReadings(
  conditions: Conditions,
  path: DailyPath,
  step: PathStep | null,
): GaugeReading[] {
  const { familyMeans, liveMembers, at } = conditions;
  const weights = gaugeWeights(Array.from(familyMeans, (mean) => !Number.isNaN(mean)));
  const weekAgo = step && path.of(step.session - 5);
  const monthAgo = step && path.of(step.session - 20);
  return FAMILIES.map(({ key, label }, f) => {
    const mean = familyMeans[f]!;
    const measured = !Number.isNaN(mean);
    const value = measured ? gaugeValue(mean) : null;
    const change = (then: PathStep | null): number | null => {
      const earlier = then?.familyMean(f) ?? Number.NaN;
      return value === null || Number.isNaN(earlier) ? null : twoDecimals(value - gaugeValue(earlier));
    };
    return {
      key,
      label,
      value,
      signal: value === null ? 'unavailable' : signalAfter(step?.signal(f) ?? 'neutral', value, mean),
      z: rounded(mean),
      change1w: change(weekAgo),
      change4w: change(monthAgo),
      drivers: heaviest(conditions, f),
      live: liveMembers[f]!,
      total: FAMILY_MEMBERS[f]!.length,
      weight: weights[f] === null ? null : six(weights[f]!),
      oldestAgeHours: oldestAge(conditions, f, at),
    };
  });
}

function heaviest({ z, weights }: Conditions, family: number): string[] {
  return FAMILY_MEMBERS[family]!.filter((i) => weights[i]! > 0 && z[i] !== 0)
    .sort((a, b) => weights[b]! * Math.abs(z[b]!) - weights[a]! * Math.abs(z[a]!) || a - b)
    .slice(0, 3)
    .map((i) => INDEXES[i]!.symbol);
}

function oldestAge({ standings, weights }: Conditions, family: number, at: Instant): number | null {
  let oldest: number | null = null;
  for (const i of FAMILY_MEMBERS[family]!) {
    if (weights[i] === 0) continue;
    const { timeline, place } = standings[i]!;
    oldest = Math.max(oldest ?? 0, Math.floor((at - timeline.releasedAt(place)) / HOUR));
  }
  return oldest;
}

export function regimeReading({ familyMeans }: Conditions, step: PathStep | null): RegimeReading {
  const axes = axesOf(familyMeans);
  const { growth, inflation } = axes;
  const measured = growth !== null && inflation !== null;
  const stress = stressProbability(axes.stress);
  const shares = measured ? quadrantProbabilities(growth, inflation) : null;
  const label = step?.label ?? 'Warming';
  const check = step && label !== 'Warming' ? step.check : null;
  return {
    label,
    since: step ? writeDay(dayOfSession(step.labelSince)) : null,
    sessions: step ? step.session - step.labelSince + 1 : 0,
    axes: {
      growth: growth === null ? null : six(growth),
      inflation: inflation === null ? null : six(inflation),
      liquidity: axes.liquidity === null ? null : six(axes.liquidity),
      stress: axes.stress === null ? null : six(axes.stress),
    },
    probabilities: shares && {
      Goldilocks: six(shares.Goldilocks * (1 - stress)),
      Reflation: six(shares.Reflation * (1 - stress)),
      Stagflation: six(shares.Stagflation * (1 - stress)),
      Contraction: six(shares.Contraction * (1 - stress)),
      Stress: six(stress),
    },
    check,
    agrees: check === null || !measured ? null : agrees(label, check, growth, inflation),
  };
}

/** Under Stress and in Transition the label names no quadrant; the live axes do. */
function agrees(label: string, check: string, growth: number, inflation: number): boolean {
  if (label === 'Stress' || label === 'Transition') return quadrantOf(growth >= 0, inflation >= 0) === check;
  return label.startsWith(check);
}

export function narrativeReadings(
  conditions: Conditions,
  path: DailyPath,
  step: PathStep | null,
): NarrativeReading[] {
  return NARRATIVES.map(({ slug, label }, n) => {
    const z = step?.strength(n) ?? Number.NaN;
    const attention = step?.attention(n) ?? Number.NaN;
    const drivers = step?.drivers(n) ?? Number.NaN;
    const before = step ? path.strengthOf(step.session - NARRATIVE.momentumSteps, n) : Number.NaN;
    const momentum = z - before;
    return {
      slug,
      label,
      state: step?.state(n) ?? 'Warming',
      since: step ? writeDay(dayOfSession(step.stateSince(n))) : null,
      score: Number.isNaN(z) ? null : twoDecimals(100 * normalCdf(z - 1)),
      z: rounded(z),
      momentum1w: Number.isNaN(momentum) ? null : twoDecimals(momentum),
      attentionZ: rounded(attention),
      driverZ: rounded(drivers),
      phase: phaseOf(n, drivers),
      confidence: confidence(conditions, n, !Number.isNaN(attention), !Number.isNaN(drivers)),
    };
  });
}

function confidence({ weights }: Conditions, n: number, spoken: boolean, shown: boolean): number {
  if (!spoken && !shown) return 0;
  const drivers = NARRATIVE_DRIVERS[n]!;
  const live = drivers.reduce((sum, { place }) => sum + weights[place]!, 0) / drivers.length;
  return Math.round(100 * (shown ? live : 1) * (spoken && shown ? 1 : 0.5));
}

export function coverageOf({ standings, weights }: Conditions): Coverage {
  const tally = { live: 0, delayed: 0, stale: 0, warming: 0, unavailable: 0 };
  for (const standing of standings) tally[standing?.status ?? 'unavailable'] += 1;
  let share = 0;
  FAMILY_MEMBERS.forEach((members, f) => {
    const counting = members.filter((i) => weights[i]! > 0).length;
    share += (FAMILY_WEIGHTS[f]! * counting) / members.length;
  });
  return { ...tally, share: six(share) };
}

/** Judged by the most overdue daily input, also where it no longer counts: a picture without any is stale, not new. */
export function freshnessOf({ standings, at }: Conditions): Freshness {
  let late = -1;
  for (const standing of standings) {
    if (standing === null || standing.status === 'warming') continue;
    const { timeline, place } = standing;
    const { frequency } = timeline.source;
    if (frequency !== 'D' && frequency !== 'D7') continue;
    const due = timeline.dueAt(place) - AGE.grace[frequency];
    late = Math.max(late, at > due ? businessDaysBetween(due, at) : 0);
  }
  if (late < 0) return 'warming';
  if (late <= FRESHNESS.live) return 'live';
  return late <= FRESHNESS.delayed ? 'delayed' : 'stale';
}

export function newestKnownAt({ standings }: Conditions): Instant | null {
  let newest: Instant | null = null;
  for (const standing of standings) {
    if (standing === null) continue;
    const knownAt = standing.timeline.knownAt.at(standing.place);
    if (newest === null || knownAt > newest) newest = knownAt;
  }
  return newest;
}
