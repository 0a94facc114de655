// The answer of check_trade: a side set against the structure of an asset.
import { Failure } from '../../contracts/failures.js';
import type { checkTrade, TradeCheck } from '../../contracts/macro/trade-check.js';
import type { InputOf } from '../../contracts/operation.js';
import type { ScoreBand } from '../../domain/macro/asset-score.js';
import { DAY, formatInstant } from '../../kernel/instant.js';
import { scoreShape } from './asset-shapes.js';
import type { Editions } from './editions.js';
import { BOUNDARY } from './provenance.js';
import { releasesDue } from './releases-due.js';

const HORIZONS = { '1w': 7 * DAY, '1m': 30 * DAY, '3m': 91 * DAY } as const;

type Side = TradeCheck['side'];

/** What eases a long hampers a short. */
export function alignmentOf(band: ScoreBand | null, side: Side): TradeCheck['alignment'] {
  if (band === null) return 'unmeasured';
  if (band === 'neutral') return 'mixed';
  const isTailwind = band === 'tailwind' || band === 'strong_tailwind';
  return isTailwind === (side === 'long') ? 'aligned' : 'opposed';
}

export function tradeAnswer(editions: Editions) {
  return async (input: InputOf<typeof checkTrade>): Promise<TradeCheck> => {
    const answering = await editions.answering(input.as_of);
    const { held, at } = answering;
    const score = held.score(input.ticker);
    if (score === undefined) throw new Failure('unknown_ticker');
    const side = input.side ?? 'long';
    const horizon = input.horizon ?? '1m';
    const endsAt = at + HORIZONS[horizon];
    const symbols = (wind: string) =>
      score.topDrivers.filter((driver) => driver.wind === wind).map(({ symbol }) => symbol);
    const [easing, hampering] = side === 'long' ? ['tailwind', 'headwind'] : ['headwind', 'tailwind'];
    const drivers = new Set(score.topDrivers.map(({ symbol }) => symbol));
    return {
      ...scoreShape(score, answering),
      side,
      horizon,
      alignment: alignmentOf(score.band, side),
      headwinds: symbols(hampering!),
      tailwinds: symbols(easing!),
      next_releases: releasesDue(held.frame, at, endsAt, drivers),
      horizon_ends_at: formatInstant(endsAt),
      boundary: BOUNDARY,
    };
  };
}
