// Sums of many columns, each against the same values: four columns at a time, whose sums do not wait for one another.

/** Columns are laid out in blocks of four, and inside a block row by row; the last block may have empty columns. */
export const BLOCK = 4;

/** How many columns the blocks hold that `columns` fit into. */
export function blocked(columns: number): number {
  return Math.ceil(columns / BLOCK) * BLOCK;
}

/** Where a column begins; its rows follow at a distance of `BLOCK`. */
export function columnStart(column: number, rows: number): number {
  return (column - (column % BLOCK)) * rows + (column % BLOCK);
}

/** Writes the sum of rows times values of every column; each sum runs from the first row to the last. */
export function columnSums(
  into: Float64Array,
  columns: Float64Array,
  values: Float64Array,
  rows: number,
): void {
  for (let c = 0, at = 0; c < into.length; c += BLOCK) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let r = 0; r < rows; r += 1, at += BLOCK) {
      const value = values[r]!;
      first += columns[at]! * value;
      second += columns[at + 1]! * value;
      third += columns[at + 2]! * value;
      fourth += columns[at + 3]! * value;
    }
    into[c] = first;
    into[c + 1] = second;
    into[c + 2] = third;
    into[c + 3] = fourth;
  }
}
