// The Sharpe ratio deflated for fat tails, short samples and the number of tries it was picked from.

import { normalCdf, normalQuantile } from './normal.js';

const EULER_GAMMA = 0.5772156649015329;

/** A Sharpe ratio per observation (not annualised) and what it was measured on. */
export interface SharpeEvidence {
  readonly sharpe: number;
  readonly observations: number;
  readonly skewness: number;
  /** Fourth standardised moment, 3 for the normal distribution. */
  readonly kurtosis: number;
}

/** The search the strategy came out of. */
export interface TrialHistory {
  /** Number of independent trials, every abandoned one included. */
  readonly trials: number;
  /** Standard deviation of the trials' Sharpe ratios, per observation. */
  readonly trialDeviation: number;
}

/** Expected largest of n independent standard normal draws, by Bailey and López de Prado's approximation. */
export function expectedMaximum(trials: number): number {
  if (!(trials >= 1)) return Number.NaN;
  if (trials === 1) return 0;
  return (
    -(1 - EULER_GAMMA) * normalQuantile(1 / trials) - EULER_GAMMA * normalQuantile(1 / (trials * Math.E))
  );
}

/** Probability that the true Sharpe ratio exceeds the benchmark. */
export function probabilisticSharpe(evidence: SharpeEvidence, benchmark: number): number {
  const { sharpe, observations, skewness, kurtosis } = evidence;
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  // A moment combination that no distribution can have leaves nothing to divide by.
  if (!(spread > 0) || !(observations > 1)) return Number.NaN;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(observations - 1)) / Math.sqrt(spread));
}

/** Probability that the true Sharpe ratio exceeds what the best of so many worthless trials would show. */
export function deflatedSharpe(evidence: SharpeEvidence, history: TrialHistory): number {
  return probabilisticSharpe(evidence, history.trialDeviation * expectedMaximum(history.trials));
}
