// Turns lines into records: one JSON object a line, or CSV under a header.
import { CsvRecords } from './csv-records.js';
import { FactFileError } from './fact-file-error.js';
import type { RawRecord } from './fields.js';
import { type FileFormat, formatOfLine } from './file-format.js';
import type { LineFlaw } from './line-splitter.js';
import { repeatsMember } from './repeated-member.js';

export interface RecordSink {
  /** `line` is where the record begins. */
  record(record: RawRecord, line: number, text: string): void;
  refuse(line: number, reason: string, text: string): void;
}

export interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly jsonOnly?: true;
}

const BYTE_ORDER_MARK = '\uFEFF';
const FLAWS: Readonly<Record<LineFlaw, string>> = {
  'too long': 'the line is longer than 1 MiB',
  'not UTF-8': 'the line is not UTF-8',
};

export class RecordReader {
  readonly #columns: Columns;
  readonly #sink: RecordSink;
  readonly #csv: CsvRecords;
  readonly #named: FileFormat | null;
  #format: FileFormat | null = null;
  #header: Header | null = null;
  #lines = 0;

  /** `named` is the format by the name of the file; null where the first line has to tell it. */
  constructor(columns: Columns, sink: RecordSink, named: FileFormat | null) {
    this.#columns = columns;
    this.#named = named;
    this.#sink = sink;
    this.#csv = new CsvRecords({
      record: (fields, line, text) => this.#csvRecord(fields, line, text),
      refuse: (line, reason, text) => {
        if (this.#header === null)
          throw new FactFileError(`line ${line}: the header cannot be read: ${reason}`);
        sink.refuse(line, reason, text);
      },
    });
  }

  /** Lines seen so far, blank ones too. */
  get lines(): number {
    return this.#lines;
  }

  line(raw: string, flaw: LineFlaw | null, oddQuotes: boolean): void {
    this.#lines += 1;
    const text = this.#lines === 1 && raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(1) : raw;
    if (this.#format === null) {
      if (flaw === null && isBlank(text)) return;
      this.#format = this.#named ?? formatOfLine(text);
      if (this.#format === 'csv' && this.#columns.jsonOnly)
        throw new FactFileError('such records do not fit into CSV; write one JSON object a line');
    }
    if (this.#format === 'csv') this.#csv.line(text, this.#lines, flaw, oddQuotes);
    else this.#json(text, flaw);
  }

  end(): void {
    this.#csv.end(this.#lines);
  }

  #json(text: string, flaw: LineFlaw | null): void {
    if (flaw !== null) {
      this.#sink.refuse(this.#lines, FLAWS[flaw], text);
      return;
    }
    if (isBlank(text)) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#sink.refuse(this.#lines, 'the line is not JSON', text);
      return;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.#sink.refuse(this.#lines, 'the line is not a JSON object', text);
    else if (repeatsMember(text, value)) this.#sink.refuse(this.#lines, 'a member is named twice', text);
    else this.#sink.record(value as RawRecord, this.#lines, text);
  }

  #csvRecord(fields: readonly string[], line: number, text: string): void {
    if (this.#header === null) {
      this.#header = readHeader(fields, line, this.#columns);
      return;
    }
    const { width, names, positions } = this.#header;
    if (fields.length !== width) {
      const reason = `the record has ${fields.length} fields, the header has ${width}`;
      this.#sink.refuse(line, reason, text);
      return;
    }
    const record: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) record[names[i]!] = fields[positions[i]!];
    this.#sink.record(record, line, text);
  }
}

interface Header {
  readonly width: number;
  /** The columns we know, and where they stand. */
  readonly names: readonly string[];
  readonly positions: readonly number[];
}

/** A header that lacks a column would refuse every line for one reason; it is said once instead. */
function readHeader(fields: readonly string[], line: number, columns: Columns): Header {
  const written = fields.map((field) => field.trim().toLowerCase());
  if (written.some((name) => name.includes('\0')))
    throw new FactFileError('the file is neither UTF-8 text nor gzip');
  const missing = columns.required.filter((name) => !written.includes(name));
  if (missing.length > 0) throw new FactFileError(`line ${line}: the header lacks ${missing.join(', ')}`);
  const names = [...columns.required, ...columns.optional].filter((name) => written.includes(name));
  const twice = names.filter((name) => written.indexOf(name) !== written.lastIndexOf(name));
  if (twice.length > 0) throw new FactFileError(`line ${line}: the header names ${twice.join(', ')} twice`);
  return { width: fields.length, names, positions: names.map((name) => written.indexOf(name)) };
}

function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 32 && text.trim() === '');
}
