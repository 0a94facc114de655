// The answer of get_market_pulse: the part of the briefing that fits on one screen.
import { type getMarketPulse, type MarketPulse, RELEASES_SHOWN } from '../../contracts/macro/market-pulse.js';
import type { InputOf } from '../../contracts/operation.js';
import { INDEXES, indexPlace } from '../../domain/macro/catalogue/indexes.js';
import type { NarrativeReading } from '../../domain/macro/macro-frame.js';
import { DAY, formatInstant } from '../../kernel/instant.js';
import type { Briefings } from './briefings.js';
import type { Editions } from './editions.js';
import { gaugeLine } from './frame-shapes.js';
import { BOUNDARY, provenanceOf } from './provenance.js';
import { releasesDue } from './releases-due.js';

const MOVES = 5;

const narrativeMove = ({ slug, state, momentum1w }: NarrativeReading) => ({
  slug,
  state,
  momentum_1w: momentum1w ?? 0,
});

export function pulseAnswer(editions: Editions, briefings: Briefings) {
  return async (input: InputOf<typeof getMarketPulse>): Promise<MarketPulse> => {
    const answering = await editions.answering(input.as_of);
    const { held, at } = answering;
    const briefing = await briefings.at(held.at);
    const families = new Set<string>(input.families ?? []);
    const isWanted = (family: string): boolean => families.size === 0 || families.has(family);
    const isAsked = (symbol: string): boolean => isWanted(INDEXES[indexPlace(symbol)]!.family);
    const { market, moves, narratives } = briefing;
    const released = briefing.releases.filter(
      ({ symbol, releasedAt }) => isAsked(symbol) && releasedAt > at - DAY,
    );
    const due = releasesDue(held.frame, at, at + DAY).filter(({ index_symbol }) => isAsked(index_symbol));
    return {
      headline: briefing.headline,
      regime_label: held.frame.regime.label,
      regime_since: held.frame.regime.since,
      market_score: {
        value: held.frame.marketScore,
        change_1d: market.change1,
        change_1w: market.change5,
        band: market.band,
      },
      gauges: held.frame.gauges.filter(({ key }) => isWanted(key)).map(gaugeLine),
      // Ranked among those asked for: what moved most of all may lie elsewhere.
      largest_moves: [...moves.up, ...moves.down]
        .filter(({ symbol }) => isAsked(symbol))
        .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
        .slice(0, MOVES)
        .map(({ symbol, z, change }) => ({ index_symbol: symbol, z_score: z, change })),
      narratives_rising: narratives.rising.map(narrativeMove),
      narratives_fading: narratives.fading.map(narrativeMove),
      released_24h: released.slice(-RELEASES_SHOWN).map(({ symbol, releasedAt, zBefore, zAfter }) => ({
        index_symbol: symbol,
        released_at: formatInstant(releasedAt),
        z_before: zBefore,
        z_after: zAfter,
      })),
      released_24h_count: released.length,
      due_24h: due.slice(0, RELEASES_SHOWN),
      due_24h_count: due.length,
      boundary: BOUNDARY,
      ...provenanceOf(answering),
    };
  };
}
