// A table that can be exported: what its columns are, and how its rows are read from the archive.
import type { Instant } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Column, ColumnType } from '../../surfaces/files/write-parquet.js';
import type { Cell, TableRow } from '../../surfaces/files/write-rows.js';

export interface Table {
  readonly about: string;
  /** In the order in which they are written. */
  readonly columns: readonly Column[];
  rows(archive: ArchiveReader, from: Instant, to: Instant): AsyncIterable<TableRow>;
}

/** One row here is one place to edit: a column's name, its type (`?`: may be null), and where an item has it. */
export type ColumnOf<Item> = readonly [
  name: string,
  type: ColumnType | `${ColumnType}?`,
  value: (item: Item) => Cell,
];

/** A table with one row per item. */
export function tableOf<Item>(
  about: string,
  items: (archive: ArchiveReader, from: Instant, to: Instant) => AsyncIterable<Item>,
  columns: readonly ColumnOf<Item>[],
): Table {
  return {
    about,
    columns: columns.map(([name, type]) => {
      const nullable = type.endsWith('?');
      return { name, type: (nullable ? type.slice(0, -1) : type) as ColumnType, nullable };
    }),
    async *rows(archive, from, to) {
      for await (const item of items(archive, from, to))
        yield Object.fromEntries(columns.map(([name, , value]) => [name, value(item)]));
    },
  };
}
