// Reads CSV as RFC 4180 writes it, line by line: quotes, doubled quotes, and records that go on over several lines.
import { type LineFlaw, LONGEST_LINE } from './line-splitter.js';

export interface CsvSink {
  record(fields: readonly string[], line: number, text: string): void;
  refuse(line: number, reason: string, text: string): void;
}

const TOO_LONG = 'the record is longer than 1 MiB';

/**
 * A record that is faulty or too long is refused as a whole and reading goes on after it.
 * Its lines are never read again as records of their own: what stands inside quotes is somebody's text.
 */
export class CsvRecords {
  readonly #sink: CsvSink;
  #mode: 'between' | 'quoted' | 'skipping' = 'between';
  #fields: string[] = [];
  /** What the open quoted field holds so far, and the record's own text. */
  #field = '';
  #text = '';
  #firstLine = 0;
  #encoded = true;

  constructor(sink: CsvSink) {
    this.#sink = sink;
  }

  /** A record that is still open has taken in the rest of the file: where its quote was to end, nobody can tell. */
  end(lastLine: number): void {
    if (this.#mode === 'between') return;
    this.#mode = 'between';
    this.#refuse(`a quoted field does not end, so nothing is read from here to line ${lastLine}, the last`);
  }

  line(text: string, line: number, flaw: LineFlaw | null, oddQuotes: boolean): void {
    if (this.#mode === 'skipping') {
      this.#skip(flaw === 'too long' ? oddQuotes : quotesAreOdd(text));
      return;
    }
    const quoted = this.#mode === 'quoted';
    if (!quoted) {
      if (flaw === null && !text.includes('"')) {
        if (text.trim() !== '') this.#sink.record(withoutReturn(text).split(','), line, text);
        return;
      }
      this.#firstLine = line;
      this.#fields = [];
      this.#text = '';
      this.#encoded = true;
    }
    if (flaw === 'too long' || this.#text.length + text.length > LONGEST_LINE) {
      this.#text ||= text;
      this.#field = '';
      this.#mode = quoted ? 'skipping' : 'between';
      this.#skip(flaw === 'too long' ? oddQuotes : quotesAreOdd(text));
      return;
    }
    this.#text = quoted ? `${this.#text}\n${text}` : text;
    if (flaw === 'not UTF-8') this.#encoded = false;
    this.#parse(text, quoted);
  }

  #parse(text: string, quoted: boolean): void {
    let at = quoted ? this.#quotedField(text, 0) : this.#nextField(text, 0);
    while (at >= 0 && text[at] === ',') at = this.#nextField(text, at + 1);
    if (at === OPEN) {
      this.#mode = 'quoted';
      return;
    }
    this.#mode = 'between';
    if (at === STRAY) this.#refuse('a quote stands inside a field that is not quoted');
    else if (at !== withoutReturn(text).length && at !== text.length)
      this.#refuse('text follows a closing quote');
    else if (!this.#encoded) this.#refuse('the record is not UTF-8');
    else this.#sink.record(this.#fields, this.#firstLine, this.#text);
    this.#text = '';
  }

  /** The position after the field, `OPEN` when the line ends inside its quotes, or `STRAY`. */
  #nextField(text: string, at: number): number {
    if (text[at] === '"') {
      this.#field = '';
      return this.#quotedField(text, at + 1);
    }
    const comma = text.indexOf(',', at);
    const field = comma < 0 ? withoutReturn(text.slice(at)) : text.slice(at, comma);
    if (field.includes('"')) return STRAY;
    this.#fields.push(field);
    return comma < 0 ? text.length : comma;
  }

  #quotedField(text: string, from: number): number {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      if (quote < 0) {
        this.#field += `${text.slice(at)}\n`;
        return OPEN;
      }
      if (text[quote + 1] !== '"') {
        this.#fields.push(this.#field + text.slice(at, quote));
        this.#field = '';
        return quote + 1;
      }
      this.#field += text.slice(at, quote + 1);
      at = quote + 2;
    }
  }

  /** Quotes open and close, and a doubled one does both: the parity of a line tells on which side it ends. */
  #skip(oddQuotes: boolean): void {
    const inside = (this.#mode === 'skipping') !== oddQuotes;
    if (inside) {
      this.#mode = 'skipping';
      return;
    }
    this.#mode = 'between';
    this.#refuse(TOO_LONG);
    this.#text = '';
  }

  #refuse(reason: string): void {
    this.#sink.refuse(this.#firstLine, reason, this.#text);
  }
}

const OPEN = -1;
const STRAY = -2;

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function quotesAreOdd(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}
