// The catalogue of indexes with their current values, and one index in detail.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, STRUCTURE_GROUP, TOOLS_GROUP } from './access.js';
import { INDEX_SYMBOLS } from './index-symbols.js';
import { AsOfInput, IndexSymbolInput, optional } from './inputs.js';
import { IndexStatus, Licence, MacroFreshness, provenance, Vintage, Wind } from './vocabulary.js';

export const IndexItem = z
  .strictObject({
    symbol: z.string(),
    name: z.string(),
    current_value: z
      .number()
      .nullable()
      .describe(
        'In `unit`; the z-score where rights forbid the value (see value_basis); null while unknown.',
      ),
    value_basis: z
      .enum(['value', 'z_score'])
      .describe('z_score: third-party rights cover the series, so only the derived score is shown.'),
    family: z.string(),
    unit: z.string(),
    status: IndexStatus,
    z_score: z
      .number()
      .nullable()
      .describe('Robust z against its own history, held to ±4; positive is high.'),
    wind: Wind.nullable().describe('Its effect on risk assets at market level.'),
    change_1w: z.number().nullable().describe('Change of the z-score over seven days.'),
    observed_on: z.string().nullable().describe('Reference day of the value, as its provider dates it.'),
    released_at: InstantText.nullable().describe('When the value of that day was first reported.'),
    known_at: InstantText.nullable().describe('When the value as it stands now became known here.'),
    next_release_at: InstantText.nullable().describe('When the next value is due by the release calendar.'),
    as_of: InstantText.describe('The instant of the edition.'),
    freshness: MacroFreshness,
    licence: Licence,
    vintage: Vintage.nullable(),
    fallback: z
      .boolean()
      .describe('True while it is read from its second source, because the first has no value that counts.'),
  })
  .meta({ id: 'IndexItem' });

export const IndexList = z.array(IndexItem).length(INDEX_SYMBOLS.length);
export type IndexList = z.input<typeof IndexList>;

export const indices = operation({
  name: 'indices',
  method: 'GET',
  path: '/indices',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: `The catalogue of ${INDEX_SYMBOLS.length} indexes with their current values`,
  description: `A bare array, in the order of the catalogue. Where third-party rights cover a series its value is withheld and \`current_value\` is the z-score, which \`value_basis\` says. ${COST} For the past of one index use get_index_detail.`,
  access: METERED,
  input: z.strictObject({ as_of: AsOfInput }),
  output: IndexList,
  failures: [...REPLAY_FAILURES],
  keeps: 'frame',
  example: {},
});

export const IndexDetail = z
  .strictObject({
    ...provenance,
    ...IndexItem.shape,
    transform: z.string().describe('Code of the transform that is compared with its own history.'),
    sign: z.enum(['+', '-']).describe('Effect of a higher transformed value on risk assets at market level.'),
    lag: z.string().describe('Usual time from the end of the reference period to the release.'),
    sources: z
      .array(z.string())
      .describe(
        "The providers' own ids of the series it is read from now; CLOSE, EQUAL and BREADTH are computed from prices.",
      ),
    percentile: z.number().nullable(),
    observations: z.int().describe('Values that the z-score is measured against.'),
    age_h: z.int().nullable().describe('Hours since the release.'),
    overdue_h: z.int().nullable(),
    weight: z.number().describe('What age has left of its weight, 0 to 1.'),
    changes: z.strictObject({
      w1: z.number().nullable(),
      w4: z.number().nullable(),
      w13: z.number().nullable(),
    }),
    revised_since_first: z.boolean(),
    history: z
      .array(
        z.strictObject({
          observed_on: z.string(),
          known_at: InstantText,
          current_value: z.number().nullable(),
          z_score: z.number().nullable(),
        }),
      )
      .describe('One reading per reference day, as it last stood, oldest first.'),
    most_exposed_sectors: z
      .array(
        z.strictObject({
          sector: z.string(),
          fund: z.string(),
          basis_points: z
            .number()
            .describe('Relative return per one standard deviation of a week’s rise, 2006–2025.'),
        }),
      )
      .describe(
        'The four that answered most; measured for UST10Y, HYOAS, WTI, USDBROAD, VIX and BE10 only, empty for every other index.',
      ),
  })
  .meta({ id: 'IndexDetail' });
export type IndexDetail = z.input<typeof IndexDetail>;

export const HISTORY_POINTS = 26;

export const getIndexDetail = operation({
  name: 'get_index_detail',
  method: 'GET',
  path: '/v1/agent/tools/get_index_detail',
  surface: 'macro',
  group: TOOLS_GROUP,
  summary: 'One macro index: value, z-score, wind, revisions, next release and its past',
  description: `Everything about one of the ${INDEX_SYMBOLS.length} indexes: unit, current value, robust z-score against its own history, wind for risk assets, percentile, changes of the z-score over 1, 4 and 13 weeks, when it was observed, released and is due again, whether it was revised, and its past readings. Values of third-party series are withheld: their z-scores stand in for them. It changes with the releases of the index. A measurement, neither forecast nor advice. ${COST} For all indexes at once use GET /indices; for what moved today use get_market_pulse.`,
  access: METERED,
  input: z.strictObject({
    symbol: IndexSymbolInput,
    history_points: optional(
      z.int().min(1).max(260),
      `How many past readings, 1 to 260; ${HISTORY_POINTS} when absent.`,
    ),
    as_of: AsOfInput,
  }),
  output: IndexDetail,
  failures: ['invalid_parameter', 'invalid_symbol', 'unknown_index', ...REPLAY_FAILURES],
  keeps: 'frame',
  example: { symbol: 'VIX' },
});
