// The small fast counting generator sfc32, seeded from text, giving 32-bit words.

/** A stream of unsigned 32-bit words. */
export type WordStream = () => number;

function mixWord(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Folds text into one 32-bit lane; different lane numbers give unrelated folds. */
function foldText(text: string, lane: number): number {
  let h = mixWord(0x9e3779b9 + Math.imul(lane, 0x7f4a7c15));
  for (let i = 0; i < text.length; i += 1) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    // A plain FNV step never lets high bits reach low ones; the rotation does.
    h = (h << 13) | (h >>> 19);
  }
  return mixWord(h ^ text.length);
}

/** Starts a generator whose whole state follows from the key and nothing else. */
export function sfc32(key: string): WordStream {
  let a = foldText(key, 1) | 0;
  let b = foldText(key, 2) | 0;
  let c = foldText(key, 3) | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The author's own seeding discards this many words so that near seeds part ways.
  for (let i = 0; i < 15; i += 1) next();
  return next;
}
