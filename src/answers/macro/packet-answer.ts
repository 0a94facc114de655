// The answer of get_decision_packet: everything about a few assets, from one edition.
import {
  type DecisionPacket,
  type getDecisionPacket,
  PACKET_DRIVERS,
  PACKET_THEMES,
} from '../../contracts/macro/decision-packet.js';
import type { InputOf } from '../../contracts/operation.js';
import type { AssetScore } from '../../domain/macro/asset-scorer.js';
import { DAY } from '../../kernel/instant.js';
import type { Editions } from './editions.js';
import { gaugeLine, regimeShape } from './frame-shapes.js';
import { packetReceipt } from './packet-receipt.js';
import { BOUNDARY, provenanceOf } from './provenance.js';
import { releasesDue } from './releases-due.js';

type Asset = DecisionPacket['assets'][number];

const CALENDAR_SPAN = 7 * DAY;
const CALENDAR_SHOWN = 10;

function scoreLine(score: AssetScore): NonNullable<Asset['score']> {
  return {
    schema_score: score.score,
    band: score.band,
    confidence: score.confidence,
    entry_value: score.entryValue,
    basis: score.basis,
    drivers: score.topDrivers.slice(0, PACKET_DRIVERS).map(({ symbol, wind, z, weight, contribution }) => ({
      index_symbol: symbol,
      wind,
      z_score: z,
      weight,
      contribution,
    })),
  };
}

export function packetAnswer(editions: Editions) {
  return async (input: InputOf<typeof getDecisionPacket>): Promise<DecisionPacket> => {
    const answering = await editions.answering(input.as_of);
    const { held, at } = answering;
    const parts = new Set(input.include ?? []);
    const isWanted = (part: NonNullable<typeof input.include>[number]): boolean =>
      parts.size === 0 || parts.has(part);
    const shown = new Set<string>();
    const assets = input.tickers.map((ticker): Asset => {
      const score = held.score(ticker);
      if (score === undefined) return { ticker, state: 'unknown_ticker', score: null, themes: null };
      for (const { symbol } of score.topDrivers.slice(0, PACKET_DRIVERS)) shown.add(symbol);
      const themes = held.themes(ticker)?.slice(0, PACKET_THEMES) ?? [];
      return {
        ticker,
        state: score.score === null ? 'insufficient' : 'scored',
        score: isWanted('scores') ? scoreLine(score) : null,
        themes: isWanted('themes')
          ? themes.map(({ slug, direction, impact, state }) => ({ slug, direction, impact, state }))
          : null,
      };
    });
    const { frame } = held;
    return {
      assets,
      regime: isWanted('regime') ? regimeShape(frame.regime) : null,
      market_score: isWanted('regime') || isWanted('gauges') ? frame.marketScore : null,
      gauges: isWanted('gauges') ? frame.gauges.map(gaugeLine) : null,
      calendar: isWanted('calendar')
        ? releasesDue(frame, at, at + CALENDAR_SPAN, shown).slice(0, CALENDAR_SHOWN)
        : null,
      receipt: isWanted('receipts') ? packetReceipt(answering, shown) : null,
      boundary: BOUNDARY,
      ...provenanceOf(answering),
    };
  };
}
