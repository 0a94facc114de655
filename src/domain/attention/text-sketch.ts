// Reads a post's text once: its words for near-duplicate search, and whether it speaks of finance.
import { shingleHashes } from '../../kernel/statistics/shingles.js';
import { ATTENTION } from './parameters.js';

const FINANCE_WORDS = new Set(
  (
    'stock stocks share shares equity earnings eps revenue guidance dividend dividends yield buyback split ipo ' +
    'price prices target chart breakout support resistance calls puts options call put strike expiry short shorts ' +
    'squeeze float bull bulls bullish bear bears bearish market markets trading trade trader traders trades ' +
    'quarter quarterly q1 q2 q3 q4 fy analyst analysts upgrade downgrade valuation portfolio position positions ' +
    'holding holdings premarket afterhours volume rally selloff dip ath investors investor nasdaq nyse sec filing ' +
    '10-k 10-q 8-k margin margins cashflow ebitda capex debt bonds fed ticker cap mcap outlook forecast'
  ).split(' '),
);

export interface TextSketch {
  readonly shingles: Uint32Array;
  readonly financeContext: boolean;
}

const NOISE = /https?:\/\/\S+|www\.\S+|@[\w.:-]+|^rt\b:?/g;
/** Most texts have no link, handle or repost prefix; they are spared the search. */
const MAYBE_NOISE = /[@/]|^rt\b|www\./;
const WORD = /[a-z][a-z'’-]*/g;

/** Two texts that differ in case, links, handles, digits or a repost prefix sketch alike. */
export function sketchText(text: string): TextSketch {
  const lower = text.toLowerCase();
  const words = (MAYBE_NOISE.test(lower) ? lower.replace(NOISE, ' ') : lower).match(WORD) ?? [];
  const { shortTextWords, shingleWords, sketchSize } = ATTENTION.nearDuplicate;
  const hashes = shingleHashes(
    words,
    words.length < shortTextWords ? Math.max(1, words.length) : shingleWords,
  );
  return {
    // The smallest hashes are a fair sample of all of them, so two long texts stay comparable.
    shingles: hashes.length > sketchSize ? hashes.slice(0, sketchSize) : hashes,
    financeContext: words.some((word) => FINANCE_WORDS.has(word)) || /\b(?:q[1-4]|10-[kq]|8-k)\b/.test(lower),
  };
}
