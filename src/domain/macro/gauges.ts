// Gauges by family, 0 to 100 with higher as easier for risk, and the market score that is their weighted mean.
import { normalCdf } from '../../kernel/statistics/normal.js';
import { FAMILIES, FAMILY_COUNT, FAMILY_WEIGHTS } from './catalogue/families.js';
import { GAUGE } from './parameters.js';

export const GAUGE_SIGNALS = ['risk_on', 'neutral', 'risk_off', 'stress', 'unavailable'] as const;
export type GaugeSignal = (typeof GAUGE_SIGNALS)[number];

/** Two decimals: what is published, and what the market score is made from. */
export function twoDecimals(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? 0 : rounded;
}

export function gaugeValue(familyMean: number): number {
  return twoDecimals(100 * normalCdf(GAUGE.steepness * familyMean));
}

/** A signal begins at 60 or 40 and ends at 57 or 43; a family mean of -2 is stress, whatever was before. */
export function signalAfter(before: GaugeSignal, value: number, familyMean: number): GaugeSignal {
  if (familyMean <= GAUGE.stressMean) return 'stress';
  if (value >= GAUGE.enter.riskOn || (before === 'risk_on' && value > GAUGE.leave.riskOn)) return 'risk_on';
  const wasOff = before === 'risk_off' || before === 'stress';
  if (value <= GAUGE.enter.riskOff || (wasOff && value < GAUGE.leave.riskOff)) return 'risk_off';
  return 'neutral';
}

/** The family-weighted mean of the published gauges; families without a reading leave their weight to the others. */
export function marketScore(gauges: readonly (number | null)[]): number | null {
  let sum = 0;
  let weight = 0;
  for (let f = 0; f < FAMILY_COUNT; f += 1) {
    const value = gauges[f];
    if (value === null || value === undefined) continue;
    sum += FAMILY_WEIGHTS[f]! * value;
    weight += FAMILY_WEIGHTS[f]!;
  }
  return weight > 0 ? twoDecimals(sum / weight) : null;
}

/** Weight of a gauge in the market score, given which gauges have a value. */
export function gaugeWeights(available: readonly boolean[]): (number | null)[] {
  const total = FAMILIES.reduce((sum, row, f) => sum + (available[f] ? row.weight : 0), 0);
  return FAMILIES.map((row, f) => (available[f] ? row.weight / total : null));
}
