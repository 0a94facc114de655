// The small words that all shapes on the wire share.
import { z } from 'zod';
import { normaliseTicker } from './ticker.js';

/** What callers write as a ticker; comes out in its one spelling. */
export const TickerInput = z
  .string()
  .max(16)
  .transform((text, context) => {
    const ticker = normaliseTicker(text);
    if (ticker !== null) return ticker;
    context.issues.push({ code: 'custom', message: 'not a ticker', input: text });
    return z.NEVER;
  })
  .describe('Ticker symbol: AAPL, $AAPL, BRK.B and BRK-B are accepted.')
  .meta({ examples: ['NVDA'] });

export const Ticker = z.string().describe('Ticker symbol, upper case, class shares with a dot.');

/** RFC 3339, always with an offset; a bare date or a local time names no instant. */
export const InstantInput = z.iso
  .datetime({ offset: true })
  .max(40)
  .describe('RFC 3339 with an offset, for example 2026-01-31T14:30:00Z.');

export const InstantText = z.string().describe('RFC 3339 in UTC.').meta({ format: 'date-time' });

export const Sha256 = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('`sha256:` and 64 lower-case hexadecimal digits.');

export const limitInput = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe(`How many, 1 to ${most}.`);
