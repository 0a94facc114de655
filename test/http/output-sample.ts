// A value that a contract accepts, made from its JSON Schema: the answer of operations whose answer does not matter.
import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

const TEXTS = [
  'text',
  'A',
  'NVDA',
  `sha256:${'0'.repeat(64)}`,
  '0'.repeat(64),
  '2026-01-31',
  '2026-01-31T14:30:00Z',
  '1.0.0',
  'a-b',
  'x_1',
];

function text(schema: Schema): string {
  if (schema.format === 'date-time') return '2026-01-31T14:30:00Z';
  if (schema.format === 'date') return '2026-01-31';
  const pattern = schema.pattern === undefined ? /^/ : new RegExp(schema.pattern);
  const fits = (one: string) => one.length >= (schema.minLength ?? 0) && pattern.test(one);
  const examples = (schema.examples ?? []).filter((one) => typeof one === 'string');
  const found = [...examples, ...TEXTS].find(fits);
  if (found === undefined) throw new Error(`no sample text fits ${schema.pattern}; add one to the list`);
  return found;
}

function sample(schema: Schema, root: Schema): unknown {
  const named = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  if (named !== undefined) return sample(root.$defs?.[named] ?? {}, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (typeof option === 'object') return sample(option, root);
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, member]) => [name, typeof member === 'object' ? sample(member, root) : null]),
      );
    case 'array': {
      const item = typeof schema.items === 'object' && !Array.isArray(schema.items) ? schema.items : {};
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sample(item, root));
    }
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

export function outputSample(contract: z.ZodType): unknown {
  const schema = z.toJSONSchema(contract, { io: 'output' });
  return sample(schema, schema);
}
