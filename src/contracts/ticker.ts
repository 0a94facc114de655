// A ticker is display text with one spelling: upper case, class shares with a dot.

/** One to six letters or digits that start with a letter, and optionally a class or unit suffix. */
const TICKER = /^[A-Z][A-Z0-9]{0,5}(?:\.[A-Z]{1,2})?$/;

/** Accepts `$aapl`, `BRK-B`, `brk/b`; returns `AAPL`, `BRK.B`; null where the text is not a ticker. */
export function normaliseTicker(text: string): string | null {
  if (TICKER.test(text)) return text;
  const bare = text.trim().replace(/^\$/, '').toUpperCase().replace(/[-/]/, '.');
  return TICKER.test(bare) ? bare : null;
}
