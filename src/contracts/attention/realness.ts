// Realness: an aggregate coordination measurement, and the gate whose verdict is withheld until it is revealed.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantInput, InstantText, limitInput, Sha256, Ticker, TickerInput } from '../primitives.js';
import { Freshness, ReplayReceipt } from './board.js';
import { Span } from './kpi-receipt.js';

/** What a key needs to see a verdict before it is revealed to everybody. */
export const VERDICT_SCOPE = 'realness:verdict';

const nullable = (description: string) => z.number().nullable().describe(description);
const Hex64 = z.string().describe('64 lower-case hexadecimal digits.');

export const Verdict = z.enum(['clear', 'caution', 'veto', 'abstain']).meta({
  id: 'Verdict',
  description: 'What the private policy makes of a measurement. Judged by the lower end of its interval.',
});

const Component = z
  .strictObject({
    id: z.enum(['co_share_60s', 'creation_week', 'narrative_top', 'young_accounts', 'sync_excess']),
    value: nullable('Null when the providers do not give what it is made from.'),
    unit: z.literal('ratio'),
    ramp: z.strictObject({ low: z.number(), high: z.number() }),
    weight: z.number(),
    contribution: nullable('Weight times the ramp of the value.'),
    percentile_90d: nullable('Not kept per component; the index has its own.'),
    state: z.enum(['measured', 'unavailable']),
  })
  .meta({ id: 'RealnessComponent' });

const Measurement = z
  .strictObject({
    coordination_index: z.number().describe('0: independent voices, 1: one voice through many accounts.'),
    realness: z.number().describe('1 − coordination_index.'),
    interval90: z
      .strictObject({ low: z.number(), high: z.number() })
      .describe('90 % interval of the index from a bootstrap over authors.'),
    bound: z
      .enum(['exact', 'lower'])
      .describe('lower: a component is unavailable, so that the index can only be larger.'),
    percentile_90d: nullable(
      'Where the index stands among its own recorded values of the last 90 days, 0 to 100.',
    ),
    components: z.array(Component),
    voice_independence: nullable('The core KPI in the frame that answers.'),
    narrative: z.strictObject({ clusters: z.int(), top_share: z.number() }),
    account_age: z
      .strictObject({ p10: z.number(), p50: z.number(), under_60d: z.number() })
      .nullable()
      .describe('Days, and the share of accounts under 60 days; null when too few ages are known.'),
    cross_ticker_spill: z.number().describe('Mean share of a post that goes to other tickers.'),
    source_hhi: z.number().describe('Concentration of the posts among sources, 0 to 1.'),
    cascade: z
      .strictObject({
        branching: z.number(),
        tau_s: z.number(),
        class: z.enum(['isolated', 'cascading', 'self_sustaining']),
      })
      .nullable()
      .describe('How posts follow one another; null below 100 posts.'),
  })
  .meta({ id: 'RealnessMeasurement' });

const Commitment = z
  .strictObject({
    alg: z.literal('sha256:svc.realness.gate.v1'),
    value: Hex64,
    seq: z.int(),
    log_root: z
      .string()
      .nullable()
      .describe(
        'Root of the transparency log just after it took the commitment in; null for one from before the log began.',
      ),
  })
  .meta({ id: 'GateCommitment' });

const Gate = z
  .strictObject({
    state: z
      .enum(['withheld', 'released', 'revealed'])
      .describe('released: the key may see the verdict; revealed: everybody may see and check it.'),
    verdict: Verdict.nullable(),
    salt: z.string().nullable().describe('Only once revealed: what is needed to check the commitment.'),
    required_scope: z.literal(VERDICT_SCOPE),
    as_of: InstantText.nullable().describe(
      'When the judged measurement was made; null: nothing was judged yet.',
    ),
    measurement_sha256: z.string().nullable(),
    policy_sha256: Hex64.nullable(),
    commitment: Commitment.nullable(),
    reveal_after: InstantText.nullable(),
  })
  .meta({ id: 'RealnessGate' });

export const Realness = z
  .strictObject({
    schema: z.literal('realness.v1'),
    ticker: Ticker,
    as_of: InstantText,
    known_at: InstantText.nullable(),
    window: Span,
    state: z
      .enum(['measured', 'insufficient', 'partial', 'stale', 'unavailable'])
      .describe(
        'insufficient: fewer than 20 posts, 10 authors or 3 components; partial: a lower bound; stale: the newest frame is old; unavailable: no posts to measure.',
      ),
    sample: z.strictObject({
      posts: z.int(),
      authors: z.int(),
      clusters: z.int(),
      sources: z.int(),
      coverage: z.number().describe('Share of the authors whose account age is known.'),
    }),
    measurement: Measurement.nullable(),
    gate: Gate,
    receipts: z.strictObject({
      ontology_sha256: Sha256,
      measurement_sha256: Sha256,
      replay: ReplayReceipt,
    }),
    boundary: z.strictObject({
      aggregate_only: z.literal(true),
      named_accounts: z.literal(false),
      min_authors: z.int(),
    }),
    freshness: Freshness,
    policy: z.string(),
  })
  .meta({ id: 'Realness' });
export type Realness = z.input<typeof Realness>;

export const GateEntry = z
  .strictObject({
    ticker: Ticker,
    as_of: InstantText,
    seq: z.int(),
    measurement_sha256: z.string(),
    policy_sha256: Hex64,
    commitment: Hex64,
    reveal_after: InstantText,
    state: z.enum(['withheld', 'released', 'revealed']),
    verdict: Verdict.nullable(),
    salt: z.string().nullable(),
  })
  .meta({
    id: 'GateEntry',
    description:
      'A commitment is the SHA-256 of `svc.realness.gate.v1`, a zero byte, the canonical JSON (RFC 8785) of {ticker, as_of, measurement_sha256, verdict, policy_sha256, seq}, and the 32 bytes of the salt.',
  });

export const GateCommitments = z
  .strictObject({
    schema: z.literal('realness.commitments.v1'),
    ticker: Ticker,
    required_scope: z.literal(VERDICT_SCOPE),
    commitments: z.array(GateEntry).describe('The newest, in ascending order.'),
    policy: z.string(),
  })
  .meta({ id: 'GateCommitments' });
export type GateCommitments = z.input<typeof GateCommitments>;

const GROUP = 'signals and coordination';

export const realness = operation({
  name: 'realness',
  method: 'GET',
  path: '/v1/realness/{ticker}',
  surface: 'attention',
  group: GROUP,
  summary: 'How coordinated the attention of one ticker is, with a withheld veto gate',
  description:
    'An aggregate coordination measurement of the last 24 hours, never a named accusation: five components, one index, its uncertainty. The verdict of the gate is committed to when it is made, shown to keys with the scope realness:verdict, and revealed to everybody later.',
  access: { kind: 'recognised' },
  input: z.strictObject({ ticker: TickerInput, as_of: InstantInput.optional() }),
  output: Realness,
  failures: [
    'invalid_ticker',
    'invalid_as_of',
    'as_of_out_of_range',
    'unknown_parameter',
    'ticker_not_found',
    'warming_up',
    'replay_busy',
    'archive_unavailable',
  ],
  keeps: 'nothing',
  example: { ticker: 'NVDA' },
});

export const realnessCommitments = operation({
  name: 'realness_commitments',
  method: 'GET',
  path: '/v1/realness/{ticker}/commitments',
  surface: 'attention',
  group: GROUP,
  summary: 'The commitments of the gate for one ticker, and what is revealed of them',
  description:
    'The newest commitments at or before `as_of`. Once `reveal_after` has passed, verdict and salt are there and anybody can recompute the commitment; a verdict that stays away is visible too.',
  access: { kind: 'recognised' },
  input: z.strictObject({
    ticker: TickerInput,
    as_of: InstantInput.optional(),
    limit: limitInput(200, 50),
  }),
  output: GateCommitments,
  failures: [
    'invalid_ticker',
    'invalid_as_of',
    'as_of_out_of_range',
    'invalid_limit',
    'unknown_parameter',
    'archive_unavailable',
  ],
  keeps: 'nothing',
  example: { ticker: 'NVDA', limit: 5 },
});
