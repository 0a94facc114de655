// Takes the scorecard down to what fits on one screen.
import type { Scorecard } from '../../contracts/attention/scorecard.js';
import type { ScorecardSummary } from '../../contracts/attention/scorecard-summary.js';

export function scorecardSummary(whole: Scorecard, horizon: ScorecardSummary['horizon']): ScorecardSummary {
  const { state, verdict_state, as_of, next_epoch_at, registry, scorecard, statement, policy } = whole;
  const rows = (scorecard?.hypotheses ?? []).filter((one) => one.horizon === horizon);
  return {
    state,
    verdict_state,
    as_of,
    next_epoch_at,
    registered: registry.registered,
    horizon,
    epoch: scorecard?.epoch ?? null,
    evidence: scorecard?.evidence ?? null,
    verdicts: scorecard?.summary.verdicts ?? null,
    survivors_bh: scorecard?.summary.survivors_bh ?? [],
    rows: rows.map((row) => ({
      signal: row.signal,
      target: row.target,
      verdict: row.verdict,
      n_days: row.n_days,
      mean_ic: row.mean_ic,
      p_value: row.p_value,
      p_bh: row.p_bh,
      survives_bh: row.survives_bh,
      power_ref: row.power_ref,
      mde80: row.mde80,
    })),
    scorecard_sha256: scorecard?.scorecard_sha256 ?? null,
    statement,
    policy,
  };
}
