// Writes facts into the tables of their kinds, each only if the archive does not hold it already.
import type { BodyOf, Fact, FactBody, FactOf, Report, Stamp } from '../../domain/facts/fact.js';
import type { Post } from '../../domain/facts/post.js';
import type { Instant } from '../../kernel/instant.js';
import { repeats, type Stamping, type Version } from '../stamping.js';
import { requireStorable } from '../storable.js';
import { type Cell, type Connection, numberIn, type Statement } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { factColumns, factIn } from './fact-reads.js';
import { KIND_TABLES, STAMP_COLUMNS, type VersionedKind } from './kind-tables.js';
import type { MentionWrites } from './mention-writes.js';
import { PostInserts, ROWS_AT_ONCE } from './post-table.js';

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
  readonly #posts: PostInserts;
  readonly #mentions: MentionWrites;
  readonly #insertStart: Statement;
  readonly #allStarts: Statement;
  #starts = new Map<string, Instant>();

  constructor(connection: Connection, dictionaries: Dictionaries, mentions: MentionWrites) {
    this.#connection = connection;
    this.#dictionaries = dictionaries;
    this.#mentions = mentions;
    this.#seenPost = connection.prepare('SELECT 1 FROM post WHERE provider = ? AND id = ?');
    this.#posts = new PostInserts(connection, dictionaries);
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

  /** The reports that the archive did not hold, stamped, in their order. */
  writeAll(reports: readonly Report[], stamping: Stamping): Fact[] {
    const facts: Fact[] = [];
    for (let next = 0; next < reports.length; next += ROWS_AT_ONCE) {
      const few = reports.slice(next, next + ROWS_AT_ONCE);
      if (this.#writeTogether(few, stamping, facts)) continue;
      for (const report of few) {
        const fact = this.#write(report, stamping);
        if (fact !== null) facts.push(fact);
      }
    }
    return facts;
  }

  /** Most posts are new, and new ones are stored several at a time; false when these must be looked at one by one. */
  #writeTogether(reports: readonly Report[], stamping: Stamping, facts: Fact[]): boolean {
    if (reports.length < ROWS_AT_ONCE || !reports.every(isPostReport)) return false;
    const { tickers } = this.#dictionaries;
    if (!reports.every(({ body }) => body.mentions.every(({ ticker }) => tickers.has(ticker)))) return false;
    const before = stamping.tail;
    const posts = reports.map((report) => {
      requireStorable(report);
      return stamped(stamping.stamp(report), report.body);
    });
    const slots = posts.map(({ body }) => body.mentions.map(({ ticker }) => tickers.give(ticker)));
    if (!this.#posts.putAll(posts, slots)) {
      stamping.rewind(before);
      return false;
    }
    posts.forEach((fact, i) => {
      this.#noteMentions(fact, slots[i]!);
      this.#noteStart(fact);
      facts.push(fact);
    });
    return true;
  }

  /** The stamped fact, or null when the archive holds it already. */
  #write(report: Report, stamping: Stamping): Fact | null {
    requireStorable(report);
    const stamp = stamping.propose(report);
    const fact: Fact = stamped(stamp, report.body);
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
    if (!this.#posts.put(fact, slots)) return false;
    this.#noteMentions(fact, slots);
    return true;
  }

  /** A post that names a ticker twice is one post about it. */
  #noteMentions({ source, knownAt, sequence }: Stamp, slots: readonly number[]): void {
    const number = this.#dictionaries.names.give(source);
    for (const slot of slots.length > 1 ? new Set(slots) : slots) {
      this.#mentions.put(slot, knownAt, sequence, number);
    }
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
const isPostReport = (report: Report): report is Report<Post> => report.body.kind === 'post';

/** Written out: a spread of the stamp costs more than the rest of it. */
function stamped<B extends FactBody>(stamp: Stamp, body: B): Fact<B> {
  const { sequence, knownAt, effectiveAt, source, backfilled } = stamp;
  return { sequence, knownAt, effectiveAt, source, backfilled, body };
}

/** The table of a kind takes bodies of that kind; the checker cannot follow the pair through the lookup. */
function write(body: BodyOf<VersionedKind>, dictionaries: Dictionaries): Cell[] {
  const table = KIND_TABLES[body.kind] as {
    write(body: BodyOf<VersionedKind>, dictionaries: Dictionaries): Cell[];
  };
  return table.write(body, dictionaries);
}
