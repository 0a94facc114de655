// Reads a post's text once: its words for near-duplicate search, and whether it speaks of finance.
import { hashToken, shinglesOf } from '../../kernel/statistics/shingles.js';
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

const FINANCE_HASHES: ReadonlySet<number> = new Set([...FINANCE_WORDS].map((word) => hashToken(word)));

export interface TextSketch {
  readonly shingles: Uint32Array;
  readonly financeContext: boolean;
}

const NOISE = /https?:\/\/\S+|www\.\S+|@[\w.:-]+|^rt\b:?/g;
/** Most texts have no link, handle or repost prefix; they are spared the search. */
const MAYBE_NOISE = /[@/]|^rt\b|www\./;
const [A, Z, APOSTROPHE, CURLED, HYPHEN] = [97, 122, 39, 0x2019, 45];
const FINANCE_NUMBERS = /\b(?:q[1-4]|10-[kq]|8-k)\b/;

/** Hashes of the words of the text being read. */
let words = new Int32Array(256);

/** Two texts that differ in case, links, handles, digits or a repost prefix sketch alike. */
export function sketchText(text: string): TextSketch {
  const lower = text.toLowerCase();
  const clean = MAYBE_NOISE.test(lower) ? lower.replace(NOISE, ' ') : lower;
  if (words.length < clean.length) words = new Int32Array(2 * clean.length);
  let count = 0;
  let financeContext = false;
  // A word is a letter and what letters, apostrophes and hyphens follow it. Read in place: cutting out every word would
  // take most of the time.
  for (let end = 0; end < clean.length; ) {
    const begin = end++;
    if (!isLetter(clean.charCodeAt(begin))) continue;
    while (end < clean.length && continuesWord(clean.charCodeAt(end))) end++;
    const hash = hashToken(clean, begin, end);
    words[count++] = hash;
    financeContext ||= FINANCE_HASHES.has(hash) && FINANCE_WORDS.has(clean.slice(begin, end));
  }
  const { shortTextWords, shingleWords, sketchSize } = ATTENTION.nearDuplicate;
  const hashes = shinglesOf(words, count, count < shortTextWords ? Math.max(1, count) : shingleWords);
  return {
    // The smallest hashes are a fair sample of all of them, so two long texts stay comparable.
    shingles: hashes.length > sketchSize ? hashes.slice(0, sketchSize) : hashes,
    financeContext: financeContext || FINANCE_NUMBERS.test(lower),
  };
}

const isLetter = (code: number): boolean => code >= A && code <= Z;
const continuesWord = (code: number): boolean =>
  isLetter(code) || code === APOSTROPHE || code === HYPHEN || code === CURLED;
