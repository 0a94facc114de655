// What a scorecard says of a signal beside its tests: how it spreads returns, when it works, how it lasts and fades.
import type { HypothesisResult, ScorecardDocument } from '../../contracts/attention/scorecard.js';
import { equalWeightedCosine } from '../../kernel/statistics/equal-weighted-cosine.js';
import { mean } from '../../kernel/statistics/moments.js';
import { spearman } from '../../kernel/statistics/spearman.js';
import { MOODS } from './attention-mood.js';
import { decayOf } from './decay.js';
import { statistic } from './document.js';
import { TARGETS } from './hypotheses.js';
import type { IcLedger, IcSeries } from './ic-series.js';
import { VALIDATION } from './parameters.js';

export function quantileSpread(
  { spreads, fifths }: IcSeries,
  horizon: number,
): NonNullable<HypothesisResult['quantile_spread']> {
  const { mean: centre, se, t, terms } = equalWeightedCosine(spreads, { horizon });
  return {
    days: spreads.length,
    mean: statistic(centre),
    se: statistic(se),
    t: spreads.length < VALIDATION.minDays ? null : statistic(t),
    terms,
    monotonicity: spreads.length === 0 ? null : statistic(spearman([1, 2, 3, 4, 5], fifths)),
  };
}

/** No p-values: the days of one mood are few, and were not claimed beforehand. */
export function regimeIc({ neutral, moods }: IcSeries): NonNullable<HypothesisResult['regime_ic']> {
  return MOODS.map((regime) => {
    const own = neutral.filter((_, i) => moods[i] === regime);
    return { regime, days: own.length, mean_ic: statistic(mean(own)) };
  });
}

type Profile = NonNullable<ScorecardDocument['signals']>[number];

export function signalProfile(ledger: IcLedger, signal: string): Profile {
  const { days, rankAutocorrelation, turnover } = ledger.persistence(signal);
  return {
    signal,
    persistence: {
      days,
      rank_autocorrelation: statistic(rankAutocorrelation),
      turnover: statistic(turnover),
    },
    decay: TARGETS.map((target) => {
      const { buckets, halfLife, reason } = decayOf(ledger.buckets(signal, target));
      return {
        target,
        buckets: buckets.map((bucket) => ({
          from: `${bucket.from}d`,
          to: `${bucket.to}d`,
          days: bucket.days,
          mean_ic: statistic(bucket.mean),
          ci95: { low: statistic(bucket.low), high: statistic(bucket.high) },
        })),
        half_life_sessions: halfLife === null ? null : statistic(halfLife),
        reason,
      };
    }),
  };
}
