// The routes that are retired for good, one row each, and the one body that all of them answer.
import { z } from 'zod';
import { FAILURES, type FailureCode } from '../failures.js';

export const RETIREMENT_CODES = [
  'research_unbound_ticker_dossier_read_retired',
  'research_unbound_run_dossier_read_retired',
  'research_unbound_ticker_history_read_retired',
  'research_unbound_digs_status_read_retired',
  'research_fresh_mutation_requires_exact_hub_pit_identity',
] as const satisfies readonly FailureCode[];
export type RetirementCode = (typeof RETIREMENT_CODES)[number];

export interface RetiredRoute {
  readonly name: string;
  /** The method that it once had; now every method gets the same answer. */
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly code: RetirementCode;
  readonly summary: string;
  /** Parameters that clients may still send; nothing reads them. */
  readonly query?: readonly string[];
}

export const RETIRED_ROUTES: readonly RetiredRoute[] = [
  {
    name: 'retired_ticker_dossier',
    method: 'GET',
    path: '/api/research/v1/dossiers/{ticker}',
    code: 'research_unbound_ticker_dossier_read_retired',
    summary: 'Retired: the dossier of a ticker',
  },
  {
    name: 'retired_latest_dossier',
    method: 'GET',
    path: '/api/research/v1/ticker/{ticker}/latest',
    code: 'research_unbound_ticker_dossier_read_retired',
    summary: 'Retired: the latest dossier of a ticker',
  },
  {
    name: 'retired_run_dossier',
    method: 'GET',
    path: '/api/research/v1/dossier/{run_id}',
    code: 'research_unbound_run_dossier_read_retired',
    summary: 'Retired: the dossier of a run',
  },
  {
    name: 'retired_ticker_history',
    method: 'GET',
    path: '/api/research/v1/ticker/{ticker}/history',
    code: 'research_unbound_ticker_history_read_retired',
    summary: 'Retired: the dossiers of a ticker over time',
  },
  {
    name: 'retired_evidence_delta',
    method: 'GET',
    path: '/api/research/v1/evidence-delta',
    code: 'research_unbound_ticker_history_read_retired',
    summary: 'Retired: what changed between two dossiers of tickers',
    query: ['symbols'],
  },
  {
    name: 'retired_dig',
    method: 'POST',
    path: '/api/research/v1/digs',
    code: 'research_fresh_mutation_requires_exact_hub_pit_identity',
    summary: 'Retired: fresh research on bare tickers',
  },
  {
    name: 'retired_dig_status',
    method: 'GET',
    path: '/api/research/v1/digs/{batch_id}',
    code: 'research_unbound_digs_status_read_retired',
    summary: 'Retired: the status of a batch of digs',
  },
];

/** Where callers of a retired route find exact identities instead. */
export const REPLACEMENT = {
  path: '/api/research/public/hub-pit-identity-cohort/v1',
  schema: 'service.research.hub_pit_identity_cohort.v1',
} as const;

export const RetiredAnswer = z
  .strictObject({
    status: z.literal('retired'),
    typed_unavailable: z.literal(true),
    hub_asset_identity_bound: z.literal(false),
    pit_basket_revision_bound: z.literal(false),
    auth_evaluated: z.literal(false),
    stored_run_loaded: z.literal(false),
    dossier_serialized: z.literal(false),
    score_exported: z.literal(false),
    rank_exported: z.literal(false),
    error_contract: z.literal('api-error-envelope-v1'),
    error: z.enum(RETIREMENT_CODES),
    message: z.string(),
    status_code: z.literal(410),
    replacement: z
      .strictObject({ path: z.literal(REPLACEMENT.path), schema: z.literal(REPLACEMENT.schema) })
      .describe('The public packet that binds exact assets and point-in-time baskets.'),
  })
  .meta({
    id: 'RetiredAnswer',
    description:
      'The same bytes for every call of a retired route; the request id stands in its header only.',
  });
export type RetiredAnswer = z.input<typeof RetiredAnswer>;

export function retiredAnswer(code: RetirementCode): RetiredAnswer {
  return {
    status: 'retired',
    typed_unavailable: true,
    hub_asset_identity_bound: false,
    pit_basket_revision_bound: false,
    auth_evaluated: false,
    stored_run_loaded: false,
    dossier_serialized: false,
    score_exported: false,
    rank_exported: false,
    error_contract: 'api-error-envelope-v1',
    error: code,
    message: FAILURES[code].meaning,
    status_code: 410,
    replacement: { ...REPLACEMENT },
  };
}
