// Writes facts into the tables of their kinds, each only if the archive does not hold it already.
import type { BodyOf, Fact, FactOf, Report, Stamp } from '../../domain/facts/fact.js';
import type { Instant } from '../../kernel/instant.js';
import { repeats, type Stamping, type Version } from '../stamping.js';
import { requireStorable } from '../storable.js';
import { type Cell, type Connection, numberIn, type Statement } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { factColumns, factIn } from './fact-reads.js';
import { KIND_TABLES, STAMP_COLUMNS, type VersionedKind } from './kind-tables.js';
import type { MentionWrites } from './mention-writes.js';
import { POST_TABLE } from './post-table.js';

/** Prepared for one kind: its insert, and all stored versions of a natural key. */
interface KindStatements {
  readonly insert: Statement;
  readonly versions: Statement;
  /** Where the parts of the natural key stand among the cells of a row. */
  readonly keyCells: readonly number[];
}

const insertInto = (table: string, width: number): string =>
  `INSERT INTO ${table} VALUES (${'?, '.repeat(width - 1)}?)`;

export class FactWrites {
  readonly #connection: Connection;
  readonly #dictionaries: Dictionaries;
  readonly #kinds = new Map<VersionedKind, KindStatements>();
  readonly #seenPost: Statement;
  readonly #insertPost: Statement;
  readonly #mentions: MentionWrites;
  readonly #insertStart: Statement;
  readonly #allStarts: Statement;
  #starts = new Map<string, Instant>();

  constructor(connection: Connection, dictionaries: Dictionaries, mentions: MentionWrites) {
    this.#connection = connection;
    this.#dictionaries = dictionaries;
    this.#mentions = mentions;
    const width = STAMP_COLUMNS.length + POST_TABLE.columns.length;
    this.#seenPost = connection.prepare('SELECT 1 FROM post WHERE provider = ? AND id = ?');
    this.#insertPost = connection.prepare(
      `${insertInto('post', width)} ON CONFLICT (provider, id) DO NOTHING`,
    );
    this.#insertStart = connection.prepare(insertInto('source_start', 3));
    this.#allStarts = connection.prepare('SELECT source, min(known_at) FROM source_start GROUP BY source');
    this.reload();
  }

  /** Reads again what the memory of a failed transaction may have got wrong. */
  reload(): void {
    const { names } = this.#dictionaries;
    const rows = this.#allStarts.all();
    this.#starts = new Map(rows.map((cells) => [names.text(numberIn(cells[0])), numberIn(cells[1])]));
  }

  /** The stamped fact, or null when the archive holds it already. */
  write(report: Report, stamping: Stamping): Fact | null {
    requireStorable(report);
    const stamp = stamping.propose(report);
    const { sequence, knownAt, effectiveAt, source, backfilled } = stamp;
    const fact: Fact = { sequence, knownAt, effectiveAt, source, backfilled, body: report.body };
    const isNew = isPost(fact) ? this.#writePost(fact) : this.#writeVersion(report, stamp);
    if (!isNew) return null;
    stamping.accept(stamp);
    if (fact.body.kind === 'post' || fact.body.kind === 'count') this.#noteStart(stamp);
    return fact;
  }

  #writePost(fact: FactOf<'post'>): boolean {
    const { tickers, names } = this.#dictionaries;
    // A slot is for ever, so a ticker that is new must not come from a post that is not.
    const namesNew = fact.body.mentions.some((mention) => !tickers.has(mention.ticker));
    if (namesNew && this.#seenPost.get(names.give(fact.body.provider), fact.body.id) !== undefined)
      return false;
    const slots = fact.body.mentions.map((mention) => tickers.give(mention.ticker));
    if (!POST_TABLE.insert(this.#insertPost, fact, fact.body, slots, this.#dictionaries)) return false;
    const source = names.give(fact.source);
    // A post that names a ticker twice is one post about it.
    for (const slot of slots.length > 1 ? new Set(slots) : slots) {
      this.#mentions.put(slot, fact.knownAt, fact.sequence, source);
    }
    return true;
  }

  #writeVersion(report: Report, stamp: Stamp): boolean {
    const body = report.body as BodyOf<VersionedKind>;
    const { insert, versions, keyCells } = this.#prepared(body.kind);
    const cells = [...this.#stampCells(stamp), ...write(body, this.#dictionaries)];
    const stored: Version[] = versions
      .all(...keyCells.map((i) => cells[i]!))
      .map((row) => factIn(body.kind, row, this.#dictionaries));
    if (repeats(report, stored)) return false;
    insert.run(...cells);
    return true;
  }

  #noteStart({ source, knownAt, sequence }: Stamp): void {
    const first = this.#starts.get(source);
    if (first !== undefined && first <= knownAt) return;
    this.#insertStart.run(this.#dictionaries.names.give(source), sequence, knownAt);
    this.#starts.set(source, knownAt);
  }

  #stampCells({ sequence, knownAt, effectiveAt, source, backfilled }: Stamp): Cell[] {
    return [sequence, knownAt, effectiveAt, this.#dictionaries.names.give(source), backfilled ? 1 : 0];
  }

  #prepared(kind: VersionedKind): KindStatements {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const { table, columns, key } = KIND_TABLES[kind];
    const all = [...STAMP_COLUMNS, ...columns.map(({ name }) => name)];
    const where = key.map((name) => `f.${name} = ?`).join(' AND ');
    const made: KindStatements = {
      insert: this.#connection.prepare(insertInto(table, all.length)),
      versions: this.#connection.prepare(
        `SELECT ${factColumns(kind)} FROM ${table} f WHERE ${where} ORDER BY f.sequence`,
      ),
      keyCells: key.map((name) => all.indexOf(name)),
    };
    this.#kinds.set(kind, made);
    return made;
  }
}

const isPost = (fact: Fact): fact is FactOf<'post'> => fact.body.kind === 'post';

/** The table of a kind takes bodies of that kind; the checker cannot follow the pair through the lookup. */
function write(body: BodyOf<VersionedKind>, dictionaries: Dictionaries): Cell[] {
  const table = KIND_TABLES[body.kind] as {
    write(body: BodyOf<VersionedKind>, dictionaries: Dictionaries): Cell[];
  };
  return table.write(body, dictionaries);
}
