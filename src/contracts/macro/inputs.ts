// The members that questions of surface B are made from.
import { z } from 'zod';
import { InstantInput, TickerInput } from '../primitives.js';
import { INDEX_SYMBOLS } from './index-symbols.js';

/** May be left out or be null: callers that must name every member send null. */
export function optional<T extends z.ZodType>(schema: T, description: string) {
  return schema.nullable().optional().describe(description);
}

export const AsOfInput = optional(
  InstantInput,
  'An instant of the past, RFC 3339 with an offset; the answer is what was known then. The newest edition when absent.',
);

const SYMBOLS: ReadonlySet<string> = new Set(INDEX_SYMBOLS);

/** What cannot be a symbol and what is none of the catalogue have codes of their own. */
export const IndexSymbolInput = z
  .string()
  .superRefine((text, context) => {
    if (SYMBOLS.has(text)) return;
    const failure = /^[A-Z][A-Z0-9]{0,11}$/.test(text) ? 'unknown_index' : 'invalid_symbol';
    context.addIssue({ code: 'custom', message: 'no index', params: { failure } });
  })
  .describe('Symbol of the index in the catalogue, for example VIX or NETLIQ.')
  .meta({ enum: [...INDEX_SYMBOLS] });

/** A ticker as models are told to write it; other spellings are understood all the same. */
export const ToolTicker = TickerInput.meta({
  description: 'Ticker symbol in capitals: NVDA, BRK.B.',
  pattern: '^[A-Z][A-Z0-9.-]{0,9}$',
});

export const DriversInput = optional(
  z.enum(['top', 'all']),
  'all: also every driver of the score, in `drivers`; top, the eight strongest alone, when absent.',
);

/** Tickers, each once. Faults of the list as a whole have codes of their own. */
export const tickerList = (most: number, ticker: typeof TickerInput = TickerInput) =>
  z
    .array(ticker)
    .superRefine((tickers, context) => {
      const refuse = (failure: string, message: string) =>
        context.addIssue({ code: 'custom', message, params: { failure } });
      if (tickers.length === 0) refuse('no_tickers', 'empty');
      else if (tickers.length > most) refuse('too_many_tickers', `more than ${most}`);
      else if (new Set(tickers).size < tickers.length) refuse('duplicate_tickers', 'a ticker twice');
    })
    .describe(`1 to ${most} ticker symbols, each once.`)
    .meta({ minItems: 1, maxItems: most });
