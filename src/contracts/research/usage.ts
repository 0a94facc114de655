// What a customer sees of the own key: its plan, its windows, and what is left of them.
import { z } from 'zod';
import { operation } from '../operation.js';
import { InstantText } from '../primitives.js';

const Count = z.int().min(0);
const Account = z
  .enum(['calls', 'asset_reads', 'batch_calls'])
  .describe(
    'Which account of the day: asset reads and batch calls have their own, every other call is in `calls`.',
  );

const UsageWindow = z
  .strictObject({
    start: InstantText,
    end: InstantText.describe('When the window begins anew; minutes and days are those of UTC.'),
    used: Count,
    unit: z.literal('requests'),
  })
  .meta({ id: 'UsageWindow' });

const PerAccount = z.array(z.strictObject({ operation: Account, day: Count }));

export const CustomerUsage = z
  .strictObject({
    contract_version: z.literal('customer_usage.v1'),
    generated_at: InstantText.describe('By the clock of the limiter, so that it agrees with the windows.'),
    customer: z.strictObject({
      customer_id: z.string(),
      key_id: z.string().describe('The stable id of the key; never its text or its hash.'),
      key_hint: z.string().describe('Enough to tell keys apart on a screen.'),
      plan: z.string(),
      environment: z.enum(['live', 'test']),
      state: z.enum(['active', 'suspended']),
      key_expires_at: InstantText.nullable(),
      rotation: z
        .strictObject({ state: z.enum(['none', 'overlap']), old_key_ends_at: InstantText.nullable() })
        .describe('While a key is being replaced, the old and the new one both work.'),
    }),
    scopes: z.array(z.string()).describe('Sorted, each once.'),
    usage: z.strictObject({
      minute: UsageWindow,
      day: UsageWindow.describe('The account `calls`.'),
      operations: z.array(z.strictObject({ operation: Account, day: UsageWindow })),
    }),
    limits: z.strictObject({
      minute: Count,
      day: Count,
      operations: PerAccount,
      batch_items: Count.nullable(),
      concurrent_streams: Count.nullable(),
      keys: Count.nullable(),
    }),
    remaining: z
      .strictObject({ minute: Count, day: Count, operations: PerAccount })
      .describe('Limits minus usage, never below zero.'),
    billing: z.strictObject({
      mode: z.enum(['none', 'prepaid_tokens', 'subscription']),
      state: z.enum(['ok', 'insufficient', 'past_due', 'unavailable']),
      tokens: z.strictObject({ balance: z.int(), reserved: z.int() }).nullable(),
      period: z.strictObject({ start: InstantText, end: InstantText }).nullable(),
      currency: z.string().nullable(),
    }),
  })
  .meta({ id: 'CustomerUsage' });
export type CustomerUsage = z.input<typeof CustomerUsage>;

export const customerUsage = operation({
  name: 'customer_usage',
  method: 'GET',
  path: '/api/customer/usage',
  surface: 'research',
  group: 'research evidence',
  summary: 'Usage, limits and what is left of them, for the key that asks',
  description:
    'A read-only look at the limiter: asking changes nothing, and it still answers when every quota is used up. Any valid key may ask, about itself only. The limit headers of the response say the same as its body.',
  access: { kind: 'key', scope: null, quota: null },
  input: z.strictObject({}),
  output: CustomerUsage,
  failures: ['unknown_parameter'],
  keeps: 'nothing',
  example: {},
});
