// A table that can be exported: what its columns are, and how its rows are read from the archive.
import type { Instant } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Column } from '../../surfaces/files/write-parquet.js';
import type { TableRow } from '../../surfaces/files/write-rows.js';

export interface Table {
  readonly about: string;
  /** In the order in which they are written. */
  readonly columns: readonly Column[];
  rows(archive: ArchiveReader, from: Instant, to: Instant): AsyncIterable<TableRow>;
}
