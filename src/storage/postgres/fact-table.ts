// What a table of facts must be able to do: its columns, and the way there and back.
import type { BodyOf, FactKind, Report } from '../../domain/facts/fact.js';
import type { Cell, Column } from './binary-copy.js';
import type { Names, Numbers } from './names.js';

/** A row as the driver gives it; the table's columns say what it holds. */
export type Row = Readonly<Record<string, Cell>>;

export interface FactTable<K extends FactKind> {
  readonly table: string;
  /** Behind those of the stamp. */
  readonly columns: readonly Column[];
  cells(body: BodyOf<K>, numbers: Numbers): readonly Cell[];
  body(row: Row, names: Names): BodyOf<K>;
  /** The columns of the natural key, which the versions of one thing have in common. Posts have no versions. */
  readonly key: readonly Column[];
  keyCells(report: Report<BodyOf<K>>, numbers: Numbers): readonly (number | string)[];
}

export const SLOT: Column = ['slot', 'int4'];
