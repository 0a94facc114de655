// The input of a tool as strict JSON Schema: every member named, those that may be left out nullable, nothing else allowed.
import { z } from 'zod';
import type { Operation } from '../operation.js';

export type ParameterSchema = Readonly<Record<string, unknown>>;

type Schema = z.core.JSONSchema.BaseSchema;

/** What strict function calling understands; bounds that it would refuse stand in the descriptions. */
const UNDERSTOOD = [
  'type',
  'description',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const;

function strict(schema: Schema, root: Schema): ParameterSchema {
  const named = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  if (named !== undefined) {
    const { $ref: _, ...own } = schema;
    return strict({ ...(root.$defs?.[named] as Schema), ...own }, root);
  }
  const kept = Object.fromEntries(
    UNDERSTOOD.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]),
  );
  // The pattern of an instant is five lines of digits; its description says the same in words.
  if (schema.format !== undefined) delete kept['pattern'];
  const within = (inner: Schema): ParameterSchema => strict(inner, root);
  if (schema.anyOf !== undefined) return { ...kept, anyOf: schema.anyOf.map((one) => within(one as Schema)) };
  if (schema.type === 'array') return { ...kept, items: within(schema.items as Schema) };
  if (schema.type !== 'object') return kept;
  const members = Object.entries(schema.properties ?? {});
  return {
    ...kept,
    properties: Object.fromEntries(members.map(([name, member]) => [name, within(member as Schema)])),
    required: members.map(([name]) => name),
    additionalProperties: false,
  };
}

/** Members that may be left out must be nullable in the contract: a strict caller sends null for them. */
export function toolParameters({ input }: Pick<Operation, 'input'>): ParameterSchema {
  const schema = z.toJSONSchema(input, { io: 'input' });
  return strict(schema, schema);
}
