// Rows in PostgreSQL's binary COPY format: nothing to escape, nothing to parse, exact to the bit.
export type CellType = 'bool' | 'bytea' | 'float8' | 'int2' | 'int4' | 'int8' | 'text';
export type Cell = boolean | number | string | Uint8Array | null;
export type Column = readonly [name: string, type: CellType];

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Flags and the length of a header extension, both zero. */
const HEADER = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
const FIXED = { bool: 1, float8: 8, int2: 2, int4: 4, int8: 8 } as const;
const MISSING = -1;
const HIGH_WORD = 2 ** 32;

export class CopyRows {
  readonly #columns: readonly Column[];
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#length = HEADER.copy(this.#bytes);
  }

  get empty(): boolean {
    return this.#length === HEADER.length;
  }

  add(cells: readonly Cell[]): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeInt16BE(this.#columns.length, this.#length);
    for (let i = 0; i < this.#columns.length; i++) this.#put(this.#columns[i]![1], cells[i] ?? null);
  }

  finish(): Buffer {
    this.#reserve(2);
    this.#length = this.#bytes.writeInt16BE(MISSING, this.#length);
    return this.#bytes.subarray(0, this.#length);
  }

  #put(type: CellType, cell: Cell): void {
    if (cell === null) {
      this.#reserve(4);
      this.#length = this.#bytes.writeInt32BE(MISSING, this.#length);
    } else if (typeof cell === 'string') this.#putText(cell);
    else if (typeof cell === 'object') this.#putBytes(cell);
    else this.#putFixed(type as keyof typeof FIXED, Number(cell));
  }

  #putText(text: string): void {
    const size = Buffer.byteLength(text);
    this.#reserve(4 + size);
    const start = this.#bytes.writeInt32BE(size, this.#length);
    this.#length = start + this.#bytes.write(text, start, 'utf8');
  }

  #putBytes(bytes: Uint8Array): void {
    this.#reserve(4 + bytes.length);
    const start = this.#bytes.writeInt32BE(bytes.length, this.#length);
    this.#bytes.set(bytes, start);
    this.#length = start + bytes.length;
  }

  #putFixed(type: keyof typeof FIXED, value: number): void {
    this.#reserve(4 + FIXED[type]);
    const start = this.#bytes.writeInt32BE(FIXED[type], this.#length);
    if (type === 'int8') {
      const high = Math.floor(value / HIGH_WORD);
      this.#bytes.writeInt32BE(high, start);
      this.#bytes.writeUInt32BE(value - high * HIGH_WORD, start + 4);
    } else if (type === 'float8') this.#bytes.writeDoubleBE(value, start);
    else this.#bytes.writeIntBE(value, start, FIXED[type]);
    this.#length = start + FIXED[type];
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
