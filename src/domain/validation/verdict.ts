// The ladder of verdicts: the first rule that applies gives the answer, and its name is the reason.
import { VALIDATION } from './parameters.js';

export const VERDICTS = [
  'supported',
  'no_material_effect',
  'underpowered',
  'contradicted',
  'insufficient_data',
  'withheld',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Evidence {
  /** False when something under the numbers could not be verified. */
  readonly audited: boolean;
  readonly days: number;
  readonly terms: number;
  readonly medianNames: number;
  readonly coverage: number;
  readonly mean: number;
  /** 1, −1, or 0 where no sign is expected. */
  readonly expectedSign: number;
  readonly survivesBh: boolean;
  readonly survivesBy: boolean;
  /** Whether it survived Benjamini and Hochberg in the epoch before, too. */
  readonly survivedBefore: boolean;
  /** Lower end of the interval of the share of months with the right sign. */
  readonly stabilityLow: number;
  /** Means over the days before and after the registration; NaN where there are none. */
  readonly exploratoryMean: number;
  readonly confirmatoryMean: number;
  readonly equivalenceP: number;
  readonly power: number;
}

export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
}

const judged = (verdict: Verdict, reason: string): Judged => ({ verdict, reason });

function missing(evidence: Evidence): string | null {
  if (!(evidence.days >= VALIDATION.minDays)) return 'too_few_days';
  if (!(evidence.terms >= VALIDATION.minTerms)) return 'too_few_independent_days';
  if (!(evidence.medianNames >= VALIDATION.minNames)) return 'too_few_names';
  return evidence.coverage >= VALIDATION.minCoverage ? null : 'too_many_gaps';
}

/** Found in the past and not found again since it was registered is the mark of a search, not of an effect. */
function confirmed({ exploratoryMean, confirmatoryMean, mean }: Evidence): boolean {
  if (Number.isNaN(exploratoryMean) || Number.isNaN(confirmatoryMean)) return true;
  const sign = Math.sign(mean);
  return sign * confirmatoryMean >= (sign * exploratoryMean) / 2;
}

export function judge(evidence: Evidence): Judged {
  const lacking = missing(evidence);
  if (lacking !== null) return judged('insufficient_data', lacking);
  if (!evidence.audited) return judged('withheld', 'archive_audit_failed');
  const { expectedSign, mean, survivesBh, survivesBy, survivedBefore } = evidence;
  if (survivesBh && expectedSign !== 0 && Math.sign(mean) !== expectedSign)
    return judged('contradicted', 'significant_against_the_expected_sign');
  const stable = evidence.stabilityLow > 0.5;
  if ((survivesBy || (survivesBh && survivedBefore)) && stable && confirmed(evidence))
    return judged('supported', survivesBy ? 'survives_by' : 'survives_bh_in_two_epochs');
  if (!survivesBh && evidence.equivalenceP < VALIDATION.significance)
    return judged('no_material_effect', 'equivalent_to_none');
  // From here on the data cannot tell an effect from none; the reason says what is lacking.
  if (survivesBh) {
    if (!stable) return judged('underpowered', 'significant_but_unstable');
    if (!confirmed(evidence)) return judged('underpowered', 'significant_but_not_confirmed');
    return judged('underpowered', 'significant_once');
  }
  if (!(evidence.power >= VALIDATION.wantedPower)) return judged('underpowered', 'power_below_wanted');
  return judged('underpowered', 'neither_found_nor_excluded');
}
