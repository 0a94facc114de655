// What the service says about itself: readiness and metrics.
import { z } from 'zod';
import { operation, PUBLIC } from './operation.js';
import { InstantText } from './primitives.js';

const PartHealth = z.strictObject({
  state: z.enum(['ok', 'degraded', 'down']),
  detail: z.string().optional(),
});

export const Health = z
  .strictObject({
    status: z.enum(['ok', 'starting', 'degraded']).describe('ok is readiness; anything else answers 503.'),
    service: z.literal('barograph'),
    version: z.string(),
    now: InstantText,
    archive: PartHealth,
    bus: PartHealth,
    counters: PartHealth,
    sources: z.array(
      z.strictObject({
        source: z.string(),
        state: z.enum(['live', 'backfilling', 'waiting', 'failed']),
        progress: z.number().optional().describe('Share of the backfill that is done, 0 to 1.'),
        last_fact_at: InstantText.nullable(),
      }),
    ),
    archive_begins_at: InstantText.nullable().describe('The earliest instant that `as_of` can ask for.'),
    last_frame: z
      .strictObject({ as_of: InstantText, age_s: z.number(), cycle_s: z.int() })
      .nullable()
      .describe('The newest recorded frame and its age.'),
    fixture: z.boolean().describe('True while the data are synthetic.'),
  })
  .meta({ id: 'Health' });
export type Health = z.input<typeof Health>;

export const health = operation({
  name: 'health',
  method: 'GET',
  path: '/health',
  surface: 'service',
  group: 'contract, trust, service',
  summary: 'Readiness of the archive, the bus, the counters and the sources',
  description:
    'Answers 200 when frames are being recorded and everything behind them answers, 503 with the same body otherwise.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: Health,
  failures: ['unknown_parameter'],
  keeps: 'nothing',
  status: ({ status }) => (status === 'ok' ? 200 : 503),
  example: {},
});
