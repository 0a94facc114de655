// The frozen documents of the last epoch: scorecard, reputation and attestation, as the log holds them.
import type { Attestation, attestation } from '../contracts/attention/attestation.js';
import type { ReputationScorecard, reputationScorecard } from '../contracts/attention/reputation.js';
import type { Scorecard, scorecard } from '../contracts/attention/scorecard.js';
import type { InputOf } from '../contracts/operation.js';
import type { Stated, StatementKind } from '../domain/facts/statement.js';
import { epochAfter } from '../domain/validation/epochs.js';
import {
  FAMILY,
  HYPOTHESES,
  type RegisteredHypothesis,
  registryOf,
} from '../domain/validation/hypotheses.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { formatInstant, SECOND } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import { POLICY_PATH } from './board-shapes.js';
import type { PastFrames } from './past-frames.js';

export interface ValidationAnswerParts {
  readonly archive: ArchiveReader;
  readonly past: PastFrames;
  readonly clock: Clock;
}

/** Far more than a registry holds; the store wants a bound. */
const ALL = 1_000_000;

interface Found<T> {
  readonly stated: Stated;
  readonly document: T;
}

function hypothesisShape(one: RegisteredHypothesis): Scorecard['registry']['hypotheses'][number] {
  return {
    id: one.id,
    signal: one.signal,
    horizon: `${one.horizon}d`,
    target: one.target,
    expected_sign: one.expectedSign,
    reference_ic: one.referenceIc,
    status: one.status,
    registered_at: formatInstant(one.registeredAt),
    log_index: one.logIndex,
  };
}

const place = ({ index, knownAt, attachmentSha256 }: Stated): NonNullable<Scorecard['statement']> => ({
  log_index: index,
  known_at: formatInstant(knownAt),
  attachment_sha256: attachmentSha256,
});

export function validationAnswers({ archive, past, clock }: ValidationAnswerParts) {
  const instantOf = async (asOf: string | undefined): Promise<Instant> =>
    asOf === undefined ? clock() : past.instantOf(asOf);

  /** What was in force at the instant. A document never changes, so the newest one is parsed once. */
  const kept = new Map<StatementKind, Found<unknown>>();
  async function inForce<T>(kind: StatementKind, knownBy: Instant): Promise<Found<T> | null> {
    const [stated] = await archive.statements({ kind, knownBy, newest: true, limit: 1 });
    if (stated === undefined) return null;
    const known = kept.get(kind);
    if (known?.stated.index === stated.index) return known as Found<T>;
    const text = await archive.attachment(stated.index);
    if (text === null) return null;
    const found = { stated, document: JSON.parse(text) as T };
    kept.set(kind, found);
    return found;
  }

  const times = (at: Instant, found: Found<unknown> | null) => ({
    state: found === null ? ('warming' as const) : ('ready' as const),
    as_of: formatInstant(at),
    age_s: found === null ? null : Math.max(0, Math.floor((at - found.stated.at) / SECOND)),
    next_epoch_at: formatInstant(epochAfter(at)),
  });

  return {
    async scorecard({ as_of }: InputOf<typeof scorecard>): Promise<Scorecard> {
      const at = await instantOf(as_of);
      const [found, stated] = await Promise.all([
        inForce<NonNullable<Scorecard['scorecard']>>('scorecard', at),
        archive.statements({ kind: 'hypothesis', knownBy: at, limit: ALL }),
      ]);
      const registry = registryOf(stated).filter(({ family }) => family === FAMILY);
      const { insufficient_data = HYPOTHESES.length } = found?.document.summary.verdicts ?? {};
      const judged = found !== null && insufficient_data < found.document.hypotheses.length;
      return {
        ...times(at, found),
        verdict_state: judged ? 'judged' : 'insufficient_data',
        registry: {
          family: FAMILY,
          registered: registry.length,
          hypotheses: registry.map(hypothesisShape),
        },
        scorecard: found?.document ?? null,
        statement: found === null ? null : place(found.stated),
        policy: POLICY_PATH,
      };
    },

    async reputation_scorecard({ as_of }: InputOf<typeof reputationScorecard>): Promise<ReputationScorecard> {
      const at = await instantOf(as_of);
      const found = await inForce<NonNullable<ReputationScorecard['reputation']>>('reputation', at);
      return {
        ...times(at, found),
        reputation: found?.document ?? null,
        statement: found === null ? null : place(found.stated),
        policy: POLICY_PATH,
      };
    },

    async attestation({ as_of }: InputOf<typeof attestation>): Promise<Attestation> {
      const at = await instantOf(as_of);
      const found = await inForce<{
        statement: NonNullable<Attestation['attestation']>;
        envelope: NonNullable<Attestation['envelope']>;
      }>('attestation', at);
      const { state, as_of: asOf, next_epoch_at } = times(at, found);
      return {
        state,
        as_of: asOf,
        next_epoch_at,
        attestation: found?.document.statement ?? null,
        attestation_sha256: (found?.stated.body['attestation_sha256'] as string | undefined) ?? null,
        envelope: found?.document.envelope ?? null,
        statement: found === null ? null : place(found.stated),
        policy: POLICY_PATH,
      };
    },
  };
}
