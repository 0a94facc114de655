// The 6 tools of macro structure scoring, and the briefing of the day as a resource.
import { agentBriefing, type MacroBriefing } from '../../contracts/macro/briefing.js';
import { toolParameters } from '../../contracts/macro/tool-parameters.js';
import { MACRO_TOOLS } from '../../contracts/macro/tools.js';
import { type Resource, type ToolServer, tool } from './tool.js';

const INSTRUCTIONS = `Barograph scores how the macro structure bears on assets. A measurement, not advice and not a forecast.
Each result is {value, receipt}; all parts of one value come from one frozen edition, named by snapshot_id. Arguments that you do not need may be null or absent.
Start with get_market_pulse (what changed) or get_market_regime (where we are). For one asset use check_trade, for up to five get_decision_packet. The resource briefing://today is the page of the day.
Scores are 0 to 100, below 45 is the headwind band; z-scores are robust standard deviations against the index's own history; null means not measurable, never zero.
Quote known_at and freshness with a number; freshness "fixture" is synthetic data.`;

const TITLES: Readonly<Record<keyof typeof MACRO_TOOLS, string>> = {
  get_market_regime: 'Market regime',
  check_trade: 'Macro alignment of one asset',
  get_index_detail: 'One macro index',
  get_signal_changes: 'What changed',
  get_market_pulse: 'Market pulse',
  get_decision_packet: 'Decision packet',
};

/** The same parameters as in the function-calling manifest, to the byte. */
const tools = Object.values(MACRO_TOOLS).map((operation) =>
  tool({
    name: operation.name,
    title: TITLES[operation.name],
    description: operation.description,
    operation,
    inputSchema: toolParameters(operation),
  }),
);

const resources: readonly Resource[] = [
  {
    uri: 'briefing://today',
    name: 'briefing',
    title: 'Briefing of the day',
    description: 'Regime, gauges, movers, narratives and releases of the newest edition, at most 400 words.',
    mimeType: 'text/markdown',
    operation: agentBriefing,
    text: (value) => (value as MacroBriefing).markdown,
  },
  {
    uri: 'briefing://today.json',
    name: 'briefing-data',
    title: 'Briefing of the day, as data',
    description: 'The same edition with every number, as GET /v1/agent/briefing gives it.',
    mimeType: 'application/json',
    operation: agentBriefing,
    text: (value) => JSON.stringify(value),
  },
];

export const MACRO_SERVER: ToolServer = {
  path: '/mcp',
  name: 'barograph-macro',
  title: 'Barograph: macro structure',
  instructions: INSTRUCTIONS,
  tools,
  resources,
};
