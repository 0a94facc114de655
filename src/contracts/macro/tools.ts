// The six tools of agents: the same operations behind the function-calling manifest and the MCP server.
import type { Operation } from '../operation.js';
import { getDecisionPacket } from './decision-packet.js';
import { getIndexDetail } from './indexes.js';
import { getMarketPulse } from './market-pulse.js';
import { getMarketRegime } from './market-regime.js';
import { getSignalChanges } from './signal-changes.js';
import { checkTrade } from './trade-check.js';

export const MACRO_TOOLS = {
  get_market_regime: getMarketRegime,
  check_trade: checkTrade,
  get_index_detail: getIndexDetail,
  get_signal_changes: getSignalChanges,
  get_market_pulse: getMarketPulse,
  get_decision_packet: getDecisionPacket,
} as const satisfies Record<string, Operation>;
