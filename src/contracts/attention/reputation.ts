// The validation of the author graph: whether weighting voices helps, lasts, and can be bought. Aggregates only.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, Sha256 } from '../primitives.js';
import {
  Epoch,
  EvidenceKind,
  LogPlace,
  MeanEvidence,
  ScorecardVerdict,
  ValidationReceipt,
} from './scorecard.js';

const Statistic = z.number().nullable();

export const IncrementalValue = z
  .strictObject({
    target: z.enum(['forward_return', 'absolute_forward_return']),
    horizon: z.literal('1d'),
    verdict: ScorecardVerdict,
    reason: z.string(),
    n_days: z.int(),
    weighted_mean_ic: Statistic,
    plain_mean_ic: Statistic,
    in_sample_mean_delta: Statistic.describe('With the scores of today on the past: for comparison only.'),
    ...MeanEvidence,
    p_bh: Statistic,
    p_by: Statistic,
    permutation_p: Statistic.describe(
      'Share of shuffled reputations that do as well; null without enough sessions.',
    ),
  })
  .meta({
    id: 'IncrementalValue',
    description:
      'Of the daily difference between the rank IC of reputation-weighted activity and that of plain activity; scores are frozen before the week that they are tested on.',
  });

export const ReputationDocument = z
  .strictObject({
    schema: z.literal('barograph.reputation.v1'),
    epoch: Epoch,
    evidence: EvidenceKind,
    state: z
      .enum(['measured', 'insufficient_data'])
      .describe('insufficient_data: too few authors, interactions or pre-trusted accounts for a score.'),
    graph: z.strictObject({
      authors: z.int().nullable().describe('Null when fewer than 20.'),
      interacting_authors: z.int().nullable(),
      edges: z.int(),
      dangling_share: Statistic,
      largest_component_share: Statistic,
      reciprocity: Statistic,
      pre_trusted: z.int().nullable(),
    }),
    convergence: z.strictObject({
      alpha: z.number(),
      sweeps: z.int().nullable(),
      residual: Statistic,
      converged: z.boolean(),
      pre_trust_rule: z.string(),
    }),
    concentration: z
      .strictObject({
        gini: Statistic,
        herfindahl: Statistic,
        top_1pc_share: Statistic,
        effective_authors: Statistic,
      })
      .nullable(),
    stability: z
      .strictObject({
        common_authors: z.int(),
        rank_correlation: Statistic,
        top_decile_turnover: Statistic,
        new_in_top_decile: Statistic,
      })
      .nullable()
      .describe('Against the scores of a week before.'),
    incremental_value: z.array(IncrementalValue),
    sybil_resistance: z
      .array(
        z.strictObject({
          injected: z.int(),
          bought_edges: z.int(),
          captured_share: z.number().describe('Trust that a closed ring of so many new accounts holds.'),
          rank_displacement: z
            .strictObject({ max: Statistic, p95: Statistic })
            .optional()
            .describe(
              'Ranks by which real authors with any trust move in the order of trust: the largest move, and what 95 % stay below. Absent from older documents.',
            ),
        }),
      )
      .describe(
        'What an attacker gains by new accounts that praise each other, with and without bought interactions.',
      ),
    coordination: z.strictObject({
      near_duplicate_share: Statistic.describe('Share of the posts whose text several authors have sent.'),
    }),
    coverage: z
      .array(
        z.strictObject({
          provider: z.string(),
          authors: z.int().nullable(),
          scored_activity_share: Statistic,
          state: z.enum(['measured', 'suppressed']),
        }),
      )
      .describe('Share of the activity of the last 24 hours that comes from authors with a score.'),
    parameters: z.record(z.string(), z.unknown()),
    receipt: ValidationReceipt,
    reputation_sha256: Sha256,
  })
  .meta({ id: 'ReputationDocument' });
export type ReputationDocument = z.input<typeof ReputationDocument>;

export const ReputationScorecard = z
  .strictObject({
    state: z.enum(['ready', 'warming']),
    as_of: InstantText,
    age_s: z.int().nullable(),
    next_epoch_at: InstantText,
    reputation: ReputationDocument.nullable(),
    statement: LogPlace.nullable(),
    policy: z.string(),
  })
  .meta({ id: 'ReputationScorecard' });
export type ReputationScorecard = z.input<typeof ReputationScorecard>;

export const reputationScorecard = operation({
  name: 'reputation_scorecard',
  method: 'GET',
  path: '/v1/reputation/scorecard',
  surface: 'attention',
  group: 'contract, trust, service',
  summary: 'Validation of the author graph, in aggregates',
  description:
    'Whether weighting activity by the reputation of its authors adds anything, how concentrated and how stable reputation is, and what an attacker with new accounts gains. No author and no key of one leaves the service; cells of fewer than 20 authors are suppressed.',
  access: PUBLIC,
  input: z.strictObject({ as_of: InstantInput.optional() }),
  output: ReputationScorecard,
  failures: ['invalid_as_of', 'as_of_out_of_range', 'unknown_parameter', 'archive_unavailable'],
  keeps: 'frame',
  example: {},
});
