// Decides which tickers a text is about: platform tags, cashtags with word boundaries, bare names that are no words.
import { normaliseTicker } from '../../contracts/ticker.js';
import type { Mention } from '../facts/post.js';

/** Capital words of ordinary and trading English that are tickers too: bare, they are never taken for one. */
const WORDS = new Set(
  (
    'ALL AND ANY ARE ASK BIG BIT BOX BUT BUY CAN CAR CASH CAT CEO CFO COST CPI DAY DD DIP DOW EAT EDIT EOD EPS ETF EU ' +
    'EVER FAST FED FLY FOR FREE FUN FUND FYI GAIN GDP GO GOOD GOLD GROW HAS HE HEAR HOLD HOPE HUGE IMO IPO IRS IT ' +
    'JOB KEY LAND LIFE LIVE LOVE LOW MAIN MAN MOON NEW NEXT NICE NOW OLD ON ONE OPEN OUT PAY PEAK PLAY PLUS PM POST ' +
    'PUMP REAL RED RIDE RUN SAFE SAVE SEC SEE SELL SHOP SITE SNOW SO SPOT STAY SUM TECH TELL TEAM THE TOP TRUE TV ' +
    'TWO UK UP US USA USD VERY WAY WELL WIN WOW YOLO YOU YOUR ATH HODL FOMO LOL OMG WTF TLDR EPS PE AI API APP ARM ' +
    'LINK FUEL PATH HOOD BEST CARE CARS COLD DEEP EYE FORM GAME HALO HOME KIDS LUCK MIND MOVE NEED ROOT SKY TRIP WORK'
  ).split(' '),
);

/** Tickers whose text is also an everyday word or letter start with a low precision. */
export function wordLike(ticker: string): boolean {
  return ticker.length <= 2 || WORDS.has(ticker);
}

const CASHTAG = /(?<![\w$])\$([A-Za-z][A-Za-z0-9]{0,5}(?:[.-][A-Za-z]{1,2})?)(?![\w$])/g;
const BARE = /(?<![\w$#@/.'’-])[A-Z][A-Z0-9]{2,5}(?:[.-][A-Z])?(?![\w$/'’]|[.-]\w)/g;

const MAYBE_BARE = /[A-Z][A-Z0-9]{2}/;

export interface Universe {
  has(ticker: string): boolean;
}

/**
 * What the platform tagged is taken as the platform says it; what only the text says must be in the universe.
 * The strongest form of a ticker wins, and each ticker is named once however often the text repeats it.
 */
export function resolveMentions(text: string, tagged: readonly string[], universe: Universe): Mention[] {
  const found: Mention[] = [];
  // Posts name one or two tickers: looking through a short list is cheaper than keeping a map.
  const isNew = (ticker: string): boolean => !found.some((mention) => mention.ticker === ticker);
  for (const raw of tagged) {
    const ticker = normaliseTicker(raw);
    if (ticker && isNew(ticker)) found.push({ ticker, form: 'tagged' });
  }
  if (text.includes('$')) {
    for (const match of text.matchAll(CASHTAG)) {
      const ticker = normaliseTicker(match[1]!);
      if (ticker && isNew(ticker) && universe.has(ticker)) found.push({ ticker, form: 'cashtag' });
    }
  }
  // A text in capitals throughout says nothing by its capitals.
  if (MAYBE_BARE.test(text) && /[a-z]/.test(text)) {
    for (const match of text.matchAll(BARE)) {
      const ticker = normaliseTicker(match[0]);
      if (ticker && !WORDS.has(ticker) && isNew(ticker) && universe.has(ticker))
        found.push({ ticker, form: 'bare' });
    }
  }
  return found;
}
