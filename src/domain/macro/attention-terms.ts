// Finds which narratives a text speaks of, by the terms of the catalogue, whole words only.
import { NARRATIVES } from './catalogue/narratives.js';

/** Lower case, anything that is neither letter nor digit as one space, with a space at both ends. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

interface TermOf {
  readonly narrative: number;
  /** With a space before it; what follows may only be a plural s and a space. */
  readonly text: string;
}

/** Terms by the first word they can begin with: a text is walked once, and few terms are compared at a word. */
const byFirstWord = new Map<string, TermOf[]>();

function register(word: string, term: TermOf): void {
  byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), term]);
}

NARRATIVES.forEach((row, narrative) => {
  for (const words of row.terms) {
    const text = plain(words).trimEnd();
    const [first = '', second] = text.trim().split(' ');
    register(first, { narrative, text });
    if (second === undefined) register(`${first}s`, { narrative, text });
  }
});

/** Places of the narratives whose terms occur in the text, each once. */
export function narrativesIn(text: string): number[] {
  const words = plain(text);
  const found = new Set<number>();
  for (let start = 0; start < words.length - 1; ) {
    const end = words.indexOf(' ', start + 1);
    for (const term of byFirstWord.get(words.slice(start + 1, end)) ?? []) {
      if (!words.startsWith(term.text, start)) continue;
      const after = start + term.text.length;
      if (words[after] === ' ' || words.startsWith('s ', after)) found.add(term.narrative);
    }
    start = end;
  }
  return [...found].sort((a, b) => a - b);
}
