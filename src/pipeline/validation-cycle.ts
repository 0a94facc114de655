// The weekly judgement: registers what is claimed, states the scorecards of the epoch, and attests to all of it.
import { ONTOLOGY, ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import type { Stated, Statement } from '../domain/facts/statement.js';
import {
  archiveComponent,
  attestationOf,
  attestationSha256,
  signAttestation,
} from '../domain/validation/attestation.js';
import { epochBefore } from '../domain/validation/epochs.js';
import { registryChanges } from '../domain/validation/hypotheses.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { type Clock, formatInstant, HOUR, type Instant, LATEST } from '../kernel/instant.js';
import type { NoteSigner } from '../kernel/signed-note.js';
import { storedRoot } from '../kernel/tree-proofs.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';
import { pacedBy } from './paced.js';
import { registryAt, type Study, study } from './validation-study.js';

export interface ValidationParts {
  readonly archive: ArchiveWriter;
  /** Long reads go through a connection of their own. */
  readonly reader: ArchiveReader;
  readonly clock: Clock;
  readonly signer: NoteSigner;
  readonly codeVersion: string;
  /** Runs what must not overlap with an append. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
  readonly onEpoch?: (stated: readonly Stated[], milliseconds: number) => void;
  readonly onFailure?: (error: unknown) => void;
}

/** After a failure the next attempt waits, so that a fault does not eat every cycle. */
const PAUSE_AFTER_FAILURE = HOUR;

export class ValidationCycle {
  readonly #parts: ValidationParts;
  /** End of the last epoch that was stated; undefined until the log is asked. */
  #lastAt: Instant | null | undefined;
  #notBefore: Instant = Number.NEGATIVE_INFINITY;
  #work: Promise<void> | null = null;

  constructor(parts: ValidationParts) {
    this.#parts = parts;
  }

  /** Begins an epoch's judgement where one is due and none is under way; does not wait for it. */
  turn(now: Instant): void {
    if (this.#work || now < this.#notBefore || this.#parts.signal?.aborted) return;
    if (this.#lastAt !== undefined && this.#lastAt !== null && epochBefore(now) <= this.#lastAt) return;
    const startedAt = performance.now();
    this.#work = this.#catchUp(now)
      .then((stated) => {
        if (stated.length > 0) this.#parts.onEpoch?.(stated, performance.now() - startedAt);
      })
      .catch((error: unknown) => {
        this.#notBefore = now + PAUSE_AFTER_FAILURE;
        if (!this.#parts.signal?.aborted) this.#parts.onFailure?.(error);
      })
      .finally(() => {
        this.#work = null;
      });
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  /** The first epoch ends when the recorder first comes to it: its registry and its honest emptiness stand from then on. */
  async #catchUp(now: Instant): Promise<readonly Stated[]> {
    this.#lastAt ??= (await newest(this.#parts.reader, 'scorecard'))?.at ?? null;
    const due = epochBefore(now);
    if (this.#lastAt !== null && due <= this.#lastAt) return [];
    const registeredAt = await this.#register(now);
    const at = this.#lastAt === null ? Math.max(this.#parts.clock(), registeredAt) : due;
    const stated = await this.judge(at);
    this.#lastAt = at;
    return stated;
  }

  /** When the last change of the registry became known. */
  async #register(now: Instant): Promise<Instant> {
    const { archive, reader, alone } = this.#parts;
    const changes = registryChanges(await registryAt(reader, LATEST), now);
    const stated = changes.length === 0 ? [] : await alone(() => archive.state(changes));
    return stated.at(-1)?.knownAt ?? now;
  }

  /** States scorecard and reputation first, so that the attestation can bind their places in the log. */
  async judge(at: Instant): Promise<readonly Stated[]> {
    const { archive, reader, alone, codeVersion, signal } = this.#parts;
    const found = await study({ archive: reader, asOf: at, codeVersion, pace: pacedBy(signal) });
    return alone(async () => {
      const documents = await archive.state([scorecardStatement(found, at), reputationStatement(found, at)]);
      const attested = await archive.state([await this.#attestation(found, documents, at)]);
      return [...documents, ...attested];
    });
  }

  async #attestation(found: Study, documents: readonly Stated[], at: Instant): Promise<Statement> {
    const { archive, signer, codeVersion } = this.#parts;
    const [scorecard, reputation] = documents as [Stated, Stated];
    const [ontology, previous, size] = await Promise.all([
      newest(archive, 'ontology'),
      newest(archive, 'attestation'),
      archive.logSize(LATEST),
    ]);
    const root = await storedRoot(size, (places) => archive.treeHashes(places));
    const statement = attestationOf({
      sequence: previous === null ? 0 : (previous.body['sequence'] as number) + 1,
      issuedAt: reputation.knownAt,
      previousSha256: (previous?.body['attestation_sha256'] as string | undefined) ?? null,
      components: {
        ontology: {
          version: ONTOLOGY.version,
          sha256: ONTOLOGY_SHA256,
          log_index: ontology?.body['ontology_sha256'] === ONTOLOGY_SHA256 ? ontology.index : null,
        },
        scorecard: {
          epoch_at: formatInstant(at),
          sha256: found.scorecard.scorecard_sha256,
          log_index: scorecard.index,
          verdicts: found.scorecard.summary.verdicts,
        },
        reputation: {
          epoch_at: formatInstant(at),
          sha256: found.reputation.reputation_sha256,
          log_index: reputation.index,
        },
        archive: archiveComponent({
          origin: signer.name,
          tree_size: size,
          root_hash: root.toString('base64'),
          max_known_at: formatInstant(reputation.knownAt),
        }),
      },
      epochAt: at,
      codeVersion,
      evidence: found.scorecard.evidence,
      sources: found.sources,
      audits: { frames_checked: found.framesChecked, frames_disagreeing: found.framesDisagreeing },
    });
    return {
      kind: 'attestation',
      subject: null,
      at,
      body: {
        sequence: statement.sequence,
        status: statement.status,
        attestation_sha256: attestationSha256(statement),
      },
      attachment: canonicalJson({ statement, envelope: signAttestation(statement, signer) }),
    };
  }
}

function scorecardStatement({ scorecard }: Study, at: Instant): Statement {
  const { scorecard_sha256, summary, evidence, epoch } = scorecard;
  return {
    kind: 'scorecard',
    subject: null,
    at,
    body: { scorecard_sha256, evidence, epoch_index: epoch.index, ...summary },
    attachment: canonicalJson(scorecard),
  };
}

function reputationStatement({ reputation }: Study, at: Instant): Statement {
  const { reputation_sha256, evidence, state, epoch } = reputation;
  return {
    kind: 'reputation',
    subject: null,
    at,
    body: { reputation_sha256, evidence, state, epoch_index: epoch.index },
    attachment: canonicalJson(reputation),
  };
}

async function newest(archive: ArchiveReader, kind: Statement['kind']): Promise<Stated | null> {
  const [last] = await archive.statements({ kind, knownBy: LATEST, newest: true, limit: 1 });
  return last ?? null;
}
