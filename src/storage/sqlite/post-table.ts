// How posts lie in their table: what is searched for in columns, the rest packed; stored many rows at a time.
import type { Fact, FactOf } from '../../domain/facts/fact.js';
import {
  bytesIn,
  type Cell,
  type Cells,
  type Connection,
  numberIn,
  type Statement,
  textIn,
} from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { PostPacker, unpackPost } from './post-body.js';

export const POST_COLUMNS = ['sequence', 'known_at', 'source', 'provider', 'id', 'body'] as const;

export const POST_SCHEMA = `
CREATE TABLE post(sequence INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, source INTEGER NOT NULL,
  provider INTEGER NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX post_identity ON post(provider, id);
CREATE INDEX post_known ON post(known_at);`;

export function postIn(cells: Cells, dictionaries: Dictionaries): FactOf<'post'> {
  const { names } = dictionaries;
  const { stamp, post } = unpackPost(bytesIn(cells[5]), dictionaries);
  return {
    sequence: numberIn(cells[0]),
    knownAt: numberIn(cells[1]),
    effectiveAt: stamp.effectiveAt,
    source: names.text(numberIn(cells[2])),
    backfilled: stamp.backfilled,
    body: { kind: 'post', provider: names.text(numberIn(cells[3])), id: textIn(cells[4]), ...post },
  };
}

const WIDTH = POST_COLUMNS.length;
export const ROWS_AT_ONCE = 16;

export class PostInserts {
  readonly #dictionaries: Dictionaries;
  readonly #packer = new PostPacker();
  readonly #one: Statement;
  readonly #many: Statement;
  readonly #remove: Statement;
  #cells: (Cell | ArrayBufferView)[] = [];

  constructor(connection: Connection, dictionaries: Dictionaries) {
    this.#dictionaries = dictionaries;
    const row = `(${'?, '.repeat(WIDTH - 1)}?)`;
    const into = (rows: number): Statement =>
      connection.prepare(
        `INSERT INTO post VALUES ${`${row}, `.repeat(rows - 1)}${row} ON CONFLICT (provider, id) DO NOTHING`,
      );
    this.#one = into(1);
    this.#many = into(ROWS_AT_ONCE);
    this.#remove = connection.prepare('DELETE FROM post WHERE sequence BETWEEN ? AND ?');
  }

  /** False when the archive holds the post already. */
  put(fact: FactOf<'post'>, slots: readonly number[]): boolean {
    this.#packer.clear();
    return this.#one.run(...this.#row(fact, slots)).changes > 0;
  }

  /** `ROWS_AT_ONCE` posts with sequence numbers in a row: all of them, or, when one is known already, none. */
  putAll(facts: readonly FactOf<'post'>[], slots: readonly (readonly number[])[]): boolean {
    this.#packer.clear();
    this.#cells.length = 0;
    for (let i = 0; i < facts.length; i++) this.#cells.push(...this.#row(facts[i]!, slots[i]!));
    const { changes } = this.#many.run(...this.#cells);
    if (changes === facts.length) return true;
    if (changes > 0) this.#remove.run(facts[0]!.sequence, facts.at(-1)!.sequence);
    return false;
  }

  #row(fact: Fact & FactOf<'post'>, slots: readonly number[]): (Cell | ArrayBufferView)[] {
    const { names } = this.#dictionaries;
    const { provider, id } = fact.body;
    const body = this.#packer.pack(fact, fact.body, slots, this.#dictionaries);
    return [fact.sequence, fact.knownAt, names.give(fact.source), names.give(provider), id, body];
  }
}
