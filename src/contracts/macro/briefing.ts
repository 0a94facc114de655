// The daily briefing: regime, gauges, movers, narratives, releases and data gaps of one frame.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText, Ticker } from '../primitives.js';
import { COST, EDITION_FAILURES, METERED, TOOLS_GROUP } from './access.js';
import { Gauge, Regime } from './gauges.js';
import { MacroReceipt } from './receipt.js';
import { IndexStatus, NarrativeState, provenance, ScoreBand, Wind } from './vocabulary.js';

const change = z.number().nullable();

const IndexMove = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  z_score: z.number(),
  change: z.number().describe('Change of the wind-signed z over five sessions; up is easier for risk.'),
});

const NarrativeLine = z.strictObject({
  slug: z.string(),
  label: z.string(),
  state: NarrativeState,
  momentum_1w: z.number().nullable(),
});

const StateChange = z.strictObject({
  slug: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});

export const MacroBriefing = z
  .strictObject({
    date: z.string().describe('Calendar day in New York.'),
    edition: z.enum(['am', 'update', 'close']),
    generated_at: InstantText,
    headline: z.string(),
    regime: z.strictObject({
      ...Regime.shape,
      changed_from: z.string().nullable().describe('The label of the session before, where it differs.'),
    }),
    market_score: z.strictObject({
      value: z.number().nullable(),
      d1: change,
      d5: change,
      band: ScoreBand.nullable(),
    }),
    gauges: z.array(Gauge).length(14),
    index_moves: z.strictObject({ up: z.array(IndexMove).max(5), down: z.array(IndexMove).max(5) }),
    wind_flips: z.array(
      z.strictObject({
        symbol: z.string(),
        from: Wind.nullable(),
        to: Wind.nullable(),
        z_score: z.number().nullable(),
      }),
    ),
    narratives: z.strictObject({
      dominant: z.array(NarrativeLine),
      rising: z.array(NarrativeLine).max(3),
      fading: z.array(NarrativeLine).max(3),
      state_changes: z.array(StateChange),
    }),
    sector_table: z
      .array(
        z.strictObject({
          ticker: Ticker,
          sector: z.string(),
          schema_score: z.int().nullable(),
          d5: change,
          top_driver: z.string().nullable(),
        }),
      )
      .length(11),
    releases: z
      .array(
        z.strictObject({
          symbol: z.string(),
          released_at: InstantText,
          observed_on: z.string(),
          value: z.number().nullable().describe('Null where third-party rights cover the series.'),
          prior: z.number().nullable(),
          z_before: z.number().nullable(),
          z_after: z.number().nullable(),
          revised_prior: z.boolean(),
        }),
      )
      .describe('Values that came in since the session before, and those of the last 24 hours.'),
    calendar_today: z.array(
      z.strictObject({
        symbol: z.string(),
        name: z.string(),
        due_at: InstantText,
        time_et: z.string().describe('Wall time in New York, HH:MM.'),
        for_day: z.string(),
        expected_gap: z
          .number()
          .nullable()
          .describe(
            'How far its z-score usually jumps at a release: the middle size of the last 26; null with fewer than 8. No forecast of this one.',
          ),
      }),
    ),
    data_health: z.strictObject({
      live: z.int(),
      delayed: z.int(),
      stale: z.int(),
      warming: z.int(),
      unavailable: z.int(),
      share: z.number().describe('Family-weighted share of the indexes that count.'),
      oldest: z
        .strictObject({ symbol: z.string(), released_at: InstantText, age_h: z.int() })
        .nullable()
        .describe('The index whose value was released longest ago.'),
      gaps: z.array(
        z.strictObject({ symbol: z.string(), status: IndexStatus, overdue_h: z.int().nullable() }),
      ),
    }),
    watch: z
      .array(z.strictObject({ symbol: z.string(), wind: Wind, distance: z.number() }))
      .describe('Indexes whose wind would turn with a move of at most 0.15.'),
    boundary: z.string().describe('What this is not: advice or forecast.'),
    markdown: z.string().describe('The same as a page for people, at most 400 words.'),
    receipts: MacroReceipt.describe('What the briefing was made from.'),
    ...provenance,
  })
  .meta({ id: 'MacroBriefing' });
export type MacroBriefing = z.input<typeof MacroBriefing>;

export const agentBriefing = operation({
  name: 'agent_briefing',
  method: 'GET',
  path: '/v1/agent/briefing',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'The briefing of the day, as data and as a page',
  description: `Regime, gauges, movers, winds that turned, narratives, sectors, releases, what is due today and what is missing, of the newest edition; \`markdown\` holds the same for people, and is the whole answer where \`Accept\` asks for text/markdown. \`edition\` is am before 08:30 in New York, update until 16:30, close afterwards. ${COST}`,
  access: METERED,
  input: z.strictObject({}),
  output: MacroBriefing,
  failures: [...EDITION_FAILURES, 'replay_busy'],
  keeps: 'frame',
  page: ({ markdown }) => markdown,
  example: {},
});
