// Computes the scorecards as of an instant, from nothing but what was known by then. Writes nothing.
import { ONTOLOGY_SHA256 } from '../domain/attention/ontology.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import {
  HYPOTHESES,
  type RegisteredHypothesis,
  registryOf,
  registrySha256,
} from '../domain/validation/hypotheses.js';
import { IcLedger } from '../domain/validation/ic-series.js';
import { Panel } from '../domain/validation/panel.js';
import { REPUTATION } from '../domain/validation/parameters.js';
import {
  type ReputationDocument,
  reputationOf,
} from '../domain/validation/reputation/reputation-scorecard.js';
import { VoiceLedger } from '../domain/validation/reputation/voice-ledger.js';
import { type GridPoint, VoiceStudy } from '../domain/validation/reputation/weighted-activity.js';
import { type Grounds, type ScorecardDocument, scorecardOf } from '../domain/validation/scorecard.js';
import type { Instant } from '../kernel/instant.js';
import { storedRoot } from '../kernel/tree-proofs.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Pace } from './paced.js';
import { auditedRows, readValidationTape, type ValidationTape } from './validation-tape.js';

export interface StudyParts {
  readonly archive: ArchiveReader;
  readonly asOf: Instant;
  readonly codeVersion: string;
  readonly pace: Pace;
}

export interface Study {
  readonly scorecard: ScorecardDocument;
  readonly reputation: ReputationDocument;
  readonly sources: readonly string[];
  readonly framesChecked: number;
  readonly framesDisagreeing: number;
}

/** More statements of one kind than a log will ever hold in its weeks. */
const ALL = 1_000_000;

/** Every hypothesis that the log knew by the instant; one that was never stated is none. */
export async function registryAt(archive: ArchiveReader, asOf: Instant): Promise<RegisteredHypothesis[]> {
  return registryOf(await archive.statements({ kind: 'hypothesis', knownBy: asOf, limit: ALL }));
}

/** For a study without a recorder: the claims of this program, as if they were made now. Nothing can confirm them. */
function provisional(asOf: Instant): RegisteredHypothesis[] {
  return HYPOTHESES.map((one) => ({ ...one, registeredAt: asOf, logIndex: -1, status: 'active' as const }));
}

interface Walked {
  readonly ledger: IcLedger;
  readonly points: readonly GridPoint[];
  readonly observed: number;
  readonly disagreeing: number;
}

async function walk({ archive, asOf, pace }: StudyParts, tape: ValidationTape): Promise<Walked> {
  const { tickers, closes, sector, grid } = tape;
  const panel = new Panel(tickers);
  const ledger = new IcLedger({ closes, sector, asOf });
  const points: GridPoint[] = [];
  let [observed, disagreeing] = [0, 0];
  for (const { date, header } of grid) {
    const { rows, agrees } = await auditedRows(archive, header);
    if (!agrees) disagreeing++;
    await pace.rest();
    const section = panel.cut(date, header, rows);
    if (section.observed) observed++;
    const { at, decidedAt, logCap } = section;
    points.push({ date, at, decidedAt, logCap });
    if (points.length > REPUTATION.evaluatedSessions) points.shift();
    await pace.run(ledger.take(section));
  }
  return { ledger, points, observed, disagreeing };
}

async function voices(
  { archive, asOf, pace }: StudyParts,
  { tickers }: ValidationTape,
  points: readonly GridPoint[],
  study: VoiceStudy,
): Promise<VoiceLedger> {
  const ledger = new VoiceLedger(tickers, points, study, asOf);
  const after = (points[0]?.at ?? asOf) - REPUTATION.lookback;
  for await (const posts of archive.facts('post', { knownBy: asOf, after })) {
    await pace.run(ledger.take(posts));
    await pace.rest();
  }
  await pace.run(ledger.finish());
  return ledger;
}

/** The definitions in force come from the log: what the running program defines may be younger than the instant. */
async function ontologyAt(archive: ArchiveReader, asOf: Instant): Promise<string> {
  const [stated] = await archive.statements({ kind: 'ontology', knownBy: asOf, newest: true, limit: 1 });
  return (stated?.body['ontology_sha256'] as string | undefined) ?? ONTOLOGY_SHA256;
}

/** Synthetic data anywhere make the whole of it synthetic. */
function evidenceOf(headers: readonly (RecordedHeader | null)[]): {
  readonly evidence: Grounds['evidence'];
  readonly sources: string[];
} {
  const sources = new Set<string>();
  for (const header of headers) {
    if (header === null) continue;
    for (const source of [...header.sourceSet.sources, ...header.sourceSet.warming]) sources.add(source);
  }
  if (sources.size === 0) return { evidence: 'none', sources: [] };
  const isFixture = [...sources].some((source) => source.startsWith('fixture'));
  return { evidence: isFixture ? 'fixture' : 'live', sources: [...sources].sort() };
}

async function epochsBefore(
  archive: ArchiveReader,
  asOf: Instant,
): Promise<{ readonly count: number; readonly survivors: ReadonlySet<string> }> {
  const stated = await archive.statements({
    kind: 'scorecard',
    knownBy: asOf,
    to: asOf - 1,
    limit: ALL,
  });
  const survivors = (stated.at(-1)?.body['survivors_bh'] ?? []) as string[];
  return { count: stated.length, survivors: new Set(survivors) };
}

export async function study(parts: StudyParts): Promise<Study> {
  const { archive, asOf, pace, codeVersion } = parts;
  const stated = await registryAt(archive, asOf);
  const registry = stated.length > 0 ? stated : provisional(asOf);
  const tape = await readValidationTape(archive, asOf, pace);
  const { ledger, points, observed, disagreeing } = await walk(parts, tape);
  const treeSize = await archive.logSize(asOf);
  const root = await storedRoot(treeSize, (places) => archive.treeHashes(places));
  const before = await epochsBefore(archive, asOf);
  const headers = [...tape.grid.map(({ header }) => header), tape.newest];
  const { evidence, sources } = evidenceOf(headers);
  const grounds: Grounds = {
    epochIndex: before.count,
    epochAt: asOf,
    evidence,
    audited: disagreeing === 0,
    observedSections: observed,
    firstDate: tape.grid[0]?.date ?? null,
    lastDate: tape.grid.at(-1)?.date ?? null,
    survivedBefore: before.survivors,
    treeSize,
    rootHash: root.toString('base64'),
    ontologySha256: await ontologyAt(archive, asOf),
    codeVersion,
  };
  const scorecard = await pace.run(scorecardOf(ledger, registry, grounds));
  const voiceStudy = new VoiceStudy(tape.closes, tape.sector);
  const heard = await voices(parts, tape, points, voiceStudy);
  const reputation = await pace.run(
    reputationOf(heard, voiceStudy, { ...grounds, registrySha256: registrySha256(registry) }),
  );
  return { scorecard, reputation, sources, framesChecked: tape.grid.length, framesDisagreeing: disagreeing };
}
