// Tools as clients see them in a list: their schemas are made once, from the contracts.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ToolReceipt } from '../../contracts/tool-receipt.js';
import type { Tool } from './tool.js';

/** The value beside its receipt. */
export function toolOutput({ operations: [first, ...others], shown }: Tool): z.ZodObject {
  if (shown !== null) return z.strictObject({ value: shown.output, receipt: ToolReceipt });
  const value = others.length === 0 ? first.output : z.union([first, ...others].map(({ output }) => output));
  return z.strictObject({ value, receipt: ToolReceipt });
}

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Models pay for what they read: bounds that every JSON number has, and the long pattern beside a format, say nothing. */
function saysNothing(name: string, value: unknown, { format }: { readonly format?: unknown }): boolean {
  if (name === 'minimum' || name === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return name === 'pattern' && format === 'date-time';
}

/** Output schemas go without descriptions: the meaning of members is in the ontology and in the documents. */
function terse(schema: unknown, described: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => terse(one, described));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) =>
      !saysNothing(name, value, schema) && (described || name !== 'description' || typeof value !== 'string'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, terse(value, described)]));
}

export function listedTool(tool: Tool): ListedTool {
  const { name, title, description, input, inputSchema } = tool;
  return {
    name,
    title,
    description,
    inputSchema: (inputSchema ??
      terse(z.toJSONSchema(input, { io: 'input' }), true)) as ListedTool['inputSchema'],
    outputSchema: terse(z.toJSONSchema(toolOutput(tool)), false) as NonNullable<ListedTool['outputSchema']>,
    annotations: { title, ...HINTS },
  };
}
