// No promise of the wire is broken by accident: docs/contract.txt remembers every one that was ever made.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FEEDS } from '../../src/contracts/feeds.js';
import { type Operation, operation, PUBLIC } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { RETIRED_ROUTES } from '../../src/contracts/research/retired.js';
import { openApiDocument } from '../../src/surfaces/docs/openapi.js';
import { promisesOf } from '../../src/surfaces/docs/promises.js';

const documented = (operations: Readonly<Record<string, Operation>>, more: object = {}) =>
  promisesOf(openApiDocument({ operations, ...more, version: '0', publicUrl: 'http://127.0.0.1:8700' }));

it('every promise that was made is still kept; `npm run docs:contract` adds new ones', () => {
  const made = readFileSync(new URL('../../docs/contract.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const kept = new Set(documented(OPERATIONS, { feeds: FEEDS, retired: RETIRED_ROUTES }));
  expect(made.length).toBeGreaterThan(500);
  expect(made.filter((line) => !kept.has(line))).toEqual([]);
});

describe('what counts as broken', () => {
  const declared = (over: Partial<Operation> = {}) => ({
    one: operation({
      name: 'one',
      method: 'GET',
      path: '/v1/one/{id}',
      surface: 'service',
      group: 'samples',
      summary: 'One',
      description: 'One',
      access: PUBLIC,
      input: z.strictObject({
        id: z.string(),
        limit: z.int().max(100).default(5),
        sort: z.enum(['a', 'b']).optional(),
      }),
      output: z.strictObject({
        rows: z.array(z.strictObject({ ticker: z.string(), rank: z.int().nullable() })),
      }),
      failures: ['invalid_limit'],
      keeps: 'nothing',
      example: { id: 'x' },
      ...over,
    } as Operation),
  });
  const before = documented(declared());
  const brokenBy = (over: Partial<Operation>) => {
    const after = new Set(documented(declared(over)));
    return before.filter((line) => !after.has(line));
  };
  const input = { id: z.string(), limit: z.int().max(100).default(5), sort: z.enum(['a', 'b']).optional() };
  const row = { ticker: z.string(), rank: z.int().nullable() };
  const rows = (shape: z.ZodRawShape) => z.strictObject({ rows: z.array(z.strictObject(shape)) });

  it.each<[string, Partial<Operation>]>([
    ['another path', { path: '/v2/one/{id}' }],
    ['a parameter that is gone', { input: z.strictObject({ id: z.string(), limit: input.limit }) }],
    ['a parameter that must be sent now', { input: z.strictObject({ ...input, more: z.string() }) }],
    ['a narrower bound', { input: z.strictObject({ ...input, limit: z.int().max(50).default(5) }) }],
    ['a choice that is gone', { input: z.strictObject({ ...input, sort: z.enum(['a']).optional() }) }],
    ['a member that is gone', { output: rows({ ticker: z.string() }) }],
    ['a member of another type', { output: rows({ ...row, ticker: z.int() }) }],
    ['a member that may be missing', { output: rows({ ...row, ticker: z.string().optional() }) }],
    ['a key that is needed now', { access: { kind: 'key', scope: null } }],
  ])('%s', (_what, over) => {
    expect(brokenBy(over)).not.toEqual([]);
  });

  it.each<[string, Partial<Operation>]>([
    ['nothing', {}],
    ['a parameter that may be sent', { input: z.strictObject({ ...input, more: z.string().optional() }) }],
    ['one more choice', { input: z.strictObject({ ...input, sort: z.enum(['a', 'b', 'c']).optional() }) }],
    ['one more member', { output: rows({ ...row, more: z.string() }) }],
    ['one more refusal', { failures: ['invalid_limit', 'warming_up'] }],
    ['other words', { summary: 'Two', description: 'Two' }],
  ])('not %s', (_what, over) => {
    expect(brokenBy(over)).toEqual([]);
  });
});
