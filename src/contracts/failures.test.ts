import { describe, expect, it } from 'vitest';
import { envelopeOf, FAILURES, Failure, type FailureCode } from './failures.js';

/** The codes that callers of the research surface and of the attention surface were promised. */
const PROMISED: Readonly<Record<number, readonly string[]>> = {
  400: [
    'invalid_ticker',
    'invalid_limit',
    'invalid_run_id',
    'idempotency_key_required',
    'billing_invalid',
    'invalid_interval',
    'invalid_as_of',
    'invalid_cursor',
  ],
  401: ['unauthorized'],
  402: ['insufficient_tokens'],
  403: ['insufficient_scope'],
  404: [
    'not_found',
    'not_publishable',
    'batch_not_found',
    'ticker_not_found',
    'watchlist_not_found',
    'unknown_ticker',
  ],
  410: [
    'research_unbound_ticker_dossier_read_retired',
    'research_unbound_run_dossier_read_retired',
    'research_unbound_ticker_history_read_retired',
    'research_unbound_digs_status_read_retired',
    'research_fresh_mutation_requires_exact_hub_pit_identity',
    'cursor_expired',
  ],
  416: ['as_of_out_of_range'],
  429: ['rate_limited', 'quota_exceeded'],
  500: ['internal_error'],
  503: [
    'customer_api_not_configured',
    'rate_limit_unavailable',
    'archive_unavailable',
    'default_universe_unavailable',
    'billing_unavailable',
    'queue_unavailable',
    'source_unavailable',
  ],
};

describe('the catalogue of failures', () => {
  const promised = Object.entries(PROMISED).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)] as const),
  );

  it.each(promised)('has %s under %i', (code, status) => {
    expect(FAILURES[code as FailureCode]?.status).toBe(status);
  });

  it('reserves what only retired work could raise', () => {
    const reserved = Object.entries(FAILURES)
      .filter(([, { reserved: kept }]) => kept)
      .map(([code]) => code);
    expect(reserved.toSorted()).toEqual([
      'batch_not_found',
      'billing_invalid',
      'billing_unavailable',
      'default_universe_unavailable',
      'idempotency_key_required',
      'insufficient_tokens',
      'invalid_run_id',
      'not_publishable',
      'queue_unavailable',
    ]);
  });

  it('says of every code what it means and what to do', () => {
    for (const [code, { status, meaning, remedy }] of Object.entries(FAILURES)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('speaks of a missing or invalid key in one sentence for every cause', () => {
    expect(envelopeOf(new Failure('unauthorized'), 'r-1')).toEqual({
      error_contract: 'api-error-envelope-v1',
      error: 'unauthorized',
      message: 'Missing or invalid API key.',
      status_code: 401,
      request_id: 'r-1',
    });
  });
});
