// A long text gathered as bytes. No part of it is ever so large, or lives so long, that the collector has work with it.

/** As many characters are added up before they are written: a write costs more than to add a small piece. */
const AT_ONCE = 32 * 1024;
/** No character takes more in UTF-8. */
const MOST_BYTES = 3;

export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(2 ** 20);
  #end = 0;
  #waiting = '';

  /** The text so far ends here; what was given out of it before is overwritten. */
  clear(): void {
    this.#end = 0;
    this.#waiting = '';
  }

  add(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= AT_ONCE) this.#write();
  }

  /** All that was added, until the next `clear`. */
  all(): Buffer {
    this.#write();
    return this.#bytes.subarray(0, this.#end);
  }

  #write(): void {
    const needed = this.#end + this.#waiting.length * MOST_BYTES;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(needed * 2);
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    this.#end += this.#bytes.write(this.#waiting, this.#end);
    this.#waiting = '';
  }
}
