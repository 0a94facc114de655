// One connection to an SQLite file: rows as arrays of cells, transactions that leave nothing behind when they fail.
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

export type Cell = string | number | null | Uint8Array;
export type Cells = readonly Cell[];

export interface Statement {
  /** Any view of bytes is stored as a blob. */
  run(...values: (Cell | ArrayBufferView)[]): { readonly changes: number };
  get(...values: Cell[]): Cells | undefined;
  all(...values: Cell[]): Cells[];
}

/** How long a connection waits for another one's lock; every transaction here is much shorter. */
const BUSY_MS = 5_000;

/** `read still` is for a file that nobody has open: nothing is locked, and no file is made beside it. */
export type Access = 'write' | 'read' | 'read still';

function stillAddress(file: string): URL {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return address;
}

/**
 * The driver offers no way to finalise a statement: it goes when it is collected, and a closed file with it. So
 * statements are prepared once, and nothing may depend on the moment in which a file is really closed.
 */
export class Connection {
  readonly #database: InstanceType<typeof DatabaseSync>;
  readonly #prepared = new Map<string, Statement>();

  constructor(file: string, access: Access = 'write') {
    this.#database = new DatabaseSync(access === 'read still' ? stillAddress(file) : file, {
      readOnly: access !== 'write',
      returnArrays: true,
      timeout: BUSY_MS,
      enableForeignKeyConstraints: true,
    });
  }

  /** The same text gives the same statement; texts must come from a small set. */
  prepare(sql: string): Statement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql) as unknown as Statement;
    this.#prepared.set(sql, made);
    return made;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Takes the write lock first, so that what was read inside cannot have changed by the time it is written. */
  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // Some faults, such as a full disk, have rolled back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }
}

/** SQLITE_BUSY: another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

/** A fault of the engine or the disk, as opposed to one of the caller. */
export function isEngineFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

export const numberIn = (cell: Cell | undefined): number => cell as number;
export const textIn = (cell: Cell | undefined): string => cell as string;
export const bytesIn = (cell: Cell | undefined): Uint8Array => cell as Uint8Array;
