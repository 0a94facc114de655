// What the OpenAPI document promises, one line each: a line that goes away is a promise broken, a new one breaks nothing.
import type { OpenApiDocument } from './openapi.js';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (ref: unknown): string => String(ref).split('/').at(-1)!;

/** Facts about a value that clients rely on, besides its type. */
const FACTS = ['const', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'];

function* leaves(at: string, schema: unknown): Generator<string> {
  if (!isSchema(schema)) return;
  if (schema['$ref'] !== undefined) {
    yield `${at} is a ${nameOf(schema['$ref'])}`;
    return;
  }
  const options = [...listOf(schema['anyOf']), ...listOf(schema['oneOf']), ...listOf(schema['allOf'])];
  for (const option of options) yield* leaves(at, option);
  if (schema['type'] !== undefined) yield `${at}: ${JSON.stringify(schema['type'])}`;
  for (const value of listOf(schema['enum'])) yield `${at} can be ${JSON.stringify(value)}`;
  for (const fact of FACTS) {
    if (schema[fact] !== undefined) yield `${at} has ${fact} ${JSON.stringify(schema[fact])}`;
  }
  const required = listOf(schema['required']);
  for (const [name, inner] of Object.entries(isSchema(schema['properties']) ? schema['properties'] : {})) {
    yield* leaves(`${at}.${name}`, inner);
    if (required.includes(name)) yield `${at}.${name} is always there`;
  }
  for (const [place, item] of listOf(schema['prefixItems']).entries()) yield* leaves(`${at}[${place}]`, item);
  yield* leaves(`${at}[]`, schema['items']);
  yield* leaves(`${at}.*`, schema['additionalProperties']);
}

function* inputs(route: string, operation: Schema): Generator<string> {
  const parameters = listOf(operation['parameters']).filter(isSchema);
  const content = isSchema(operation['requestBody']) ? operation['requestBody']['content'] : undefined;
  const media = isSchema(content) ? content['application/json'] : undefined;
  const body = isSchema(media) && isSchema(media['schema']) ? media['schema'] : {};
  const needed = [
    ...parameters.filter(({ required }) => required === true).map(({ name }) => String(name)),
    ...listOf(body['required']).map(String),
  ];
  // One line for all: a new thing that must be sent changes it.
  yield `${route} needs ${needed.sort().join(', ') || 'nothing'}`;
  for (const { name, in: where, schema } of parameters) {
    yield* leaves(`${route} takes ${String(where)} ${String(name)}`, schema);
  }
  for (const [name, inner] of Object.entries(isSchema(body['properties']) ? body['properties'] : {})) {
    yield* leaves(`${route} takes body ${name}`, inner);
  }
}

/** Refusals have one body, which stands among the named shapes; here only their codes count. */
function* outputs(route: string, operation: Schema): Generator<string> {
  const responses = isSchema(operation['responses']) ? operation['responses'] : {};
  for (const [status, response] of Object.entries(responses)) {
    if (!isSchema(response)) continue;
    const isRefusal = Number(status) >= 400;
    yield `${route} answers ${status}`;
    const headers = isSchema(response['headers']) ? Object.keys(response['headers']) : [];
    for (const name of isRefusal ? [] : headers) yield `${route} answers ${status} with ${name}`;
    for (const [type, media] of Object.entries(isSchema(response['content']) ? response['content'] : {})) {
      if (!isSchema(media)) continue;
      if (!isRefusal) yield* leaves(`${route} answers ${status} ${type}`, media['schema']);
      for (const code of Object.keys(isSchema(media['examples']) ? media['examples'] : {})) {
        yield `${route} refuses ${status} ${code}`;
      }
    }
  }
}

/** Sorted, each once. */
export function promisesOf(document: OpenApiDocument): string[] {
  const lines = new Set<string>();
  for (const [path, place] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(place)) {
      const route = `${method.toUpperCase()} ${path}`;
      const described = operation as Schema;
      lines.add(`${route} asks for ${JSON.stringify(described['security'])}`);
      for (const line of inputs(route, described)) lines.add(line);
      for (const line of outputs(route, described)) lines.add(line);
    }
  }
  for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
    for (const line of leaves(name, schema)) lines.add(line);
  }
  return [...lines].sort();
}
