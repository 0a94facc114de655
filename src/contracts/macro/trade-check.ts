// The tool that sets a side in an asset against the macro structure of the asset.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, TOOLS_GROUP } from './access.js';
import { AssetScoreRow } from './asset-score.js';
import { Boundary, ReleaseDue } from './compact.js';
import { AsOfInput, optional, ToolTicker } from './inputs.js';

const symbols = z.array(z.string());

export const TradeCheck = z
  .strictObject({
    ...AssetScoreRow.shape,
    side: z.enum(['long', 'short']),
    horizon: z.enum(['1w', '1m', '3m']),
    alignment: z
      .enum(['aligned', 'mixed', 'opposed', 'unmeasured'])
      .describe(
        'How the structure stands to the side: aligned when the score is in a tailwind band for a long or a headwind band for a short, opposed the other way round, mixed in the neutral band.',
      ),
    headwinds: symbols.describe('Indexes among these drivers that hamper the side.'),
    tailwinds: symbols.describe('Indexes among these drivers that ease it.'),
    next_releases: z
      .array(ReleaseDue)
      .describe('Values of these drivers that are due within the horizon, the next first.'),
    horizon_ends_at: InstantText,
    boundary: Boundary,
  })
  .meta({ id: 'TradeCheck' });
export type TradeCheck = z.input<typeof TradeCheck>;

export const checkTrade = operation({
  name: 'check_trade',
  method: 'GET',
  path: '/v1/agent/tools/check_trade',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'How the macro structure of an asset stands to a long or a short side',
  description: `The structure score of the asset (0 to 100; below 45 is the headwind band) with its strongest drivers, whether it is aligned with, mixed for or opposed to the side, which indexes ease and hamper it, and which of their releases fall within the horizon. The horizon chooses releases only: the score is the same for all. A measurement of alignment, never advice and no forecast. An asset that is not scored is refused with unknown_ticker. Changes with releases. ${COST} For all drivers use GET /v1/asset/{ticker}?drivers=all. For several assets use get_decision_packet (5) or POST /v1/check/batch (25).`,
  access: METERED,
  input: z.strictObject({
    ticker: ToolTicker,
    side: optional(z.enum(['long', 'short']), 'The side to set against the structure; long when absent.'),
    horizon: optional(
      z.enum(['1w', '1m', '3m']),
      'How far ahead to list releases: one week, month or quarter; 1m when absent.',
    ),
    as_of: AsOfInput,
  }),
  output: TradeCheck,
  failures: ['invalid_ticker', 'invalid_parameter', 'unknown_ticker', ...REPLAY_FAILURES],
  keeps: 'frame',
  example: { ticker: 'NVDA', side: 'long' },
});
