// Market-wide gauges by family, and the regime they add up to.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText } from '../primitives.js';
import { COST, METERED, REPLAY_FAILURES, STRUCTURE_GROUP } from './access.js';
import { AsOfInput } from './inputs.js';
import { GaugeSignal, provenance, RegimeLabel } from './vocabulary.js';

export const Gauge = z
  .strictObject({
    gauge_key: z
      .enum([
        'liquidity',
        'credit',
        'rates',
        'volatility',
        'stress',
        'growth',
        'inflation',
        'labour',
        'housing',
        'fx',
        'commodities',
        'positioning',
        'global',
        'crypto',
      ])
      .describe('The family of indexes.'),
    label: z.string(),
    value: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('0 to 100, two decimals, higher is easier for risk; null while nothing is measured.'),
    signal: GaugeSignal,
    z: z.number().nullable().describe('Weighted mean of the wind-signed z-scores of its indexes.'),
    weight: z.number().nullable().describe('Share in the market score.'),
    change_1w: z.number().nullable().describe('Against five sessions ago.'),
    change_4w: z.number().nullable().describe('Against twenty sessions ago.'),
    drivers: z.array(z.string()).max(3).describe('Symbols of the indexes that move it most.'),
    n_live: z.int(),
    n_total: z.int(),
    oldest_age_h: z.int().nullable().describe('Hours since the oldest of its values was released.'),
  })
  .meta({ id: 'Gauge' });

export const GaugeList = z
  .strictObject({
    gauges: z.array(Gauge).length(14),
    computed_at: InstantText,
    market_score: z.number().nullable().describe('Mean of the gauge values by their weights, two decimals.'),
    ...provenance,
  })
  .meta({ id: 'GaugeList' });
export type GaugeList = z.input<typeof GaugeList>;

export const gauges = operation({
  name: 'gauges',
  method: 'GET',
  path: '/v1/gauges',
  surface: 'macro',
  group: STRUCTURE_GROUP,
  summary: 'Fourteen market-wide gauges, one per family of indexes',
  description: `Each gauge is 0 to 100, higher is easier for risk, with a signal that does not flicker at its threshold; the market score is their weighted mean. ${COST}`,
  access: METERED,
  input: z.strictObject({ as_of: AsOfInput }),
  output: GaugeList,
  failures: [...REPLAY_FAILURES],
  keeps: 'frame',
  example: {},
});

const Axis = z.number().nullable();

export const Regime = z
  .strictObject({
    regime_label: RegimeLabel,
    since: z.string().nullable().describe('Day on which the label began.'),
    days_in_regime: z.int().describe('Business days, the first one included.'),
    axes: z.strictObject({
      growth: Axis,
      inflation: Axis.describe('Positive is hotter.'),
      liquidity: Axis.describe('Positive is easier.'),
      stress: Axis.describe('Positive is more stress.'),
    }),
    probabilities: z
      .strictObject({
        Goldilocks: z.number(),
        Reflation: z.number(),
        Stagflation: z.number(),
        Contraction: z.number(),
        Stress: z.number(),
      })
      .nullable()
      .describe('How likely each reading is given the axes; they sum to 1.'),
    cross_check: z
      .strictObject({ quadrant: z.string(), agrees: z.boolean().nullable() })
      .nullable()
      .describe('The quadrant by a second method that charges for every switch.'),
  })
  .meta({ id: 'Regime' });
export type Regime = z.input<typeof Regime>;
