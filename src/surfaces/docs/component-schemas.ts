// Collects the JSON Schemas of contracts, so that every named shape stands once among the components.
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const IN_DEFS = '#/$defs/';
const IN_COMPONENTS = '#/components/schemas/';

/** Facts of the number format and of dates that only clutter a document for people. */
function withoutNoise({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(IN_DEFS, IN_COMPONENTS)
        : pointToComponents(inner),
    ]),
  );
}

export class ComponentSchemas {
  readonly #schemas = new Map<string, unknown>();

  /** The schema with its named parts moved to the components. */
  schemaOf(contract: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _dialect, $defs, ...schema } = z.toJSONSchema(contract, { io, override: withoutNoise });
    for (const [name, part] of Object.entries($defs ?? {})) this.#add(name, pointToComponents(part));
    return pointToComponents(schema) as JsonSchema;
  }

  #add(name: string, schema: unknown): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different shapes are both named ${name}`);
    }
    this.#schemas.set(name, schema);
  }

  all(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
