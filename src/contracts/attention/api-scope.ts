// What this surface is and is not: the policy statements, the boundary of its payloads, and its routes.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';

/** They hold for every response. */
export const POLICY_STATEMENTS = [
  'Output is measurement, not advice.',
  'Realness is an aggregate coordination measurement, never a named accusation.',
  'Public social authors come only from provider expansions; there are no profile dossiers and no personal-data exports.',
  'Public post excerpts stay bounded by provider and source receipts.',
  'Signals are ranking input, never an execution trigger.',
] as const;

export const PAYLOAD_BOUNDARY = {
  carries: [
    'KPI values per ticker with compact receipts',
    'ranks, bands, cohorts and their changes',
    'market capitalisation with the facts that it was resolved from',
    'an aggregate coordination measurement from at least ten authors',
    'at most five post excerpts per ticker, within the length that the provider allows',
  ],
  never_carries: [
    'authors, handles, author ids or their hashes',
    'full texts of posts, or anything of a withdrawn post but a hash and a time',
    'a verdict of the gate before it is revealed, except to keys with its scope',
    'orders, sizes, prices to act at or any other instruction',
  ],
} as const;

const Route = z
  .strictObject({
    path: z.string(),
    methods: z.array(z.enum(['GET', 'POST', 'PUT'])),
    wire: z.enum(['http', 'sse', 'websocket']),
    access: z
      .enum(['public', 'recognised', 'metered', 'key', 'same_origin'])
      .describe('recognised: public, and a key may show more; same_origin: for pages of this server.'),
    scopes: z.array(z.string()).describe('What a key needs, by method where they differ.'),
    summary: z.string(),
  })
  .meta({ id: 'ScopeRoute' });

export const ApiScope = z
  .strictObject({
    service: z.literal('barograph'),
    surface: z.literal('attention'),
    policy: z.array(z.string()).describe('Statements that hold for every response.'),
    payload_boundary: z.strictObject({
      carries: z.array(z.string()),
      never_carries: z.array(z.string()),
    }),
    route_count: z.int(),
    groups: z.array(z.strictObject({ group: z.string(), routes: z.array(Route) })),
  })
  .meta({ id: 'ApiScope' });
export type ApiScope = z.input<typeof ApiScope>;

export const apiScope = operation({
  name: 'api_scope',
  method: 'GET',
  path: '/v1/api-scope',
  surface: 'attention',
  group: 'contract, trust, service',
  summary: 'Policy statements, payload boundary and routes',
  description: 'The statements that hold for every response, in full, and every route that is mounted.',
  access: PUBLIC,
  input: z.strictObject({}),
  output: ApiScope,
  failures: ['unknown_parameter'],
  keeps: 'frame',
  example: {},
});
