// The scorecard on one screen, for agents: verdict, IC, significance and power of each signal, and who survived.
import { z } from 'zod';
import { InstantText, Sha256 } from '../primitives.js';
import {
  Epoch,
  EvidenceKind,
  HypothesisResult,
  LogPlace,
  Scorecard,
  ScorecardDocument,
  ScorecardVerdict,
} from './scorecard.js';

export const SummaryHorizon = z.enum(['1d', '5d', '20d']).describe('Trading sessions ahead.');

const { mean_ic, p_value, p_bh, power_ref, mde80, n_days, survives_bh } = HypothesisResult.shape;

export const ScorecardSummary = z
  .strictObject({
    state: Scorecard.shape.state,
    verdict_state: Scorecard.shape.verdict_state,
    as_of: InstantText,
    next_epoch_at: InstantText,
    registered: z.int().describe('Hypotheses ever registered; the false discovery rate is over all of them.'),
    horizon: SummaryHorizon.describe('Of the rows; verdicts and survivors are of all horizons.'),
    epoch: Epoch.nullable(),
    evidence: EvidenceKind.nullable(),
    verdicts: ScorecardDocument.shape.summary.shape.verdicts.nullable(),
    survivors_bh: z.array(z.string()).describe('Hypotheses that survive at the false discovery rate.'),
    rows: z
      .array(
        z.strictObject({
          signal: z.string(),
          target: HypothesisResult.shape.target,
          verdict: ScorecardVerdict,
          n_days,
          mean_ic,
          p_value,
          p_bh,
          survives_bh,
          power_ref,
          mde80,
        }),
      )
      .describe('One per signal and target; empty while no epoch has ended.'),
    scorecard_sha256: Sha256.nullable().describe('Of the whole document, which GET /v1/scorecard gives.'),
    statement: LogPlace.nullable(),
    policy: z.string(),
  })
  .meta({ id: 'ScorecardSummary' });
export type ScorecardSummary = z.input<typeof ScorecardSummary>;
