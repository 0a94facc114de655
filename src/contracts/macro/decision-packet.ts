// The tool that puts everything about a few assets into one packet from one edition.
import { z } from 'zod';
import { operation } from '../operation.js';
import { Ticker } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, TOOLS_GROUP } from './access.js';
import { AssetScoreRow, UnknownTicker } from './asset-score.js';
import { Boundary, DriverLine, GaugeLine, ReleaseDue, ThemeLine } from './compact.js';
import { Regime } from './gauges.js';
import { AsOfInput, optional, ToolTicker, tickerList } from './inputs.js';
import { MacroReceipt } from './receipt.js';
import { provenance } from './vocabulary.js';

export const PACKET_LIMIT = 5;
export const PACKET_DRIVERS = 4;
export const PACKET_THEMES = 3;

export const PacketPart = z.enum(['scores', 'themes', 'regime', 'gauges', 'calendar', 'receipts']);

const Score = AssetScoreRow.pick({
  state: true,
  schema_score: true,
  band: true,
  confidence: true,
  entry_value: true,
  basis: true,
}).extend({ drivers: z.array(DriverLine).max(PACKET_DRIVERS) });

export const PacketAsset = z
  .strictObject({
    ticker: Ticker,
    state: z.enum([...AssetScoreRow.shape.state.options, UnknownTicker.shape.state.value]),
    score: Score.omit({ state: true }).nullable().describe('Null where it was not asked for, or is unknown.'),
    themes: z.array(ThemeLine).max(PACKET_THEMES).nullable(),
  })
  .meta({ id: 'PacketAsset' });

export const DecisionPacket = z
  .strictObject({
    assets: z.array(PacketAsset).max(PACKET_LIMIT).describe('In the order of the question.'),
    regime: Regime.nullable(),
    market_score: z.number().nullable(),
    gauges: z.array(GaugeLine).nullable(),
    calendar: z
      .array(ReleaseDue)
      .max(10)
      .nullable()
      .describe('Releases of the shown drivers that are due within a week.'),
    receipt: MacroReceipt.nullable(),
    boundary: Boundary,
    ...provenance,
  })
  .meta({ id: 'DecisionPacket', description: 'Parts that were not asked for are null.' });
export type DecisionPacket = z.input<typeof DecisionPacket>;

export const getDecisionPacket = operation({
  name: 'get_decision_packet',
  method: 'GET',
  path: '/v1/agent/tools/get_decision_packet',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'Scores, themes, regime, gauges, calendar and receipt for up to 5 assets, from one edition',
  description: `Everything that a decision can rest on, from one frozen edition, so that no part is newer than another: per asset the score (0 to 100) with its four strongest drivers and its three strongest narratives, the regime, the gauges, the releases due within a week, and a receipt of what all of it was computed from. It decides nothing: measurement, never advice and no forecast. At most 5 assets. ${COST} For 25 assets use POST /v1/check/batch; for one asset with its eight strongest drivers use check_trade.`,
  access: METERED,
  input: z.strictObject({
    tickers: tickerList(PACKET_LIMIT, ToolTicker),
    include: optional(z.array(PacketPart).min(1).max(6), 'Parts of the packet; all when absent.'),
    as_of: AsOfInput,
  }),
  output: DecisionPacket,
  failures: [
    'invalid_parameter',
    'invalid_ticker',
    'no_tickers',
    'too_many_tickers',
    'duplicate_tickers',
    ...REPLAY_FAILURES,
  ],
  keeps: 'frame',
  example: { tickers: ['NVDA', 'XLE'] },
});
