import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../contracts/operations.js';
import { ANONYMOUS_PLAN, PLANS, planNamed } from './plans.js';
import { isScope } from './scopes.js';

describe('plans and scopes', () => {
  it('has the promised numbers of the free plan', () => {
    expect(PLANS.free).toMatchObject({
      keys: 1,
      requestsPerMinute: 60,
      perDay: { asset_reads: 500, batch_calls: 20 },
      tickersPerBatch: 25,
    });
  });

  it('lets strangers read assets and nothing else', () => {
    expect(ANONYMOUS_PLAN.perDay).toEqual({ calls: 0, asset_reads: 500, batch_calls: 0 });
  });

  it('gives nothing for a name that is no plan', () => {
    expect(planNamed('constructor')).toBe(ANONYMOUS_PLAN);
  });

  it('knows every scope that an operation asks for', () => {
    const scopes = Object.values(OPERATIONS).flatMap(({ access }) =>
      access.kind === 'key' && access.scope !== null ? [access.scope] : [],
    );
    expect(scopes.filter((scope) => !isScope(scope))).toEqual([]);
  });
});
