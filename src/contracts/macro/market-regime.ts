// The tool that tells the regime of the market.
import { z } from 'zod';
import { operation } from '../operation.js';
import { COST, METERED, REPLAY_FAILURES, TOOLS_GROUP } from './access.js';
import { GaugeLine, MarketDriver } from './compact.js';
import { Regime } from './gauges.js';
import { AsOfInput, optional } from './inputs.js';
import { provenance, RegimeLabel, ScoreBand } from './vocabulary.js';

export const MarketRegime = z
  .strictObject({
    ...Regime.shape,
    market_score: z.number().nullable().describe('0 to 100, higher is easier for risk.'),
    market_band: ScoreBand.nullable(),
    gauges: z.array(GaugeLine).length(14),
    top_drivers: z.array(MarketDriver).max(5).describe('The indexes that move the market score most.'),
    history: z
      .array(z.strictObject({ date: z.string(), regime_label: RegimeLabel }))
      .describe('The label of each business day asked for, oldest first.'),
    caveats: z.array(z.string()).describe('What speaks against taking the label at its word.'),
    ...provenance,
  })
  .meta({ id: 'MarketRegime' });
export type MarketRegime = z.input<typeof MarketRegime>;

export const getMarketRegime = operation({
  name: 'get_market_regime',
  method: 'GET',
  path: '/v1/agent/tools/get_market_regime',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'The regime of the market: quadrant of growth and inflation, ease of money, stress',
  description: `Label of the present regime, since when, the four axes behind it in standard deviations, how likely each reading is, the market score (0 to 100), all 14 gauges and the five indexes that weigh most. Slow: the label is decided once per business day at 17:00 in New York, gauges move with releases. It describes what is known; it does not forecast and is no advice. ${COST} For what changed today use get_market_pulse; for one asset use check_trade.`,
  access: METERED,
  input: z.strictObject({
    as_of: AsOfInput,
    include_probabilities: optional(z.boolean(), 'Whether to give the probabilities; true when absent.'),
    history_days: optional(
      z.int().min(0).max(90),
      'How many past business days to list the label of, 0 to 90; 0 when absent.',
    ),
  }),
  output: MarketRegime,
  failures: ['invalid_parameter', ...REPLAY_FAILURES],
  keeps: 'frame',
  example: {},
});
