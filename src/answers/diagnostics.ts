// The health of the tape as the archive and the recorder show it.
import type { Diagnostics } from '../contracts/attention/diagnostics.js';
import { STATE_RULES } from '../domain/attention/attention-regime.js';
import { activitiesOf } from '../domain/attention/frame-moment.js';
import { elevatedShare, gapsIn, REGIME, regimeOf, turnoverOf } from '../domain/attention/tape-health.js';
import { ANOMALY_BANDS, type AnomalyBand, type RecordedHeader, type Row } from '../domain/facts/frame.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { DAY, formatInstant, LATEST, SECOND } from '../kernel/instant.js';
import { gini, herfindahl, normalisedEntropy } from '../kernel/statistics/concentration.js';
import { storedRoot } from '../kernel/tree-proofs.js';
import type { ArchiveReader } from '../ports/archive.js';
import { liveFreshness, POLICY_PATH } from './board-shapes.js';
import type { RecorderWatch } from './health.js';
import { type TapeState, TapeStates } from './tape-state.js';
import type { WholeBoard } from './whole-board.js';

export interface DiagnosticParts {
  readonly archive: ArchiveReader;
  readonly board: WholeBoard;
  readonly watch: RecorderWatch;
  readonly clock: Clock;
}

const TOP = 25;
const DEPTHS = [10, 50, 200];
const SHOWN_GAPS = 10;

const rounded = (value: number): number => Number(value.toFixed(4));

function concentrationOf(rows: readonly Row[]): Diagnostics['concentration'] {
  const activity = activitiesOf(rows);
  if (activity.length < 2) return null;
  const index = herfindahl(activity);
  const sorted = activity.toSorted((a, b) => b - a);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    gini: rounded(gini(activity)),
    herfindahl: rounded(index),
    effective_tickers: rounded(1 / index),
    normalised_entropy: rounded(normalisedEntropy(activity)),
    top_10_share: rounded(sum(sorted.slice(0, 10)) / sum(sorted)),
  };
}

function turnover({ now, hourAgo }: TapeState): Pick<Diagnostics, 'turnover' | 'turnover_by_depth'> {
  if (hourAgo === null) return { turnover: null, turnover_by_depth: [] };
  const among = (top: number) => {
    const { entered, share } = turnoverOf(now.first.slice(0, top), hourAgo.first.slice(0, top));
    return { top, entered, share: rounded(share) };
  };
  return {
    turnover: { against: formatInstant(hourAgo.at), ...among(TOP) },
    turnover_by_depth: DEPTHS.map(among),
  };
}

const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));

function level({ level: { activity, z, median, spread, weeks, reason } }: TapeState): Diagnostics['level'] {
  return {
    activity: rounded(activity),
    z: roundedOrNull(z),
    median: roundedOrNull(median),
    spread: roundedOrNull(spread),
    weeks,
    reason,
  };
}

/** However calm the last frame was: when no further one comes, nothing is known of now. */
function state(
  { regime }: TapeState,
  { at, cycleSeconds }: RecordedHeader,
  now: Instant,
): Pick<Diagnostics['attention_regime'], 'state' | 'state_reason' | 'state_cycles'> {
  if (now - at > STATE_RULES.staleCycles * cycleSeconds * SECOND)
    return { state: 'stale', state_reason: null, state_cycles: null };
  return { state: regime.state, state_reason: regime.reason, state_cycles: regime.cycles };
}

export function diagnosticsAnswer({ archive, board, watch, clock }: DiagnosticParts) {
  const states = new TapeStates(archive);

  async function headersIn(from: Instant, to: Instant): Promise<RecordedHeader[]> {
    const headers: RecordedHeader[] = [];
    for await (const page of archive.frames(from, to)) headers.push(...page);
    return headers;
  }

  async function integrity({ at, fingerprint }: RecordedHeader): Promise<Diagnostics['integrity']> {
    const size = await archive.logSize(LATEST);
    const [root, last, [stated]] = await Promise.all([
      storedRoot(size, (places) => archive.treeHashes(places)),
      archive.leaf(size - 1),
      archive.statements({ kind: 'attention_frame', knownBy: LATEST, from: at, to: at, limit: 1 }),
    ]);
    return {
      tree_size: size,
      root_hash: root.toString('base64'),
      last_leaf_at: last === null ? null : formatInstant(last.knownAt),
      newest_frame_stated: stated?.body['fingerprint'] === fingerprint,
    };
  }

  const sources = ({ sourceSet }: RecordedHeader): Diagnostics['sources'] => [
    ...sourceSet.sources.map((source) => ({ source, state: 'counted' as const })),
    ...sourceSet.warming.map((source) => ({ source, state: 'warming' as const })),
  ];

  const connectors = (): Diagnostics['connectors'] =>
    (watch.status?.sources ?? []).map(({ source, state, lastFactAt }) => ({
      connector: source,
      state,
      last_fact_at: lastFactAt === null ? null : formatInstant(lastFactAt),
    }));

  return async (): Promise<Diagnostics> => {
    const now = clock();
    const from = now - DAY;
    const newest = await board.newest();
    const { header, rows } = newest;
    const [headers, before, kept] = await Promise.all([
      headersIn(from + 1, now),
      archive.frameAt(from),
      integrity(header),
    ]);
    const tape = await states.of(newest, headers);
    const gaps = gapsIn(headers, before, from, now);
    const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
    const share = elevatedShare(rows);
    const inBand = (band: AnomalyBand): number => rows.filter((row) => row.band === band).length;
    return {
      as_of: formatInstant(header.at),
      freshness: liveFreshness(header, now),
      window: 'PT24H',
      snapshots: headers.length,
      cycle_s: header.cycleSeconds,
      cycles: headers.length + missing,
      gaps: {
        missing,
        spans: gaps
          .toSorted((a, b) => b.missing - a.missing || a.from - b.from)
          .slice(0, SHOWN_GAPS)
          .map((gap) => ({
            from: formatInstant(gap.from),
            to: formatInstant(gap.to),
            missing: gap.missing,
          })),
      },
      tickers: {
        covered: rows.length,
        ranked: rows.filter(({ rank }) => rank !== null).length,
        bands: Object.fromEntries(ANOMALY_BANDS.map((band) => [band, inBand(band)])) as Record<
          AnomalyBand,
          number
        >,
      },
      ...turnover(tape),
      concentration: concentrationOf(rows),
      breadth: roundedOrNull(tape.now.breadth),
      level: level(tape),
      last_cycle_age_s: Math.max(0, rounded((now - header.at) / SECOND)),
      integrity: kept,
      attention_regime: {
        regime: share === null ? null : regimeOf(share),
        elevated_share: share === null ? null : rounded(share),
        active_from: REGIME.activeFrom,
        stressed_from: REGIME.stressedFrom,
        ...state(tape, header, now),
      },
      sources: sources(header),
      connectors: connectors(),
      policy: POLICY_PATH,
    };
  };
}
