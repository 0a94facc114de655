// Assembles the scorecard: every registered hypothesis tested, corrected for the whole family, and judged.
import type { HypothesisResult, ScorecardDocument } from '../../contracts/attention/scorecard.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { effectiveNumber } from '../../kernel/statistics/concentration.js';
import { expectedMaximum } from '../../kernel/statistics/deflated-sharpe.js';
import { mean } from '../../kernel/statistics/moments.js';
import { benjaminiHochberg, benjaminiYekutieli } from '../../kernel/statistics/multiple-testing.js';
import { normalSurvival } from '../../kernel/statistics/normal.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { pearson } from '../../kernel/statistics/pearson.js';
import { symmetricEigen } from '../../kernel/statistics/symmetric-eigen.js';
import { sealed, statistic, wireParameters } from './document.js';
import { FAMILY, type RegisteredHypothesis, registrySha256 } from './hypotheses.js';
import type { IcLedger, IcSeries } from './ic-series.js';
import {
  inferMean,
  type MeanInference,
  type Resampled,
  resample,
  type Stability,
  stabilityOf,
} from './inference.js';
import { VALIDATION } from './parameters.js';
import { quantileSpread, regimeIc, signalProfile } from './signal-profile.js';
import { type Judged, judge, VERDICTS, type Verdict } from './verdict.js';

export type { ScorecardDocument } from '../../contracts/attention/scorecard.js';

export interface Grounds {
  readonly epochIndex: number;
  readonly epochAt: Instant;
  readonly evidence: ScorecardDocument['evidence'];
  /** False when a frame of the tape does not agree with its own fingerprint. */
  readonly audited: boolean;
  readonly observedSections: number;
  readonly firstDate: string | null;
  readonly lastDate: string | null;
  /** Ids that survived Benjamini and Hochberg in the epoch before. */
  readonly survivedBefore: ReadonlySet<string>;
  readonly treeSize: number;
  readonly rootHash: string;
  readonly ontologySha256: string;
  readonly codeVersion: string;
}

interface Tested {
  readonly hypothesis: RegisteredHypothesis;
  readonly series: IcSeries;
  readonly neutral: MeanInference;
  readonly raw: MeanInference;
  readonly bootstrap: Resampled | null;
  readonly stability: Stability;
  readonly expectedSign: number;
  readonly confirmatory: readonly number[];
  readonly exploratory: readonly number[];
}

const SIGNS = { positive: 1, negative: -1, either: 0 } as const;

/** Only days that were recorded live after the claim was made can confirm it. */
const confirms = (series: IcSeries, i: number, registeredAt: Instant): boolean =>
  series.observed[i]! && series.at[i]! > registeredAt;

function test(hypothesis: RegisteredHypothesis, series: IcSeries, epoch: number): Tested {
  const { horizon, referenceIc, registeredAt } = hypothesis;
  const options = { horizon, reference: referenceIc, equivalence: VALIDATION.equivalence };
  const neutral = inferMean(series.neutral, options);
  const expectedSign = SIGNS[hypothesis.expectedSign];
  const enough = series.neutral.length >= VALIDATION.minDays;
  const split = (wanted: boolean): number[] =>
    series.neutral.filter((_, i) => confirms(series, i, registeredAt) === wanted);
  return {
    hypothesis,
    series,
    neutral,
    raw: inferMean(series.raw, options),
    bootstrap: enough ? resample(series.neutral, horizon, `${hypothesis.id} ${epoch}`) : null,
    stability: stabilityOf(
      series.neutral,
      series.dates,
      horizon,
      expectedSign === 0 ? Math.sign(neutral.mean) : expectedSign,
    ),
    expectedSign,
    confirmatory: split(true),
    exploratory: split(false),
  };
}

const medianNames = ({ names }: IcSeries): number => (names.length === 0 ? 0 : median(names));
const coverage = ({ dates, matured }: IcSeries): number => (matured === 0 ? 0 : dates.length / matured);

/** A hypothesis that could not be tested has no p-value; in the family it counts as one that was not found. */
const testable = ({ neutral }: Tested): boolean => neutral.days >= VALIDATION.minDays && neutral.p >= 0;

/** Effective rank of the correlations of the tested series: how many independent tests the family is worth. */
function effectiveTests(tested: readonly Tested[]): number {
  const [first, ...others] = tested;
  if (first === undefined) return 0;
  const sets = others.map(({ series }) => new Set(series.dates));
  const common = new Set(first.series.dates.filter((date) => sets.every((dates) => dates.has(date))));
  const columns = tested.map(({ series }) => series.neutral.filter((_, i) => common.has(series.dates[i]!)));
  const matrix = columns.map(() => columns.map(() => 1));
  columns.forEach((left, i) => {
    for (let j = 0; j < i; j++) matrix[i]![j] = matrix[j]![i] = pearson(left, columns[j]!);
  });
  if (matrix.some((row) => row.some(Number.isNaN))) return tested.length;
  // Rounding can leave an eigenvalue slightly below zero, and a negative share means nothing.
  return effectiveNumber(symmetricEigen(matrix).values.map((value) => Math.max(0, value)));
}

interface Corrected {
  readonly bh: number;
  readonly by: number;
  readonly deflated: number;
}

function corrected(tested: readonly Tested[], family: number, effective: number): Corrected[] {
  const p = tested.map((one) => (testable(one) ? one.neutral.p : Number.NaN));
  const bh = benjaminiHochberg(p, family);
  const by = benjaminiYekutieli(p, family);
  const luck = expectedMaximum(Math.max(1, effective));
  return tested.map(({ neutral }, i) => ({
    bh: bh[i]!,
    by: by[i]!,
    deflated: normalSurvival(Math.abs(neutral.t) - luck),
  }));
}

function resultOf(tested: Tested, fixed: Corrected, judged: Judged): HypothesisResult {
  const { hypothesis, series, neutral, raw, bootstrap, stability, confirmatory, exploratory } = tested;
  const lost = series.lost.entry_unknown + series.lost.exit_unknown + series.lost.identity_gap;
  return {
    id: hypothesis.id,
    signal: hypothesis.signal,
    horizon: `${hypothesis.horizon}d`,
    target: hypothesis.target,
    expected_sign: hypothesis.expectedSign,
    ...judged,
    n_days: series.dates.length,
    confirmatory_days: confirmatory.length,
    immature_days: series.immature,
    median_names: statistic(medianNames(series)),
    coverage: statistic(coverage(series)),
    attrition: {
      eligible: series.eligible,
      ...series.lost,
      share: series.eligible === 0 ? null : statistic(lost / series.eligible),
    },
    ...meanEvidence(neutral),
    raw: { mean_ic: statistic(raw.mean), t: statistic(raw.t), p_value: statistic(raw.p) },
    exploratory_mean_ic: statistic(mean(exploratory)),
    confirmatory_mean_ic: statistic(mean(confirmatory)),
    bootstrap:
      bootstrap === null
        ? null
        : {
            ci95: { low: statistic(bootstrap.low), high: statistic(bootstrap.high) },
            p_value: statistic(bootstrap.p),
            block: statistic(bootstrap.block),
          },
    p_bh: statistic(fixed.bh),
    p_by: statistic(fixed.by),
    survives_bh: fixed.bh <= VALIDATION.falseDiscoveryRate,
    survives_by: fixed.by <= VALIDATION.falseDiscoveryRate,
    deflated_p: statistic(fixed.deflated),
    stability: {
      months: stability.months,
      share: statistic(stability.share),
      ci95: { low: statistic(stability.low), high: statistic(stability.high) },
      split_half_t: statistic(stability.splitHalfT),
    },
    quantile_spread: quantileSpread(series, hypothesis.horizon),
    regime_ic: regimeIc(series),
  };
}

/** The members that every test of a mean has on the wire. */
export function meanEvidence(inference: MeanInference) {
  return {
    mean_ic: statistic(inference.mean),
    median_ic: statistic(inference.median),
    ic_sd: statistic(inference.deviation),
    icir: statistic(inference.ratio),
    se: statistic(inference.se),
    terms: inference.terms,
    t: statistic(inference.t),
    p_value: statistic(inference.p),
    ci95: { low: statistic(inference.low), high: statistic(inference.high) },
    n_eff: statistic(inference.effectiveDays),
    newey_west: {
      t: statistic(inference.neweyWest.t),
      lag: inference.neweyWest.lag,
      critical_value: statistic(inference.neweyWest.criticalValue),
    },
    power_ref: statistic(inference.power),
    mde80: statistic(inference.mde80),
    equivalence_p: statistic(inference.equivalenceP),
  };
}

function evidenceOf(tested: Tested, fixed: Corrected, grounds: Grounds) {
  const { neutral, series, stability, expectedSign, confirmatory, exploratory, hypothesis } = tested;
  return {
    audited: grounds.audited,
    days: neutral.days,
    terms: neutral.terms,
    medianNames: medianNames(series),
    coverage: coverage(series),
    mean: neutral.mean,
    expectedSign,
    survivesBh: fixed.bh <= VALIDATION.falseDiscoveryRate,
    survivesBy: fixed.by <= VALIDATION.falseDiscoveryRate,
    survivedBefore: grounds.survivedBefore.has(hypothesis.id),
    stabilityLow: stability.low,
    exploratoryMean: mean(exploratory),
    confirmatoryMean: mean(confirmatory),
    equivalenceP: neutral.equivalenceP,
    power: neutral.power,
  };
}

/** Yields between hypotheses. `registry` may come in any order; the document is the same. */
export function* scorecardOf(
  ledger: IcLedger,
  registry: readonly RegisteredHypothesis[],
  grounds: Grounds,
): Generator<void, ScorecardDocument> {
  const family = registry.filter((one) => one.family === FAMILY).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const tested: Tested[] = [];
  for (const hypothesis of family) {
    if (hypothesis.status === 'retired') continue;
    const series = ledger.series(hypothesis.signal, hypothesis.horizon, hypothesis.target);
    tested.push(test(hypothesis, series, grounds.epochIndex));
    yield;
  }
  const able = tested.filter(testable);
  const effective = effectiveTests(able);
  yield;
  const fixed = corrected(tested, family.length, effective);
  const hypotheses = tested.map((one, i) =>
    resultOf(one, fixed[i]!, judge(evidenceOf(one, fixed[i]!, grounds))),
  );
  const counted = (verdict: Verdict): number => hypotheses.filter((one) => one.verdict === verdict).length;
  const survivors = (by: 'survives_bh' | 'survives_by'): string[] =>
    hypotheses.filter((one) => one[by]).map(({ id }) => id);
  return sealed(
    {
      schema: 'barograph.scorecard.v1' as const,
      epoch: {
        index: grounds.epochIndex,
        at: formatInstant(grounds.epochAt),
        looks: grounds.epochIndex + 1,
      },
      evidence: grounds.evidence,
      knowledge:
        ledger.sections === 0
          ? ('none' as const)
          : grounds.observedSections === ledger.sections
            ? ('observed' as const)
            : ('simulated' as const),
      tape: {
        sections: ledger.sections,
        observed_sections: grounds.observedSections,
        first: grounds.firstDate,
        last: grounds.lastDate,
        mean_names: ledger.sections === 0 ? null : statistic(ledger.universe / ledger.sections),
      },
      family: {
        id: FAMILY,
        registered: family.length,
        effective: able.length === 0 ? null : statistic(effective),
        false_discovery_rate: VALIDATION.falseDiscoveryRate,
      },
      parameters: wireParameters(VALIDATION),
      summary: {
        verdicts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, counted(verdict)])) as Record<
          Verdict,
          number
        >,
        survivors_bh: survivors('survives_bh'),
        survivors_by: survivors('survives_by'),
      },
      hypotheses,
      signals: tested
        .map(({ hypothesis }) => hypothesis.signal)
        .filter((signal, i, all) => all.indexOf(signal) === i)
        .map((signal) => signalProfile(ledger, signal)),
      receipt: {
        tree_size: grounds.treeSize,
        root_hash: grounds.rootHash,
        ontology_sha256: grounds.ontologySha256,
        registry_sha256: registrySha256(family),
        code_version: grounds.codeVersion,
        lookahead: false as const,
      },
    },
    'scorecard_sha256',
  );
}
