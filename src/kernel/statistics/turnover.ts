// How fast a ranking changes: turnover of a bin and autocorrelation of ranks.

import { completePairs } from './pearson.js';
import { spearman } from './spearman.js';

/** Per row, the share of names in the bin now that were not in it `period` rows before; NaN before that or when empty. */
export function binTurnover(binRows: readonly ArrayLike<number>[], bin: number, period: number): number[] {
  return binRows.map((now, row) => {
    const before = binRows[row - period];
    if (before === undefined) return Number.NaN;
    let members = 0;
    let entrants = 0;
    for (let i = 0; i < now.length; i += 1) {
      if (now[i] !== bin) continue;
      members += 1;
      if (before[i] !== bin) entrants += 1;
    }
    return entrants / members;
  });
}

/** Per row, the rank correlation with the row `period` before, over names that both have; NaN before that. */
export function rankAutocorrelation(rows: readonly ArrayLike<number>[], period: number): number[] {
  return rows.map((now, row) => {
    const before = rows[row - period];
    if (before === undefined) return Number.NaN;
    const pairs = completePairs(before, now);
    return spearman(pairs.x, pairs.y);
  });
}
