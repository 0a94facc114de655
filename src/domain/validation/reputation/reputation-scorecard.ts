// Assembles what is published about the author graph: aggregates, a test of its worth, and its price for an attacker.
import type { ReputationDocument } from '../../../contracts/attention/reputation.js';
import { formatInstant } from '../../../kernel/instant.js';
import { mean } from '../../../kernel/statistics/moments.js';
import { benjaminiHochberg, benjaminiYekutieli } from '../../../kernel/statistics/multiple-testing.js';
import { sealed, statistic, wireParameters } from '../document.js';
import { TARGETS } from '../hypotheses.js';
import { inferMean, stabilityOf } from '../inference.js';
import { REPUTATION, VALIDATION } from '../parameters.js';
import { type Grounds, meanEvidence } from '../scorecard.js';
import { judge } from '../verdict.js';
import { concentrationOf, graphShape, stabilityBetween } from './graph-shape.js';
import { displacementOf } from './rank-displacement.js';
import { attacked, heldBeyond, PRE_TRUST_RULE, preTrusted, trustOf } from './trust.js';
import type { VoiceLedger } from './voice-ledger.js';
import { type Day, type VoiceStudy, weightOf } from './weighted-activity.js';

export type { ReputationDocument } from '../../../contracts/attention/reputation.js';

export interface ReputationGrounds extends Grounds {
  readonly registrySha256: string;
}

const EVERYBODY_ALIKE = (): number => 1;
const shown = (authors: number): number | null => (authors < REPUTATION.minAuthors ? null : authors);

interface Paired {
  readonly date: string;
  readonly weighted: readonly number[];
  readonly plain: readonly number[];
  readonly inSample: readonly number[];
}

/** Yields between sessions. */
function* paired(study: VoiceStudy, days: readonly Day[], now: Float64Array): Generator<void, Paired[]> {
  const pairs: Paired[] = [];
  for (const day of days) {
    const plain = study.coefficients(day, EVERYBODY_ALIKE);
    const weighted = study.coefficients(day, (author) => weightOf(day.scores, author));
    const inSample = study.coefficients(day, (author) => weightOf(now, author));
    if (![...plain, ...weighted].some(Number.isNaN))
      pairs.push({ date: day.date, weighted, plain, inSample });
    yield;
  }
  return pairs;
}

function* incrementalValue(
  study: VoiceStudy,
  days: readonly Day[],
  now: Float64Array,
  grounds: ReputationGrounds,
): Generator<void, ReputationDocument['incremental_value']> {
  const pairs = yield* paired(study, days, now);
  const deltas = TARGETS.map((_, j) => pairs.map(({ weighted, plain }) => weighted[j]! - plain[j]!));
  const options = { horizon: 1, reference: VALIDATION.referenceIc, equivalence: VALIDATION.equivalence };
  const tests = deltas.map((values) => inferMean(values, options));
  const p = tests.map(({ p: value, days: n }) => (n >= VALIDATION.minDays ? value : Number.NaN));
  const [bh, by] = [benjaminiHochberg(p), benjaminiYekutieli(p)];
  const enough = pairs.length >= VALIDATION.minDays;
  const lately = days.slice(-REPUTATION.permutedSessions);
  const found = TARGETS.map((_, j) => mean(pairs.slice(-lately.length).map(({ weighted }) => weighted[j]!)));
  const luck = enough
    ? yield* study.permutation(lately, found, `reputation ${grounds.epochIndex}`)
    : TARGETS.map(() => Number.NaN);
  return TARGETS.map((target, j) => {
    const test = tests[j]!;
    const dates = pairs.map(({ date }) => date);
    const judged = judge({
      audited: grounds.audited,
      days: test.days,
      terms: test.terms,
      medianNames: pairs.length === 0 ? 0 : VALIDATION.minNames,
      coverage: days.length === 0 ? 0 : pairs.length / days.length,
      mean: test.mean,
      expectedSign: target === 'absolute_forward_return' ? 1 : 0,
      survivesBh: bh[j]! <= VALIDATION.falseDiscoveryRate,
      survivesBy: by[j]! <= VALIDATION.falseDiscoveryRate,
      survivedBefore: false,
      stabilityLow: stabilityOf(deltas[j]!, dates, 1, Math.sign(test.mean)).low,
      exploratoryMean: Number.NaN,
      confirmatoryMean: test.mean,
      equivalenceP: test.equivalenceP,
      power: test.power,
    });
    return {
      target,
      horizon: '1d' as const,
      ...judged,
      n_days: test.days,
      weighted_mean_ic: statistic(mean(pairs.map(({ weighted }) => weighted[j]!))),
      plain_mean_ic: statistic(mean(pairs.map(({ plain }) => plain[j]!))),
      in_sample_mean_delta: statistic(mean(pairs.map(({ inSample, plain }) => inSample[j]! - plain[j]!))),
      ...meanEvidence(test),
      p_bh: statistic(bh[j]!),
      p_by: statistic(by[j]!),
      permutation_p: statistic(luck[j]!),
    };
  });
}

/** Yields between its parts. */
export function* reputationOf(
  ledger: VoiceLedger,
  study: VoiceStudy,
  grounds: ReputationGrounds,
): Generator<void, ReputationDocument> {
  const snapshot = ledger.snapshot();
  yield;
  const ranked = trustOf(snapshot, ledger.lastScores);
  yield;
  const scores = ranked?.scores ?? new Float64Array(0);
  const shape = graphShape(snapshot);
  yield;
  const sybils: ReputationDocument['sybil_resistance'] = [];
  if (ranked !== null) {
    // Only who is trusted has something to sell; the same ones sell to every ring, so that rings can be compared.
    const sellers = Array.from(scores.keys()).filter((author) => scores[author]! > 0);
    for (const injected of REPUTATION.sybils) {
      for (const bought of [0, REPUTATION.boughtEdges]) {
        const attack = { sybils: injected, bought, sellers, seed: 'sellers' };
        const { scores: after } = trustOf(attacked(snapshot, attack), scores)!;
        const { largest, p95 } = displacementOf(scores, after);
        sybils.push({
          injected,
          bought_edges: bought,
          captured_share: statistic(heldBeyond(after, snapshot.graph.nodes)) ?? 0,
          rank_displacement: { max: statistic(largest), p95: statistic(p95) },
        });
        yield;
      }
    }
  }
  const incremental = yield* incrementalValue(study, ledger.days, scores, grounds);
  const before = ledger.lastScores;
  return sealed(
    {
      schema: 'barograph.reputation.v1' as const,
      epoch: {
        index: grounds.epochIndex,
        at: formatInstant(grounds.epochAt),
        looks: grounds.epochIndex + 1,
      },
      evidence: grounds.evidence,
      state: ranked === null ? ('insufficient_data' as const) : ('measured' as const),
      graph: {
        authors: shown(ledger.authors),
        interacting_authors: shown(shape.interacting),
        edges: shape.edges,
        dangling_share: statistic(shape.danglingShare),
        largest_component_share: statistic(shape.largestComponentShare),
        reciprocity: statistic(shape.reciprocity),
        pre_trusted: shown(preTrusted(snapshot)),
      },
      convergence: {
        alpha: REPUTATION.alpha,
        sweeps: ranked?.sweeps ?? null,
        residual: ranked === null ? null : statistic(ranked.residual),
        converged: ranked?.converged ?? false,
        pre_trust_rule: PRE_TRUST_RULE,
      },
      concentration: ranked === null ? null : concentrationOf(scores),
      stability: ranked === null || before.length === 0 ? null : stabilityBetween(before, scores),
      incremental_value: incremental,
      sybil_resistance: sybils,
      coordination: { near_duplicate_share: statistic(ledger.nearDuplicateShare) },
      coverage: coverageOf(ledger, scores),
      parameters: wireParameters(REPUTATION),
      receipt: {
        tree_size: grounds.treeSize,
        root_hash: grounds.rootHash,
        ontology_sha256: grounds.ontologySha256,
        registry_sha256: grounds.registrySha256,
        code_version: grounds.codeVersion,
        lookahead: false as const,
      },
    },
    'reputation_sha256',
  );
}

function coverageOf(ledger: VoiceLedger, scores: Float64Array): ReputationDocument['coverage'] {
  return Array.from(ledger.providers(scores), ([provider, { authors, posts, scoredPosts }]) => {
    const suppressed = authors < REPUTATION.minAuthors;
    return {
      provider,
      authors: shown(authors),
      scored_activity_share: suppressed ? null : statistic(scoredPosts / posts),
      state: suppressed ? ('suppressed' as const) : ('measured' as const),
    };
  }).sort((a, b) => (a.provider < b.provider ? -1 : 1));
}
