// The members that questions of surface B are made from.
import { z } from 'zod';
import { InstantInput, TickerInput } from '../primitives.js';

/** May be left out or be null: callers that must name every member send null. */
export function optional<T extends z.ZodType>(schema: T, description: string) {
  return schema.nullable().optional().describe(description);
}

export const AsOfInput = optional(
  InstantInput,
  'An instant of the past, RFC 3339 with an offset; the answer is what was known then. The newest edition when absent.',
);

/** Tickers, each once. Faults of the list as a whole have codes of their own. */
export const tickerList = (most: number) =>
  z
    .array(TickerInput)
    .superRefine((tickers, context) => {
      const refuse = (failure: string, message: string) =>
        context.addIssue({ code: 'custom', message, params: { failure } });
      if (tickers.length === 0) refuse('no_tickers', 'empty');
      else if (tickers.length > most) refuse('too_many_tickers', `more than ${most}`);
      else if (new Set(tickers).size < tickers.length) refuse('duplicate_tickers', 'a ticker twice');
    })
    .describe(`1 to ${most} ticker symbols, each once.`)
    .meta({ minItems: 1, maxItems: most });
