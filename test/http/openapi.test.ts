// The OpenAPI document lists every operation, and everything that it points to is there.
import { describe, expect, test } from 'vitest';
import { ErrorEnvelope, FAILURES, type FailureCode } from '../../src/contracts/failures.js';
import { FEEDS } from '../../src/contracts/feeds.js';
import { type Operation, pathParameters } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { RETIRED_ROUTES } from '../../src/contracts/research/retired.js';
import { openApiDocument } from '../../src/surfaces/docs/openapi.js';
import { SAMPLES } from './sample-operations.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
}
interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, { schema: { properties: object } }> };
  readonly responses: Record<string, { readonly $ref?: string }>;
}
interface Answered {
  readonly content: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>;
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

function resolve(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

const sets: [string, Record<string, Operation>][] = [
  ['the service', OPERATIONS],
  ['the samples', SAMPLES],
];

describe.each(sets)('the document of %s', (_name, operations) => {
  const document = openApiDocument({
    operations,
    feeds: FEEDS,
    retired: RETIRED_ROUTES,
    version: '9.9.9',
    publicUrl: 'http://127.0.0.1:8700',
  });
  const described = (operation: Operation): Described =>
    document.paths[operation.path]?.[operation.method.toLowerCase()] as Described;
  const all = Object.values(document.paths).flatMap((place) => Object.values(place)) as Described[];

  test('is OpenAPI 3.1 with contact, licence, server and version', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ version: '9.9.9', license: { identifier: 'MIT' } });
    expect(document.info).toHaveProperty('contact.url');
    expect(document.servers).toHaveLength(1);
  });

  test.each(Object.values(operations))('lists $name with its parameters', (operation) => {
    const entry = described(operation);
    expect(entry.operationId).toBe(operation.name);
    expect(entry.tags).toEqual([operation.group]);
    const { kind } = operation.access;
    expect(entry.security).toEqual(
      kind === 'public' ? [] : [...(kind === 'key' ? [] : [{}]), { ApiKey: [] }],
    );
    const inPath = pathParameters(operation.path);
    const members = Object.keys(operation.input.shape);
    const parameters = entry.parameters ?? [];
    expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    expect(parameters.filter((one) => one.in === 'path').every((one) => one.required)).toBe(true);
    const elsewhere = members.filter((name) => !inPath.includes(name));
    const inQuery = parameters.filter((one) => one.in === 'query').map((one) => one.name);
    const inBody = Object.keys(entry.requestBody?.content['application/json']?.schema.properties ?? {});
    expect(operation.method === 'GET' ? inQuery : inBody).toEqual(elsewhere);
  });

  test.each(Object.values(operations))('shows every refusal of $name under its status', (operation) => {
    const responses = Object.fromEntries(
      Object.entries(described(operation).responses).map(([status, response]) => [
        status,
        (response.$ref === undefined ? response : resolve(document, response.$ref)) as Answered,
      ]),
    );
    for (const code of operation.failures) {
      const examples = responses[String(FAILURES[code].status)]?.content['application/json']?.examples;
      expect(Object.keys(examples ?? {})).toContain(code);
    }
    for (const [status, response] of Object.entries(responses)) {
      for (const [code, example] of Object.entries(response.content['application/json']?.examples ?? {})) {
        const envelope = ErrorEnvelope.parse(example.value);
        expect(envelope).toMatchObject({ error: code, status_code: Number(status) });
        expect(FAILURES[code as FailureCode].status).toBe(Number(status));
      }
    }
  });

  test.each(Object.values(operations))('shows the limit headers of $name where it has them', (operation) => {
    const { '200': ok, '429': refused } = described(operation).responses as Record<
      string,
      { headers: object } | undefined
    >;
    const counted = ['key', 'metered'].includes(operation.access.kind);
    for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
      expect(name in ok!.headers).toBe(counted);
    }
    for (const name of ['X-Quota-Limit', 'X-Quota-Remaining']) expect(name in ok!.headers).toBe(counted);
    if (refused !== undefined && counted) {
      expect(refused.headers).toHaveProperty('X-RateLimit-Reset');
      expect(refused.headers).toHaveProperty('Retry-After');
    }
  });

  test.each(Object.values(FEEDS))('lists the feed $name with its parameters and refusals', (feed) => {
    const entry = document.paths[feed.path]?.['get'] as Described;
    expect(entry.operationId).toBe(feed.name);
    expect(entry.parameters?.map(({ name }) => name)).toEqual(Object.keys(feed.input.shape));
    expect(entry.responses).toHaveProperty(feed.wire === 'sse' ? '200' : '101');
    for (const code of feed.failures) expect(entry.responses).toHaveProperty(String(FAILURES[code].status));
  });

  test('has no dangling and no unused component', () => {
    const refs = new Set(refsIn(document));
    for (const ref of refs) expect(resolve(document, ref), ref).toBeDefined();
    for (const kind of ['schemas', 'headers', 'responses']) {
      for (const name of Object.keys(document.components[kind] ?? {})) {
        expect(refs, `${kind} ${name}`).toContain(`#/components/${kind}/${name}`);
      }
    }
    expect(JSON.stringify(document)).not.toMatch(/\$defs|"\$schema"/);
  });

  test('names each operation once and each of its groups with a description', () => {
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    expect(new Set(tags).size).toBe(tags.length);
    for (const { tags: used } of all) expect(tags).toEqual(expect.arrayContaining([...used]));
    for (const { description } of document.tags) expect(description).not.toBe('');
  });

  test('lists the routes that are no operations', () => {
    for (const path of ['/openapi.json', '/docs', '/redoc', '/livez', '/metrics']) {
      expect(document.paths[path]).toHaveProperty('get.responses.200');
    }
  });

  test('is the same every time', () => {
    const again = openApiDocument({
      operations,
      feeds: FEEDS,
      retired: RETIRED_ROUTES,
      version: '9.9.9',
      publicUrl: 'http://127.0.0.1:8700',
    });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });
});
