// What a recorder states for good with every frame: the frame itself, and whatever it rests on that has changed.
import { ONTOLOGY, ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import type { Emission } from '../domain/facts/emission.js';
import type { Frame } from '../domain/facts/frame.js';
import { commitmentsStatement, frameStatement } from '../domain/facts/frame-statement.js';
import { RowLeaves } from '../domain/facts/row-leaves.js';
import type { Statement, StatementKind } from '../domain/facts/statement.js';
import { Universe, universeStatement } from '../domain/facts/universe.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import type { Instant } from '../kernel/instant.js';
import { LATEST } from '../kernel/instant.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';

export interface LogOpening {
  /** `name+hash+key` of whoever signs the checkpoints; null where nobody does yet. */
  readonly verifierKey: string | null;
  readonly now: Instant;
}

export class FrameLog {
  readonly #rows = new RowLeaves();
  readonly #universe = new Universe();
  #ontology: string | null = null;
  #universeStated = false;

  private constructor() {}

  /** Goes on where the log ends. An empty log is begun: its first leaf says whose it is. */
  static async resume(archive: ArchiveWriter, { verifierKey, now }: LogOpening): Promise<FrameLog> {
    const beginning: Statement[] = [];
    if ((await archive.logSize(LATEST)) === 0) {
      beginning.push({ kind: 'genesis', subject: null, at: now, body: { service: 'barograph', log: 1 } });
    }
    if (verifierKey !== null && (await lastOf(archive, 'key'))?.['verifier_key'] !== verifierKey) {
      beginning.push({ kind: 'key', subject: null, at: now, body: { verifier_key: verifierKey } });
    }
    if (beginning.length > 0) await archive.state(beginning);

    const log = new FrameLog();
    const [ontology, universe] = await Promise.all([
      lastOf(archive, 'ontology'),
      lastOf(archive, 'universe'),
    ]);
    log.#ontology = (ontology?.['ontology_sha256'] as string | undefined) ?? null;
    if (universe) {
      log.#universe.grow([...(await archive.slots()).keys()].slice(0, universe['tickers'] as number));
      log.#universeStated = true;
    }
    return log;
  }

  /** In the order in which they are to stand; the frame comes last, so that what it rests on comes before it. */
  statements(
    { header, rows }: Frame,
    emissions: readonly Emission[],
    tickers: readonly string[],
  ): Statement[] {
    const { at } = header;
    const found: Statement[] = [];
    if (this.#ontology !== ONTOLOGY_SHA256) {
      this.#ontology = ONTOLOGY_SHA256;
      found.push(ontologyStatement(at));
    }
    const added = this.#universe.grow(tickers);
    if (added.length > 0 || !this.#universeStated) {
      this.#universeStated = true;
      found.push(universeStatement(this.#universe, added, at));
    }
    const commitments = commitmentsStatement(emissions, at);
    if (commitments) found.push(commitments);
    found.push(
      frameStatement(header, this.#rows.tree(rows), {
        ontologySha256: ONTOLOGY_SHA256,
        universeSha256: this.#universe.sha256,
      }),
    );
    return found;
  }
}

function ontologyStatement(at: Instant): Statement {
  return {
    kind: 'ontology',
    subject: null,
    at,
    body: { version: ONTOLOGY.version, ontology_sha256: ONTOLOGY_SHA256 },
    attachment: canonicalJson(ONTOLOGY),
  };
}

async function lastOf(
  archive: ArchiveReader,
  kind: StatementKind,
): Promise<Readonly<Record<string, unknown>> | null> {
  const [last] = await archive.statements({ kind, knownBy: LATEST, newest: true, limit: 1 });
  return last?.body ?? null;
}
