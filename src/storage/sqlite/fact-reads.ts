// Reads facts of one kind in the order of knowledge, a bounded batch at a time.
import { setImmediate } from 'node:timers/promises';
import type { Fact, FactBody, FactKind, FactOf } from '../../domain/facts/fact.js';
import type { Knowledge } from '../../domain/facts/knowledge.js';
import { EARLIEST, type Instant } from '../../kernel/instant.js';
import { type Cells, type Connection, numberIn, type Statement } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { KIND_TABLES, STAMP_COLUMNS } from './kind-tables.js';
import { POST_COLUMNS, postIn } from './post-table.js';

const READ_BATCH = 2_000;
/** Batches. */
const LONG_SCAN = 20;

/** The columns of a fact of this kind, as `factIn` expects them. */
export function factColumns(kind: FactKind): string {
  const columns =
    kind === 'post' ? POST_COLUMNS : [...STAMP_COLUMNS, ...KIND_TABLES[kind].columns.map(({ name }) => name)];
  return columns.map((name) => `f.${name}`).join(', ');
}

export function factIn<K extends FactKind>(kind: K, cells: Cells, dictionaries: Dictionaries): FactOf<K> {
  if (kind === 'post') return postIn(cells, dictionaries) as FactOf<K>;
  const table = KIND_TABLES[kind as Exclude<K, 'post'>];
  const body: FactBody = table.read(cells.slice(STAMP_COLUMNS.length), dictionaries);
  const fact: Fact = {
    sequence: numberIn(cells[0]),
    knownAt: numberIn(cells[1]),
    effectiveAt: numberIn(cells[2]),
    source: dictionaries.names.text(numberIn(cells[3])),
    backfilled: cells[4] === 1,
    body,
  };
  return fact as FactOf<K>;
}

/** The bounds of a read, with the sequence pinned: what is appended while it goes on stays out of its sight. */
export interface Bounds {
  readonly after: Instant;
  readonly knownBy: Instant;
  readonly upToSequence: number;
}

export function boundsOf({ knownBy, after, upToSequence }: Knowledge, highWater: number): Bounds {
  return {
    after: after ?? EARLIEST - 1,
    knownBy,
    upToSequence: Math.min(upToSequence ?? highWater, highWater),
  };
}

const select = (kind: FactKind): string =>
  `SELECT ${factColumns(kind)} FROM ${kind} f INDEXED BY ${kind}_known`;

// The plus signs keep the planner on the index of known_at, whose order is the order of the answer.
export const laterSql = (kind: FactKind): string =>
  `${select(kind)} WHERE f.known_at > ? AND f.known_at <= ? AND +f.sequence <= ? ORDER BY f.known_at, f.sequence LIMIT ?`;
export const sameInstantSql = (kind: FactKind): string =>
  `${select(kind)} WHERE f.known_at = ? AND f.sequence > ? AND +f.sequence <= ? ORDER BY f.sequence LIMIT ?`;

export class FactReads {
  readonly #connection: Connection;
  readonly #dictionaries: Dictionaries;
  readonly #statements = new Map<FactKind, { readonly later: Statement; readonly sameInstant: Statement }>();

  constructor(connection: Connection, dictionaries: Dictionaries) {
    this.#connection = connection;
    this.#dictionaries = dictionaries;
  }

  async *facts<K extends FactKind>(kind: K, bounds: Bounds): AsyncGenerator<readonly FactOf<K>[]> {
    const { later, sameInstant } = this.#prepared(kind);
    const { knownBy, upToSequence } = bounds;
    let { after } = bounds;
    // The rest of an instant is asked for by itself: an index seek, however many facts were released together.
    let cutAt: Cells | undefined;
    for (let batches = 1; ; batches++) {
      const rows: Cells[] =
        cutAt === undefined ? [] : sameInstant.all(cutAt[1]!, cutAt[0]!, upToSequence, READ_BATCH);
      if (rows.length < READ_BATCH) {
        if (cutAt !== undefined) after = numberIn(cutAt[1]);
        rows.push(...later.all(after, knownBy, upToSequence, READ_BATCH - rows.length));
      }
      if (rows.length > 0) yield rows.map((cells) => factIn(kind, cells, this.#dictionaries));
      if (rows.length < READ_BATCH) {
        // A long scan leaves pages behind that nobody will ask for again.
        if (batches >= LONG_SCAN) this.#connection.exec('PRAGMA shrink_memory');
        return;
      }
      cutAt = rows.at(-1);
      // The driver is synchronous: other work gets its turn between batches.
      await setImmediate();
    }
  }

  #prepared(kind: FactKind): { readonly later: Statement; readonly sameInstant: Statement } {
    const known = this.#statements.get(kind);
    if (known !== undefined) return known;
    const made = {
      later: this.#connection.prepare(laterSql(kind)),
      sameInstant: this.#connection.prepare(sameInstantSql(kind)),
    };
    this.#statements.set(kind, made);
    return made;
  }
}
