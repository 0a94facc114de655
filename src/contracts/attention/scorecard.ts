// The scorecard: what was claimed, how it was tested, and what the tape says about it so far.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, Sha256 } from '../primitives.js';

export const VERDICT_NAMES = [
  'supported',
  'no_material_effect',
  'underpowered',
  'contradicted',
  'insufficient_data',
  'withheld',
] as const;

export const ScorecardVerdict = z.enum(VERDICT_NAMES).meta({
  id: 'ScorecardVerdict',
  description:
    'supported: found, stable, and not by the number of tries; no_material_effect: shown to lie within ±0.01; underpowered: the data cannot tell yet; contradicted: found with the opposite sign; insufficient_data: too short or too thin to test; withheld: the tape under it did not verify.',
});

export const VerdictCounts = z
  .strictObject({
    supported: z.int(),
    no_material_effect: z.int(),
    underpowered: z.int(),
    contradicted: z.int(),
    insufficient_data: z.int(),
    withheld: z.int(),
  })
  .meta({ id: 'VerdictCounts' });

/** What the numbers were made from; synthetic data never pass for anything else. */
export const EvidenceKind = z.enum(['fixture', 'live', 'none']).meta({
  id: 'EvidenceKind',
  description: 'fixture: synthetic data, so no verdict says anything about a market; none: no tape yet.',
});

const Statistic = z.number().nullable();
const Interval = z.strictObject({ low: Statistic, high: Statistic });

const claim = {
  id: z.string().describe('family/signal/horizon/target.'),
  signal: z.string(),
  horizon: z.string().describe('Trading sessions, as 1d, 5d or 20d.'),
  target: z
    .enum(['forward_return', 'absolute_forward_return'])
    .describe('absolute_forward_return: the size of the move, whatever its direction.'),
  expected_sign: z.enum(['positive', 'negative', 'either']),
};

export const RegisteredHypothesis = z
  .strictObject({
    ...claim,
    reference_ic: z.number().describe('The size of effect that power is stated for; fixed beforehand.'),
    status: z.enum(['active', 'retired']),
    registered_at: InstantText,
    log_index: z.int().describe('Its place in the transparency log.'),
  })
  .meta({ id: 'RegisteredHypothesis' });

export const MeanEvidence = {
  mean_ic: Statistic,
  median_ic: Statistic,
  ic_sd: Statistic,
  icir: Statistic.describe('Mean over standard deviation, per day, not annualised.'),
  se: Statistic.describe('Of the mean, by equal-weighted cosines.'),
  terms: z.int().describe('Cosines: min(⌊0.4·T^⅔⌋, max(4, ⌊T/2H⌋)). Degrees of freedom of t.'),
  t: Statistic,
  p_value: Statistic.describe('Two-sided.'),
  ci95: Interval,
  n_eff: Statistic.describe('Independent days that would give the same standard error.'),
  newey_west: z
    .strictObject({ t: Statistic, lag: z.int(), critical_value: Statistic })
    .describe('A second opinion; compare |t| with the fixed-b critical value at 5 %.'),
  power_ref: Statistic.describe('Chance to find an effect of the reference size.'),
  mde80: Statistic.describe('The smallest mean IC that would be found with a chance of 80 %.'),
  equivalence_p: Statistic.describe('Two one-sided tests against ±0.01, the weaker one.'),
};

export const HypothesisResult = z
  .strictObject({
    ...claim,
    verdict: ScorecardVerdict,
    reason: z.string().describe('The rule of the ladder that applied first.'),
    n_days: z.int().describe('Sessions with a coefficient; T of the formulas.'),
    confirmatory_days: z.int().describe('Of these, recorded live after the registration.'),
    immature_days: z.int().describe('Sessions whose returns are not known yet; they do not count.'),
    median_names: Statistic,
    coverage: Statistic.describe('Share of the matured sessions that have a coefficient.'),
    attrition: z
      .strictObject({
        eligible: z.int(),
        entry_unknown: z.int(),
        exit_unknown: z.int(),
        identity_gap: z.int(),
        share: Statistic,
      })
      .describe(
        'Names that had the signal, summed over sessions, and those lost before their return was known.',
      ),
    ...MeanEvidence,
    raw: z
      .strictObject({ mean_ic: Statistic, t: Statistic, p_value: Statistic })
      .describe('Without taking size and sector out; all else in this row is with both taken out.'),
    exploratory_mean_ic: Statistic,
    confirmatory_mean_ic: Statistic,
    bootstrap: z
      .strictObject({ ci95: Interval, p_value: Statistic, block: Statistic })
      .nullable()
      .describe('Stationary block bootstrap, seeded by hypothesis and epoch.'),
    p_bh: Statistic,
    p_by: Statistic,
    survives_bh: z.boolean(),
    survives_by: z.boolean(),
    deflated_p: Statistic.describe('Against the best of as many worthless signals as the family is worth.'),
    stability: z.strictObject({
      months: z.int(),
      share: Statistic,
      ci95: Interval,
      split_half_t: Statistic,
    }),
    quantile_spread: z
      .strictObject({
        days: z.int().describe('Days on which all fifths have names; ties can leave one empty.'),
        mean: Statistic.describe('Log return over the horizon, without size and sector.'),
        se: Statistic,
        t: Statistic.describe('By equal-weighted cosines; null with fewer than 60 days.'),
        terms: z.int(),
        monotonicity: Statistic.describe('Rank correlation of the number of a fifth and its mean.'),
      })
      .optional()
      .describe(
        'The highest fifth of the names by the signal minus the lowest. Absent from older documents.',
      ),
    regime_ic: z
      .array(
        z.strictObject({
          regime: z.enum(['calm', 'active', 'stressed']),
          days: z.int(),
          mean_ic: Statistic,
        }),
      )
      .optional()
      .describe(
        'By the attention regime of the day, as the diagnostics name it; described, not tested. Absent from older documents.',
      ),
  })
  .meta({ id: 'HypothesisResult' });
export type HypothesisResult = z.input<typeof HypothesisResult>;

export const SignalProfile = z
  .strictObject({
    signal: z.string(),
    persistence: z
      .strictObject({
        days: z.int(),
        rank_autocorrelation: Statistic,
        turnover: Statistic.describe('Share of the highest fifth that was not in it the session before.'),
      })
      .describe('Against the session before, mean over days.'),
    decay: z
      .array(
        z.strictObject({
          target: claim.target,
          buckets: z
            .array(
              z.strictObject({
                from: z.string(),
                to: z.string(),
                days: z.int(),
                mean_ic: Statistic,
                ci95: Interval,
              }),
            )
            .describe('Returns that follow one another: up to 1, from 1 to 5, from 5 to 20 sessions.'),
          half_life_sessions: Statistic,
          reason: z
            .enum(['too_few_buckets', 'sign_changes', 'not_decreasing'])
            .nullable()
            .describe(
              'Why there is no half-life. too_few_buckets: it takes three whose interval excludes zero.',
            ),
        }),
      )
      .describe('One per target.'),
  })
  .meta({
    id: 'SignalProfile',
    description: 'How long a signal says the same, and how fast its effect fades.',
  });

export const ValidationReceipt = z
  .strictObject({
    tree_size: z.int().describe('Leaves of the transparency log that the document could see.'),
    root_hash: z.string().describe('Base64, of the tree of that size.'),
    ontology_sha256: Sha256,
    registry_sha256: Sha256,
    code_version: z.string(),
    lookahead: z.literal(false),
  })
  .meta({ id: 'ValidationReceipt' });

export const Epoch = z
  .strictObject({
    index: z.int().describe('Scorecards stated before this one.'),
    at: InstantText.describe('Everything in the document was known by then.'),
    looks: z.int().describe('How often the family has been looked at, this time included.'),
  })
  .meta({ id: 'Epoch' });

export const ScorecardDocument = z
  .strictObject({
    schema: z.literal('barograph.scorecard.v1'),
    epoch: Epoch,
    evidence: EvidenceKind,
    knowledge: z
      .enum(['observed', 'simulated', 'none'])
      .describe('observed: every section comes from a frame that was recorded when it was due.'),
    tape: z.strictObject({
      sections: z.int(),
      observed_sections: z.int(),
      first: z.string().nullable(),
      last: z.string().nullable(),
      mean_names: Statistic,
    }),
    family: z.strictObject({
      id: z.string(),
      registered: z.int().describe('m: every hypothesis ever registered, retired ones included.'),
      effective: Statistic.describe(
        'What they are worth as independent tests: effective rank of their correlations.',
      ),
      false_discovery_rate: z.number(),
    }),
    parameters: z.record(z.string(), z.unknown()).describe('Spans are in microseconds.'),
    summary: z.strictObject({
      verdicts: VerdictCounts,
      survivors_bh: z.array(z.string()),
      survivors_by: z.array(z.string()),
    }),
    hypotheses: z.array(HypothesisResult),
    signals: z.array(SignalProfile).optional().describe('Absent from older documents.'),
    receipt: ValidationReceipt,
    scorecard_sha256: Sha256.describe('Of the canonical JSON of the document without this member.'),
  })
  .meta({ id: 'ScorecardDocument' });
export type ScorecardDocument = z.input<typeof ScorecardDocument>;

/** Where a document stands in the log: anyone can check that it has not changed since. */
export const LogPlace = z
  .strictObject({ log_index: z.int(), known_at: InstantText, attachment_sha256: z.string().nullable() })
  .meta({ id: 'LogPlace' });

export const Scorecard = z
  .strictObject({
    state: z
      .enum(['ready', 'warming'])
      .describe('warming: no epoch has ended yet; the registry is there, the document is null.'),
    verdict_state: z
      .enum(['judged', 'insufficient_data'])
      .describe('insufficient_data: not one hypothesis has enough data to be judged.'),
    as_of: InstantText,
    age_s: z.int().nullable().describe('Since the epoch ended; between epochs nothing changes.'),
    next_epoch_at: InstantText,
    registry: z.strictObject({
      family: z.string(),
      registered: z.int(),
      hypotheses: z.array(RegisteredHypothesis),
    }),
    scorecard: ScorecardDocument.nullable(),
    statement: LogPlace.nullable(),
    policy: z.string(),
  })
  .meta({ id: 'Scorecard' });
export type Scorecard = z.input<typeof Scorecard>;

const FAILURES = ['invalid_as_of', 'as_of_out_of_range', 'unknown_parameter', 'archive_unavailable'] as const;

export const scorecard = operation({
  name: 'scorecard',
  method: 'GET',
  path: '/v1/scorecard',
  surface: 'attention',
  group: 'contract, trust, service',
  summary: 'What the signals were worth so far: verdict, IC, significance, power, survivors',
  description:
    'One row per signal, horizon and target, tested once a week on the recorded tape and frozen in between. Verdicts describe the past of this tape; they are not advice. With `as_of` the document in force then.',
  access: PUBLIC,
  input: z.strictObject({ as_of: InstantInput.optional() }),
  output: Scorecard,
  failures: FAILURES,
  keeps: 'frame',
  example: {},
});
