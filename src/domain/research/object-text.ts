// Canonical texts of lists and objects from the texts of their members, so that none of them is written twice.
import { canonicalJson } from '../../kernel/canonical-json.js';

export function memberTexts(value: object): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalJson(member)]));
}

/** A long member may come in pieces. Names are those of our contracts: plain letters, so that they need no escapes. */
export function objectPieces(texts: Readonly<Record<string, string | readonly string[]>>): string[] {
  const names = Object.keys(texts).sort();
  return [...names.flatMap((name, i) => [`${i === 0 ? '{' : ','}"${name}":`, ...[texts[name]!].flat()]), '}'];
}

/** The object with one more member, cut open where the text of that member belongs. */
export function piecesAround(
  texts: Readonly<Record<string, string | readonly string[]>>,
  member: string,
): [string[], string[]] {
  const pieces = objectPieces({ ...texts, [member]: HERE });
  const place = pieces.indexOf(HERE);
  return [pieces.slice(0, place), pieces.slice(place + 1)];
}

/** No text of JSON is this one. */
const HERE = '\u0000';

export function objectText(texts: Readonly<Record<string, string>>): string {
  return objectPieces(texts).join('');
}

export function listText(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

const CHUNK_CHARACTERS = 48 * 1024;

/** Gathers a text of any length in chunks that the engine still treats as small: a huge one costs a full collection. */
export class Chunks {
  readonly #chunks: string[] = [];
  #pieces: string[] = [];
  #characters = 0;

  get empty(): boolean {
    return this.#chunks.length === 0 && this.#pieces.length === 0;
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#characters += piece.length;
    if (this.#characters >= CHUNK_CHARACTERS) this.#cut();
  }

  all(): readonly string[] {
    this.#cut();
    return this.#chunks;
  }

  #cut(): void {
    if (this.#pieces.length > 0) this.#chunks.push(this.#pieces.join(''));
    this.#pieces = [];
    this.#characters = 0;
  }
}

export function bytesOf(pieces: readonly string[]): Buffer {
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  for (const piece of pieces) end += bytes.write(piece, end);
  return bytes;
}
