// The function-calling manifest obeys the rules of strict mode, and what a strict model sends is what the tools take.
import { describe, expect, it } from 'vitest';
import { toolManifest } from '../../src/answers/macro/tool-manifest.js';
import { INDEX_SYMBOLS } from '../../src/contracts/macro/index-symbols.js';
import { ToolManifest } from '../../src/contracts/macro/tool-manifest.js';
import { toolParameters } from '../../src/contracts/macro/tool-parameters.js';
import { MACRO_TOOLS } from '../../src/contracts/macro/tools.js';
import type { Operation } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly minItems?: number;
}

const KEYWORDS = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

/** Every rule of strict mode that a schema breaks, with its place. */
function faultsOf(schema: Schema, place: string): string[] {
  const faults = Object.keys(schema)
    .filter((word) => !KEYWORDS.has(word))
    .map((word) => `${place} has ${word}`);
  if (schema.type === undefined && schema.anyOf === undefined && schema.enum === undefined)
    faults.push(`${place} has no type`);
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {});
    if (schema.additionalProperties !== false) faults.push(`${place} is open`);
    if (String(schema.required) !== String(names))
      faults.push(`${place} does not require all of ${names.join()}`);
  }
  if (schema.type === 'array' && schema.items === undefined) faults.push(`${place} has no items`);
  return [
    ...faults,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      faultsOf(inner, `${place}.${name}`),
    ),
    ...(schema.items === undefined ? [] : faultsOf(schema.items, `${place}[]`)),
    ...(schema.anyOf ?? []).flatMap((inner, i) => faultsOf(inner, `${place}|${i}`)),
  ];
}

const TEXTS: Readonly<Record<string, string>> = { ticker: 'NVDA', tickers: 'NVDA', cursor: 'abc' };

/** The alternatives of a schema, each with one type. */
function alternatives(schema: Schema): readonly Schema[] {
  if (schema.anyOf !== undefined) return schema.anyOf;
  const { type } = schema;
  return typeof type === 'object' ? type.map((one) => ({ ...schema, type: one })) : [schema];
}

/** A value that the schema allows: null where it may be, or something of the type. */
function sampleOf(schema: Schema, name: string, isNull: boolean): unknown {
  const all = alternatives(schema);
  if (isNull && all.some(({ type }) => type === 'null')) return null;
  const own = all.find(({ type }) => type !== 'null')!;
  if (own.enum !== undefined) return own.enum[0];
  switch (own.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(own.properties ?? {}).map(([member, inner]) => [
          member,
          sampleOf(inner, member, isNull),
        ]),
      );
    case 'array':
      return [sampleOf(own.items!, name, isNull)];
    case 'integer':
      return Math.max(1, own.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return TEXTS[name] ?? '2026-01-31T14:30:00Z';
  }
}

const manifest = toolManifest();

describe('the manifest', () => {
  it('names the six tools, each where the manifest says it is', () => {
    ToolManifest.parse(manifest);
    expect(manifest.tools.map(({ function: { name } }) => name)).toEqual([
      'get_market_regime',
      'check_trade',
      'get_index_detail',
      'get_signal_changes',
      'get_market_pulse',
      'get_decision_packet',
    ]);
    for (const { function: tool } of manifest.tools) {
      const operation: Operation = OPERATIONS[tool.name as keyof typeof MACRO_TOOLS];
      expect([operation.method, operation.path]).toEqual(['GET', manifest.base_path + tool.name]);
    }
    expect(manifest.tools_sha256).toBe(fingerprint(manifest.tools));
  });

  it.each(manifest.tools.map(({ function: tool }) => tool))('$name is strict', ({ name, parameters }) => {
    const schema = parameters as Schema;
    expect(schema.type).toBe('object');
    expect(faultsOf(schema, name)).toEqual([]);
    for (const [member, inner] of Object.entries(schema.properties ?? {}))
      expect(inner.description ?? '', member).not.toBe('');
  });

  it.each(Object.values(MACRO_TOOLS))('$name takes what its parameters allow', (operation) => {
    const parameters = toolParameters(operation) as Schema;
    for (const isNull of [true, false]) {
      const sent = sampleOf(parameters, '', isNull);
      expect(operation.input.safeParse(sent).error?.issues ?? []).toEqual([]);
    }
    expect(operation.input.safeParse({ ...(operation.example as object), more: 1 }).success).toBe(false);
  });

  it('holds tickers and symbols to a pattern or a list, within what strict mode understands', () => {
    const members = (name: keyof typeof MACRO_TOOLS) =>
      (toolParameters(MACRO_TOOLS[name]) as Schema).properties!;
    const pattern = '^[A-Z][A-Z0-9.-]{0,9}$';
    expect(members('check_trade')['ticker']!.pattern).toBe(pattern);
    expect(members('get_decision_packet')['tickers']!.items!.pattern).toBe(pattern);
    expect(members('get_index_detail')['symbol']!.enum).toEqual(INDEX_SYMBOLS);
    for (const ticker of ['A', 'BRK.B', 'BRK-B', 'GOOGLE'])
      expect(MACRO_TOOLS.check_trade.input.safeParse({ ticker }).success, ticker).toBe(true);
    for (const ticker of ['ABCDEFGHIJK', 'NOTATICKER', '1AB', 'ABCDEFGH.AB'])
      expect(MACRO_TOOLS.check_trade.input.safeParse({ ticker }).success, ticker).toBe(false);
  });

  it('tells each tool’s freshness, cost and neighbour, and promises no advice', () => {
    for (const { function: tool } of manifest.tools) {
      expect(tool.description).toMatch(/Costs one asset read/);
      expect(tool.description).toMatch(/For .* use /);
      expect(tool.description).toMatch(/advice/);
      expect(tool.description).not.toMatch(/\b(buy|sell|recommend)/i);
    }
  });
});
