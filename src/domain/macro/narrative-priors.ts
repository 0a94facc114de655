// What the catalogue expects of an asset, narrative by narrative, before its prices have said anything.
import { NARRATIVES } from './catalogue/narratives.js';
import { sectorRow } from './catalogue/sector-priors.js';
import { THEME } from './parameters.js';

const FUNDS: ReadonlySet<string> = new Set(
  NARRATIVES.flatMap(({ benefits, hurt }) => [...benefits.funds, ...hurt.funds]),
);

/** By the fund that the asset is and the fund of its sector: few pairs, asked for by thousands of assets. */
const known = new Map<string, Float64Array>();

/** By place of the narrative: whether the asset itself, or the fund of its sector, is among those helped or hurt. */
export function narrativePriors(ticker: string, sector: string | null): Float64Array {
  const own = FUNDS.has(ticker) ? ticker : '';
  const fund = (sector === null ? undefined : sectorRow(sector)?.fund) ?? '';
  const pair = `${own}/${fund}`;
  let priors = known.get(pair);
  if (!priors) {
    const isIn = (funds: readonly string[]): boolean => funds.includes(own) || funds.includes(fund);
    priors = Float64Array.from(
      NARRATIVES,
      ({ benefits, hurt }) =>
        THEME.priorCorrelation * (Number(isIn(benefits.funds)) - Number(isIn(hurt.funds))),
    );
    known.set(pair, priors);
  }
  return priors;
}
