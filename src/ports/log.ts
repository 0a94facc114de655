// The transparency log: statements in, and the hashes of the Merkle tree over them out. Part of the archive.
import type { Stated, Statement, StatementQuery } from '../domain/facts/statement.js';
import type { Instant } from '../kernel/instant.js';
import type { TreePlace } from '../kernel/tree-proofs.js';

export interface LogReader {
  /** How many leaves were known by the instant. */
  logSize(knownBy: Instant): Promise<number>;
  /** The leaf at a place; null beyond the end. */
  leaf(index: number): Promise<Stated | null>;
  /** In ascending order of their places. */
  statements(query: StatementQuery): Promise<readonly Stated[]>;
  /** The text kept beside a leaf; null where there is none. */
  attachment(index: number): Promise<string | null>;
  /** Hashes of complete subtrees, in the order asked; a place that is not complete is an error. */
  treeHashes(places: readonly TreePlace[]): Promise<readonly Buffer[]>;
  /** Up to `count` neighbouring complete subtrees of one level, for tiles. */
  treeRow(level: number, from: number, count: number): Promise<readonly Buffer[]>;
}

export interface LogWriter extends LogReader {
  /** All in one transaction, stamped as what arrives live; each takes a place in the sequence of the archive. */
  state(statements: readonly Statement[]): Promise<readonly Stated[]>;
}
