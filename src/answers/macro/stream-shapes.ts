// What a stream of editions says: a whole channel, or what differs between two editions.
import type { z } from 'zod';
import type { MacroChannel, MacroSnapshot, STREAM_EVENTS } from '../../contracts/macro/stream.js';
import type { GaugeReading, IndexReading, NarrativeReading } from '../../domain/macro/macro-frame.js';
import type { Instant } from '../../kernel/instant.js';
import { DAY, formatInstant, MILLISECOND } from '../../kernel/instant.js';
import { regimeShape, shownValue } from './frame-shapes.js';
import type { HeldEdition } from './held-edition.js';
import { freshnessOf, instantText } from './provenance.js';

type EventName = keyof typeof STREAM_EVENTS;
export type StreamEvent = z.input<(typeof STREAM_EVENTS)[EventName]>;
export type SnapshotReason = MacroSnapshot['reason'];

/** The number of an edition on a stream: its instant in milliseconds, so that a number names an edition for good. */
export function seqOf({ at }: Pick<HeldEdition, 'at'>): number {
  return Math.floor(at / MILLISECOND);
}

export function instantOfSeq(seq: number): Instant {
  return seq * MILLISECOND;
}

const named = (held: HeldEdition) => ({ seq: seqOf(held), as_of: formatInstant(held.at) });

function indexLine(reading: IndexReading) {
  const { symbol, z, wind, status, observedOn, releasedAt } = reading;
  return {
    symbol,
    ...shownValue(reading),
    z_score: z,
    wind,
    status,
    observed_on: observedOn,
    released_at: instantText(releasedAt),
  };
}

const gaugeLine = ({ key, value, signal }: GaugeReading) => ({ gauge_key: key, value, signal });

const narrativeLine = ({ slug, state, momentum1w, score }: NarrativeReading) => ({
  slug,
  state,
  momentum_1w: momentum1w,
  score,
});

const releaseLine = ({ symbol, observedOn, releasedAt, z, wind }: IndexReading) => ({
  symbol,
  observed_on: observedOn,
  released_at: instantText(releasedAt),
  z_score: z,
  wind,
});

function channelBody({ frame }: HeldEdition, channel: MacroChannel): Partial<MacroSnapshot> {
  switch (channel) {
    case 'indices':
      return { indices: frame.indexes.map(indexLine) };
    case 'conditions':
      return {
        regime: regimeShape(frame.regime),
        market_score: frame.marketScore,
        gauges: frame.gauges.map(gaugeLine),
      };
    case 'narratives':
      return { narratives: frame.narratives.map(narrativeLine) };
    case 'releases':
      return {
        releases: frame.indexes
          .filter(({ releasedAt }) => releasedAt !== null && releasedAt > frame.at - DAY)
          .sort((a, b) => a.releasedAt! - b.releasedAt!)
          .map(releaseLine),
      };
  }
}

export function channelSnapshot(
  held: HeldEdition,
  channel: MacroChannel,
  reason: SnapshotReason,
  now: Instant,
): MacroSnapshot {
  return {
    event: 'snapshot',
    channel,
    ...named(held),
    reason,
    snapshot_id: held.frame.fingerprint,
    freshness: freshnessOf({ held, asOf: null, at: now }),
    ...channelBody(held, channel),
  };
}

/** The lines of the later edition that differ, each with the line that it takes the place of. */
function differing<T, L extends object>(
  before: readonly T[],
  after: readonly T[],
  line: (one: T) => L,
): { readonly old: T; readonly own: T; readonly line: L }[] {
  return after.flatMap((own, i) => {
    const old = before[i]!;
    const shown = line(own);
    return JSON.stringify(shown) === JSON.stringify(line(old)) ? [] : [{ old, own, line: shown }];
  });
}

function conditionChanges(before: HeldEdition, after: HeldEdition): StreamEvent[] {
  const found: StreamEvent[] = differing(before.frame.gauges, after.frame.gauges, gaugeLine).map(
    ({ old, line }) => ({
      event: 'gauge_change',
      ...named(after),
      ...line,
      prev_value: old.value,
      prev_signal: old.signal,
    }),
  );
  const { marketScore, regime } = after.frame;
  if (marketScore !== before.frame.marketScore) {
    found.push({
      event: 'market_change',
      ...named(after),
      market_score: marketScore,
      prev_market_score: before.frame.marketScore,
    });
  }
  if (regime.label !== before.frame.regime.label) {
    const [from, to] = [before.frame.regime.label, regime.label];
    const shown = regimeShape(regime);
    const { since, probabilities } = shown;
    found.push({
      event: 'regime_change',
      ...named(after),
      from,
      to,
      since,
      probabilities,
      regime: shown,
    });
  }
  return found;
}

/** What a reader who has one edition must be told to have the other; nothing where they show the same. */
export function channelChanges(
  before: HeldEdition,
  after: HeldEdition,
  channel: MacroChannel,
): StreamEvent[] {
  const indexes = [before.frame.indexes, after.frame.indexes] as const;
  switch (channel) {
    case 'indices':
      return differing(...indexes, indexLine).map(({ old, line }) => ({
        event: 'index_change',
        ...named(after),
        ...line,
        prev_wind: old.wind,
      }));
    case 'conditions':
      return conditionChanges(before, after);
    case 'narratives':
      return differing(before.frame.narratives, after.frame.narratives, narrativeLine).map(
        ({ old, own, line }) => ({
          event: 'narrative_change',
          ...named(after),
          ...line,
          from: old.state,
          to: own.state,
          prev_state: old.state,
        }),
      );
    case 'releases':
      return differing(...indexes, ({ observedOn }) => ({ observedOn }))
        .filter(({ own }) => own.observedOn !== null)
        .sort((a, b) => (a.own.releasedAt ?? 0) - (b.own.releasedAt ?? 0))
        .map(({ old, own }) => ({
          event: 'release',
          ...named(after),
          ...releaseLine(own),
          z_before: old.z,
        }));
  }
}

export function heartbeat(held: HeldEdition, now: Instant): StreamEvent {
  const freshness = freshnessOf({ held, asOf: null, at: now });
  const ts = formatInstant(now);
  return { event: 'heartbeat', ...named(held), ts, now: ts, freshness };
}
