// Writes rows as Parquet, one row group after the other, so that a table of any length takes the memory of one group.
import type { Writable } from 'node:stream';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type Cell, cell, type TableRow, WaitingStream } from './write-rows.js';

export type ColumnType = 'string' | 'double' | 'int32' | 'int64' | 'boolean';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Without this, a row that has nothing here is a fault. */
  readonly nullable?: boolean;
}

export interface ParquetWriting {
  readonly columns: readonly Column[];
  /** Stays open: whoever made it ends it. */
  readonly to: Writable;
  readonly groupRows?: number;
}

/** Large enough that readers skip well and the footer stays small, small enough to hold as JavaScript values. */
const GROUP_ROWS = 32_768;
/** Long texts close a group early: rows alone would not bound the memory. */
const GROUP_CHARACTERS = 16 * 1024 * 1024;

/** Returns how many rows were written. Fails when the stream fails, or when a value is not of its column's type. */
export async function writeParquet(
  rows: AsyncIterable<TableRow>,
  { columns, to, groupRows = GROUP_ROWS }: ParquetWriting,
): Promise<number> {
  const stream = new WaitingStream(to);
  try {
    const parquet = new ParquetWriter({ writer: new StreamedBytes(stream), schema: schemaOf(columns) });
    let group = emptyGroup(columns);
    let count = 0;
    let inGroup = 0;
    let characters = 0;
    const close = async (): Promise<void> => {
      const columnData = columns.map(({ name }, i) => ({ name, data: group[i]! }));
      await parquet.write({ columnData, rowGroupSize: inGroup });
      group = emptyGroup(columns);
      inGroup = 0;
      characters = 0;
    };
    for await (const row of rows) {
      for (const [i, column] of columns.entries()) {
        const value = stored(cell(row, column.name), column);
        if (typeof value === 'string') characters += value.length;
        group[i]!.push(value);
      }
      count += 1;
      inGroup += 1;
      if (inGroup >= groupRows || characters >= GROUP_CHARACTERS) await close();
    }
    if (inGroup > 0) await close();
    await parquet.finish();
    return count;
  } finally {
    stream.release();
  }
}

/** Hands over what it holds after each row group; the writer waits for it before it encodes the next one. */
class StreamedBytes extends ByteWriter {
  readonly #stream: WaitingStream;

  constructor(stream: WaitingStream) {
    super(1024 * 1024);
    this.#stream = stream;
  }

  async flush(): Promise<void> {
    if (this.index === 0) return;
    // A copy: a stream may keep the bytes after it has taken them, and the buffer is used again.
    const bytes = this.getBytes().slice();
    this.index = 0;
    await this.#stream.write(bytes);
  }

  override async finish(): Promise<void> {
    await this.flush();
  }
}

const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  double: { type: 'DOUBLE' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, type, nullable }): SchemaElement => ({
        name,
        ...ELEMENTS[type],
        repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
      }),
    ),
  ];
}

type Stored = string | number | bigint | boolean | null;

function emptyGroup(columns: readonly Column[]): Stored[][] {
  return columns.map(() => []);
}

const INT32_END = 2 ** 31;

/** Checked here, because the encoder would wrap a number that is too large and take any value for any type. */
function stored(value: Cell, { name, type, nullable }: Column): Stored {
  if (value === null) {
    if (nullable) return null;
    throw new RangeError(`${name} is empty`);
  }
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'double':
      if (typeof value === 'number') return value;
      break;
    case 'int32':
      if (Number.isInteger(value) && Math.abs(value as number) < INT32_END) return value;
      break;
    case 'int64':
      if (Number.isSafeInteger(value)) return BigInt(value as number);
      break;
  }
  throw new RangeError(`${name} is not of the type ${type}`);
}
