// Cuts a stream of bytes into lines of text, and lets no line grow beyond a bound.
import { isUtf8 } from 'node:buffer';

export const LONGEST_LINE = 1024 * 1024;
/** What is kept of a line that is too long, to show it. */
const KEPT_BYTES = 8 * 1024;

const NEWLINE = 10;
const QUOTE = 34;

export type LineFlaw = 'too long' | 'not UTF-8';

/**
 * The text is without its line feed; a carriage return before it stays, since inside quotes it is data.
 * Of a line that is too long only the beginning is given, with the parity of all its double quotes:
 * enough to know where a quoted record goes on.
 */
export type TakeLine = (text: string, flaw: LineFlaw | null, oddQuotes: boolean) => void;

export class LineSplitter {
  readonly #take: TakeLine;
  readonly #longest: number;
  /** The unfinished line lies at the front. */
  #carry = Buffer.allocUnsafe(KEPT_BYTES);
  #held = 0;
  #skipping = false;
  #oddQuotes = false;

  constructor(take: TakeLine, longest = LONGEST_LINE) {
    this.#take = take;
    this.#longest = longest;
  }

  /** Bytes kept between two chunks. */
  get buffered(): number {
    return this.#held;
  }

  push(chunk: Buffer): void {
    let from = 0;
    if (this.#held > 0 || this.#skipping) {
      const end = chunk.indexOf(NEWLINE);
      this.#hold(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return;
      this.#release();
      from = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= from) {
      // One look at the whole block spares a look at every line.
      const sound = isUtf8(chunk.subarray(from, last));
      for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        if (end - from > this.#longest) {
          this.#hold(chunk.subarray(from, end));
          this.#release();
        } else {
          this.#emit(chunk, from, end, sound);
        }
        from = end + 1;
      }
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** The last line may lack its line feed. */
  end(): void {
    if (this.#held > 0 || this.#skipping) this.#release();
  }

  #emit(bytes: Buffer, from: number, end: number, sound: boolean): void {
    const valid = sound || isUtf8(bytes.subarray(from, end));
    this.#take(bytes.toString('utf8', from, end), valid ? null : 'not UTF-8', false);
  }

  #hold(bytes: Buffer): void {
    if (this.#skipping) {
      this.#oddQuotes = this.#oddQuotes !== hasOddQuotes(bytes);
      return;
    }
    if (this.#held + bytes.length > this.#longest) {
      this.#skipping = true;
      this.#oddQuotes = hasOddQuotes(this.#carry.subarray(0, this.#held)) !== hasOddQuotes(bytes);
      this.#append(bytes.subarray(0, Math.max(0, KEPT_BYTES - this.#held)));
      this.#held = Math.min(this.#held, KEPT_BYTES);
      return;
    }
    this.#append(bytes);
  }

  /** Chunks are copied: their memory belongs to whoever reads the file. */
  #append(bytes: Buffer): void {
    const needed = this.#held + bytes.length;
    if (needed > this.#carry.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * needed, this.#longest)));
      this.#carry.copy(larger, 0, 0, this.#held);
      this.#carry = larger;
    }
    bytes.copy(this.#carry, this.#held);
    this.#held = needed;
  }

  #release(): void {
    const [held, skipped, oddQuotes] = [this.#held, this.#skipping, this.#oddQuotes];
    this.#held = 0;
    this.#skipping = false;
    this.#oddQuotes = false;
    if (skipped) this.#take(this.#carry.toString('utf8', 0, held), 'too long', oddQuotes);
    else this.#emit(this.#carry, 0, held, false);
  }
}

function hasOddQuotes(bytes: Buffer): boolean {
  let odd = false;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) odd = !odd;
  return odd;
}
