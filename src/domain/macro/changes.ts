// What differs between two frames: winds that turned, signals, regimes, narratives and values that came in.
import type { Instant } from '../../kernel/instant.js';
import { bandOf } from './asset-score.js';
import { INDEXES } from './catalogue/indexes.js';
import type { MacroFrame } from './macro-frame.js';

export const CHANGE_KINDS = [
  'wind_flip',
  'band_cross',
  'regime_change',
  'narrative_state',
  'gauge_signal',
  'release',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface MacroChange {
  readonly kind: ChangeKind;
  /** Index symbol, gauge key, narrative slug, `regime` or `market`. */
  readonly subject: string;
  readonly family: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly z: number | null;
  /** The later frame's instant. */
  readonly at: Instant;
  /** The observation or the index that the change rests on. */
  readonly evidence: string | null;
}

export function changesBetween(before: MacroFrame, after: MacroFrame): MacroChange[] {
  return [
    ...regimeChanges(before, after),
    ...marketChanges(before, after),
    ...gaugeChanges(before, after),
    ...indexChanges(before, after),
    ...narrativeChanges(before, after),
  ];
}

function regimeChanges(before: MacroFrame, { at, regime }: MacroFrame): MacroChange[] {
  if (before.regime.label === regime.label) return [];
  const change = {
    family: null,
    from: before.regime.label,
    to: regime.label,
    z: null,
    evidence: regime.since,
  };
  return [{ kind: 'regime_change', subject: 'regime', at, ...change }];
}

/** The market score crossing from one band of scores to another. */
function marketChanges(before: MacroFrame, { at, marketScore }: MacroFrame): MacroChange[] {
  const from = before.marketScore === null ? null : bandOf(before.marketScore);
  const to = marketScore === null ? null : bandOf(marketScore);
  if (from === to) return [];
  const evidence = marketScore === null ? null : String(marketScore);
  return [{ kind: 'band_cross', subject: 'market', family: null, from, to, z: null, at, evidence }];
}

function gaugeChanges(before: MacroFrame, { at, gauges }: MacroFrame): MacroChange[] {
  return gauges.flatMap(({ key, signal, z, drivers }, f) => {
    const from = before.gauges[f]!.signal;
    if (from === signal) return [];
    const evidence = drivers[0] ?? null;
    return { kind: 'gauge_signal', subject: key, family: key, from, to: signal, z, at, evidence } as const;
  });
}

function indexChanges(before: MacroFrame, { at, indexes }: MacroFrame): MacroChange[] {
  return indexes.flatMap((index, i) => {
    const old = before.indexes[i]!;
    const { family } = INDEXES[i]!;
    const { symbol, z, wind, observedOn } = index;
    const found: MacroChange[] = [];
    if (observedOn !== null && old.observedOn !== observedOn) {
      found.push({
        kind: 'release',
        subject: symbol,
        family,
        from: old.observedOn,
        to: observedOn,
        z,
        at,
        evidence: observedOn,
      });
    }
    if (wind !== null && old.wind !== null && old.wind !== wind) {
      found.push({
        kind: 'wind_flip',
        subject: symbol,
        family,
        from: old.wind,
        to: wind,
        z,
        at,
        evidence: observedOn,
      });
    }
    return found;
  });
}

function narrativeChanges(before: MacroFrame, { at, narratives }: MacroFrame): MacroChange[] {
  return narratives.flatMap(({ slug, state, z, since }, n) => {
    const from = before.narratives[n]!.state;
    if (from === state) return [];
    return {
      kind: 'narrative_state',
      subject: slug,
      family: null,
      from,
      to: state,
      z,
      at,
      evidence: since,
    } as const;
  });
}
