// The short forms of gauges, drivers, themes and releases that the tools of agents answer with.
import { z } from 'zod';
import { InstantText } from '../primitives.js';
import { Driver } from './asset-score.js';
import { Gauge } from './gauges.js';
import { AssetTheme } from './narratives.js';
import { NarrativeState, Wind } from './vocabulary.js';

export const GaugeLine = Gauge.pick({ gauge_key: true, value: true, signal: true, change_1w: true }).meta({
  id: 'GaugeLine',
});

export const DriverLine = Driver.pick({
  index_symbol: true,
  wind: true,
  z_score: true,
  weight: true,
  contribution: true,
}).meta({ id: 'DriverLine' });

export const ThemeLine = AssetTheme.pick({ slug: true, direction: true, impact: true, state: true }).meta({
  id: 'ThemeLine',
});

export const MarketDriver = z
  .strictObject({
    index_symbol: z.string(),
    wind: Wind.describe('Its effect on risk assets at market level.'),
    z_score: z.number(),
    contribution: z.number().describe('Its share in the mean that the market score is made from, signed.'),
  })
  .meta({ id: 'MarketDriver' });

export const ReleaseDue = z
  .strictObject({ index_symbol: z.string(), due_at: InstantText })
  .meta({ id: 'ReleaseDue', description: 'A value that the release calendar expects.' });

export const NarrativeMove = z
  .strictObject({ slug: z.string(), state: NarrativeState, momentum_1w: z.number() })
  .meta({ id: 'NarrativeMove' });

export const Boundary = z.string().describe('What this is not: advice or forecast.');
