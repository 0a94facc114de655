// Writes rows as CSV or as one JSON object a line, no faster than the reader takes them.
import type { Writable } from 'node:stream';

export type Cell = string | number | boolean | null;
export type TableRow = Readonly<Record<string, Cell>>;

export interface RowWriting {
  readonly format: 'csv' | 'ndjson';
  /** Which members are written, in this order; a row without one has null there. */
  readonly columns: readonly string[];
  /** Stays open: whoever made it ends it. */
  readonly to: Writable;
}

const BLOCK_CHARACTERS = 64 * 1024;

/** Returns how many rows were written. Fails when the stream fails or is closed by its reader. */
export async function writeRows(
  rows: AsyncIterable<TableRow>,
  { format, columns, to }: RowWriting,
): Promise<number> {
  const line = format === 'csv' ? csvLine : jsonLine;
  const stream = new WaitingStream(to);
  try {
    let block = format === 'csv' ? `${columns.map(quoted).join(',')}\n` : '';
    let count = 0;
    for await (const row of rows) {
      block += line(row, columns);
      count += 1;
      if (block.length >= BLOCK_CHARACTERS) {
        await stream.write(block);
        block = '';
      }
    }
    if (block !== '') await stream.write(block);
    return count;
  } finally {
    stream.release();
  }
}

/** Waits for each block to be taken. A stream that is destroyed may forget the write it was in, so its end is heard too. */
export class WaitingStream {
  readonly #to: Writable;
  #fail: (error: Error) => void = () => {};
  readonly #onError = (error: Error): void => this.#fail(error);
  readonly #onClose = (): void => this.#fail(new Error('the stream was closed before all rows were written'));

  constructor(to: Writable) {
    this.#to = to;
    to.on('error', this.#onError).on('close', this.#onClose);
  }

  write(block: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#to.write(block, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** A stream that failed may say so once more after its write; unheard, that would end the process. */
  release(): void {
    if (this.#to.destroyed || this.#to.errored !== null) return;
    this.#to.off('error', this.#onError).off('close', this.#onClose);
  }
}

function jsonLine(row: TableRow, columns: readonly string[]): string {
  const members = columns.map((column) => `${JSON.stringify(column)}:${JSON.stringify(cell(row, column))}`);
  return `{${members.join(',')}}\n`;
}

/** A lone empty cell is quoted: a blank line would be no row. */
function csvLine(row: TableRow, columns: readonly string[]): string {
  const line = columns.map((column) => csvCell(cell(row, column))).join(',');
  return line === '' ? '""\n' : `${line}\n`;
}

/** Nothing is empty, and an empty text is two quotes: those who look can tell them apart. */
function csvCell(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function cell(row: TableRow, column: string): Cell {
  const value = row[column] ?? null;
  // JSON has no word for it, and an absent value is null, never a number that is none.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${column} is not a finite number`);
  return value;
}
