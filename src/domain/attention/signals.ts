// What changed from one frame to the next, as typed events: ranking input, never a trigger.
import { SignalKind } from '../../contracts/attention/signals.js';
import type { Emission } from '../facts/emission.js';
import type { FrameHeader, Row } from '../facts/frame.js';
import { SIGNALS } from './signal-parameters.js';

export const SIGNAL_TYPES = SignalKind.options;
export type SignalType = (typeof SIGNAL_TYPES)[number];

export interface BoardMoment {
  readonly header: FrameHeader;
  /** In slot order. */
  readonly rows: readonly Row[];
}

export function signal(
  type: SignalType,
  row: Row | null,
  change: {
    readonly prev: unknown;
    readonly now: unknown;
    readonly evidence?: Readonly<Record<string, unknown>>;
  },
): Emission {
  const { prev, now, evidence = {} } = change;
  return {
    kind: 'signal',
    type,
    ticker: row?.ticker ?? null,
    body: { prev, now, evidence, ...(row ? { values: valuesOf(row) } : {}) },
  };
}

/** The values that the signal's receipt vouches for. */
function valuesOf(row: Row): Record<string, number | null> {
  return {
    attention_density: row.density,
    attention_share: row.share,
    attention_velocity: row.velocity,
    attention_surprise: row.surprise,
    voice_independence: row.independence,
  };
}

const isBurst = ({ band }: Row): boolean => band === 'high' || band === 'extreme';
const inBoard = ({ rank }: Row): boolean => rank !== null && rank <= SIGNALS.boardRanks;

/** Everything that two frames next to each other tell. The first frame of an archive tells nothing: all of it is new. */
export function frameSignals(
  previous: BoardMoment | null,
  current: BoardMoment,
  isFirst: (ticker: string) => boolean,
): Emission[] {
  if (!previous) return [];
  const found: Emission[] = [];
  for (const row of current.rows) {
    const before = previous.rows[row.slot];
    if (!(before && before.posts > 0) && row.posts > 0 && isFirst(row.ticker)) {
      found.push(signal('attention.first_seen', row, { prev: null, now: { posts: row.posts } }));
    }
    if (before) found.push(...rowSignals(before, row));
  }
  return [...found, ...sourceChanges(previous.header, current.header)];
}

function rowSignals(before: Row, row: Row): Emission[] {
  const found: Emission[] = [];
  const tell = (type: SignalType, prev: unknown, now: unknown): void => {
    found.push(signal(type, row, { prev, now }));
  };
  if (before.band !== row.band) tell('attention.band_changed', before.band, row.band);
  if (!isBurst(before) && isBurst(row)) tell('attention.burst_started', before.band, row.band);
  if (isBurst(before) && !isBurst(row)) tell('attention.burst_ended', before.band, row.band);
  if (!inBoard(before) && inBoard(row)) tell('attention.rank_entered', before.rank, row.rank);
  if (inBoard(before) && !inBoard(row)) tell('attention.rank_exited', before.rank, row.rank);
  const revision = revisedDenominator(before, row);
  if (revision) found.push(revision);
  return found;
}

/** A new share count, not a new price: the density moved although nobody spoke more or less. */
function revisedDenominator(before: Row, row: Row): Emission | null {
  const [was, is] = [before.denominator, row.denominator];
  if (was.sharesKnownAt === is.sharesKnownAt || was.shares === null || is.shares === null) return null;
  if (Math.abs(is.shares / was.shares - 1) < SIGNALS.denominatorRevision) return null;
  return signal('denominator.revised', row, {
    prev: { shares: was.shares, state: was.state },
    now: { shares: is.shares, state: is.state },
  });
}

function sourceChanges(before: FrameHeader, now: FrameHeader): Emission[] {
  const [was, is] = [before.sourceSet, now.sourceSet];
  if (was.version === is.version && was.warming.join() === is.warming.join()) return [];
  const reason = was.version === is.version ? 'source_warming' : 'source_set_changed';
  return [
    signal('data.coverage_changed', null, {
      prev: { source_set_version: was.version, sources: was.sources, warming: was.warming },
      now: { source_set_version: is.version, sources: is.sources, warming: is.warming },
      evidence: { reason },
    }),
  ];
}

/** Attention that moved from some names to others within an hour. */
export function rotation(hourAgo: readonly Row[], now: readonly Row[]): Emission | null {
  const moves = now
    .filter((row) => row.share !== null && hourAgo[row.slot]?.share != null)
    .map((row) => ({ ticker: row.ticker, points: row.share! - hourAgo[row.slot]!.share! }));
  const moved = moves.reduce((sum, { points }) => sum + Math.abs(points), 0) / 2;
  if (moved < SIGNALS.rotationPoints) return null;
  const sorted = moves.toSorted((a, b) => b.points - a.points || (a.ticker < b.ticker ? -1 : 1));
  const list = (part: typeof sorted) => part.map(({ ticker, points }) => ({ ticker, points: round(points) }));
  return signal('attention.share_rotated', null, {
    prev: {
      from: list(
        sorted
          .slice(-SIGNALS.rotationNames)
          .reverse()
          .filter(({ points }) => points < 0),
      ),
    },
    now: { to: list(sorted.slice(0, SIGNALS.rotationNames).filter(({ points }) => points > 0)) },
    evidence: { moved_points: round(moved) },
  });
}

const round = (value: number): number => Number(value.toPrecision(4));
