// The realness answer: the public measurement, and as much of the gate as the caller may see.
import type {
  GateCommitments,
  Realness,
  realness,
  realnessCommitments,
} from '../contracts/attention/realness.js';
import { VERDICT_SCOPE } from '../contracts/attention/realness.js';
import { ANONYMOUS, type Caller } from '../contracts/caller.js';
import { Failure } from '../contracts/failures.js';
import type { InputOf } from '../contracts/operation.js';
import type { Coordination } from '../domain/attention/coordination.js';
import { MEASURES } from '../domain/attention/measure-parameters.js';
import { measurementSha256 } from '../domain/attention/measurement-fingerprint.js';
import { ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import type { Row } from '../domain/facts/frame.js';
import { formatSpan } from '../kernel/duration.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { AssetNames } from './asset-names.js';
import { liveFreshness, POLICY_PATH, pastFreshness } from './board-shapes.js';
import type { Evidence } from './evidence/evidence.js';
import { gateEntry, gateRecords, gateShape } from './gate.js';
import type { LiveBoard } from './live-board.js';
import { CoordinationMeasurements, type MeasuredCoordination } from './measured-coordination.js';
import { newestFrame } from './newest-frame.js';
import type { FrameOfInstant, PastFrames } from './past-frames.js';

export interface RealnessParts {
  readonly archive: ArchiveReader;
  readonly live: LiveBoard;
  readonly past: PastFrames;
  readonly names: AssetNames;
  readonly evidence: Evidence;
  readonly clock: Clock;
  readonly revealDays: number;
}

function measurementShape(
  measurement: Coordination,
  { cascade, percentile }: MeasuredCoordination,
  row: Row,
): NonNullable<Realness['measurement']> {
  const { index, interval, bound, components, narrative, accountAge } = measurement;
  return {
    coordination_index: index,
    realness: measurement.realness,
    interval90: { low: interval.low, high: interval.high },
    bound,
    percentile_90d: percentile,
    components: components.map(({ id, value, low, high, weight, contribution }) => ({
      id,
      value,
      unit: 'ratio',
      ramp: { low, high },
      weight,
      contribution,
      percentile_90d: null,
      state: value === null ? 'unavailable' : 'measured',
    })),
    voice_independence: row.independence,
    narrative: { clusters: narrative.clusters, top_share: narrative.topShare },
    account_age: accountAge && { p10: accountAge.p10, p50: accountAge.p50, under_60d: accountAge.under60d },
    cross_ticker_spill: measurement.spill,
    source_hhi: measurement.sourceConcentration,
    cascade: cascade && { branching: cascade.branching, tau_s: cascade.tauSeconds, class: cascade.class },
  };
}

function stateOf({ reading, cut }: MeasuredCoordination, stale: boolean): Realness['state'] {
  const { sample, measurement } = reading;
  if (!measurement) return sample.posts === 0 ? 'unavailable' : 'insufficient';
  if (stale) return 'stale';
  return measurement.bound === 'lower' || cut ? 'partial' : 'measured';
}

export function realnessAnswers({ archive, live, past, names, evidence, clock, revealDays }: RealnessParts) {
  const measurements = new CoordinationMeasurements(archive);

  return {
    async realness(
      { ticker, as_of }: InputOf<typeof realness>,
      caller: Caller = ANONYMOUS,
    ): Promise<Realness> {
      const now = clock();
      const replayed = as_of === undefined ? null : await past.instantOf(as_of);
      const frame: FrameOfInstant =
        replayed === null ? { recorded: true, header: newestFrame(live).header } : await past.at(replayed);
      const { header } = frame;
      const [row, asset] = await Promise.all([past.row(frame, ticker), names.at(ticker, replayed ?? now)]);
      if (!row || (!asset && row.posts === 0)) throw new Failure('ticker_not_found');
      const [measured, records] = await Promise.all([
        measurements.of(ticker, header),
        gateRecords(archive, ticker, header.at, 1),
      ]);
      const record = records.at(-1) ?? null;
      const { sample, measurement } = measured.reading;
      const freshness = replayed === null ? liveFreshness(header, now) : pastFreshness(frame);
      return {
        schema: 'realness.v1',
        ticker,
        as_of: formatInstant(replayed ?? header.at),
        known_at: measured.newestKnownAt === null ? null : formatInstant(measured.newestKnownAt),
        window: formatSpan(MEASURES.coordination.window),
        state: stateOf(measured, freshness === 'stale'),
        sample: {
          posts: sample.posts,
          authors: sample.authors,
          clusters: sample.narratives,
          sources: sample.sources,
          coverage: sample.coverage,
        },
        measurement: measurement && measurementShape(measurement, measured, row),
        gate: gateShape(
          record,
          { now, caller, revealDays },
          record && (await evidence.commitmentRoot(record.at)),
        ),
        receipts: {
          ontology_sha256: ONTOLOGY_SHA256,
          measurement_sha256: measurementSha256(ticker, header.at, measured.reading),
          replay: await evidence.receipt(frame, replayed ?? header.at),
        },
        boundary: {
          aggregate_only: true,
          named_accounts: false,
          min_authors: MEASURES.coordination.minAuthors,
        },
        freshness,
        policy: POLICY_PATH,
      };
    },

    async realness_commitments(
      { ticker, as_of, limit }: InputOf<typeof realnessCommitments>,
      caller: Caller = ANONYMOUS,
    ): Promise<GateCommitments> {
      const now = clock();
      const at = as_of === undefined ? now : await past.instantOf(as_of);
      const records = await gateRecords(archive, ticker, at, limit);
      return {
        schema: 'realness.commitments.v1',
        ticker,
        required_scope: VERDICT_SCOPE,
        commitments: records.map((record) => gateEntry(record, { now, caller, revealDays })),
        policy: POLICY_PATH,
      };
    },
  };
}
