// One operation as OpenAPI sees it: parameters, body, answer, refusals.
import { type Access, type Operation, pathParameters } from '../../contracts/operation.js';
import type { ComponentSchemas, JsonSchema } from './component-schemas.js';
import { documentedFailures, failuresOf } from './documented-failures.js';
import { LIMIT_HEADER_REFS, tellsLimits } from './documented-limits.js';

/** An empty object among the alternatives says that the key may be left out. */
export const SECURITY: Readonly<Record<Access['kind'], readonly object[]>> = {
  public: [],
  recognised: [{}, { ApiKey: [] }],
  metered: [{}, { ApiKey: [] }],
  key: [{ ApiKey: [] }],
};

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

type Members = readonly (readonly [name: string, schema: JsonSchema])[];

/** The members of an input that stand in the address, for what is asked by GET. */
export function documentedParameters(
  asked: Pick<Operation, 'path' | 'input' | 'example'>,
  components: ComponentSchemas,
): object[] {
  const { properties = {}, required = [] } = components.schemaOf(asked.input, 'input');
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object' ? [parameter(name, schema, asked, required.includes(name))] : [],
  );
}

function parameter(
  name: string,
  schema: JsonSchema,
  operation: Pick<Operation, 'path' | 'example'>,
  required: boolean,
): object {
  const inPath = pathParameters(operation.path).includes(name);
  const { description, ...rest } = schema;
  const example = (operation.example as Readonly<Record<string, unknown>>)[name];
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || required,
    ...(description === undefined ? {} : { description }),
    ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}

function body(members: Members, required: readonly string[], operation: Operation): object {
  const names = new Set(members.map(([name]) => name));
  const given = Object.entries(operation.example).filter(([name]) => names.has(name));
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(members),
          required: required.filter((name) => names.has(name)),
          additionalProperties: false,
        },
        example: Object.fromEntries(given),
      },
    },
  };
}

function responses(operation: Operation, components: ComponentSchemas): object {
  const answer = components.schemaOf(operation.output, 'output');
  const counted = tellsLimits(operation.access);
  const ok = {
    description: operation.summary,
    headers: { ...REQUEST_ID, ...(counted ? LIMIT_HEADER_REFS : {}) },
    content: {
      'application/json': { schema: answer },
      ...(operation.page ? { 'text/markdown': { schema: { type: 'string' } } } : {}),
    },
  };
  const own = { unready: operation.status && answer, tellsLimits: counted };
  return { '200': ok, ...documentedFailures(failuresOf(operation), own) };
}

export function documentedOperation(operation: Operation, components: ComponentSchemas): object {
  const input = components.schemaOf(operation.input, 'input');
  const required = input.required ?? [];
  const inPath = pathParameters(operation.path);
  const members: Members = Object.entries(input.properties ?? {}).flatMap(([name, schema]) =>
    typeof schema === 'object' ? [[name, schema] as const] : [],
  );
  const inAddress = operation.method === 'GET' ? members : members.filter(([name]) => inPath.includes(name));
  const inBody = members.filter(([name]) => !inPath.includes(name));
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    description: operation.description,
    security: SECURITY[operation.access.kind],
    parameters: inAddress.map(([name, schema]) =>
      parameter(name, schema, operation, required.includes(name)),
    ),
    ...(operation.method !== 'GET' ? { requestBody: body(inBody, required, operation) } : {}),
    responses: responses(operation, components),
  };
}
