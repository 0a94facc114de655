// The answer of get_market_regime.
import type { getMarketRegime, MarketRegime } from '../../contracts/macro/market-regime.js';
import type { InputOf } from '../../contracts/operation.js';
import { bandOf } from '../../domain/macro/asset-score.js';
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import type { Editions } from './editions.js';
import { gaugeLine, regimeShape } from './frame-shapes.js';
import { marketDrivers } from './market-drivers.js';
import { provenanceOf } from './provenance.js';

const TOP_DRIVERS = 5;
/** Less than this share of the indexes is too little to lean on. */
const THIN_COVERAGE = 0.7;
const YOUNG_SESSIONS = 10;
const CLOSE_CALL = 0.1;

export function caveatsOf({ regime, coverage, freshness }: MacroFrame, isFixture: boolean): string[] {
  const found: string[] = [];
  if (isFixture) found.push('The data are synthetic.');
  if (regime.label === 'Warming') {
    const ended = coverage.stale > coverage.warming;
    found.push(
      ended
        ? 'The data ended too long ago to name a regime.'
        : 'There is too little history to name a regime.',
    );
  }
  if (regime.label === 'Transition') found.push('Two readings are about equally likely.');
  const [first = 0, second = 0] = Object.values(regime.probabilities ?? {}).sort((a, b) => b - a);
  if (regime.probabilities !== null && first - second < CLOSE_CALL)
    found.push('The two likeliest readings are less than 10 points of probability apart.');
  if (regime.agrees === false)
    found.push(`A second method that charges for every switch reads ${regime.check}.`);
  if (regime.since !== null && regime.sessions < YOUNG_SESSIONS)
    found.push(`The label is only ${regime.sessions} business days old.`);
  if (coverage.share < THIN_COVERAGE)
    found.push(`Only ${Math.round(coverage.share * 100)} % of the weight of the indexes is measured.`);
  if (freshness === 'delayed') found.push('Daily inputs are overdue.');
  if (freshness === 'stale') found.push('Daily inputs are more than three business days overdue.');
  return found;
}

export function regimeAnswer(editions: Editions) {
  return async (input: InputOf<typeof getMarketRegime>): Promise<MarketRegime> => {
    const answering = await editions.answering(input.as_of);
    const { frame, origin } = answering.held;
    const days = input.history_days ?? 0;
    const past = days === 0 ? [] : await editions.atDesk((desk) => desk.regimes(answering.held.at, days));
    const regime = regimeShape(frame.regime);
    return {
      ...regime,
      probabilities: (input.include_probabilities ?? true) ? regime.probabilities : null,
      market_score: frame.marketScore,
      market_band: frame.marketScore === null ? null : bandOf(frame.marketScore),
      gauges: frame.gauges.map(gaugeLine),
      top_drivers: marketDrivers(frame, TOP_DRIVERS),
      history: past.map(({ date, label }) => ({ date, regime_label: label })),
      caveats: caveatsOf(frame, origin.isFixture),
      ...provenanceOf(answering),
    };
  };
}
