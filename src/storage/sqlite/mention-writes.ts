// Keeps the list of posts per ticker. A large batch would touch a page of it for every ticker it names, so those
// mentions wait in a plain log in the same transaction, and are sorted into the list many at a time.
import { type Connection, numberIn, type Statement } from './connection.js';

/** Mentions of a batch from which on it pays to let them wait. */
const LARGE_BATCH = 256;
const LONGEST_LOG = 16_384;
const CELLS = 4;
const ROWS_AT_ONCE = 32;

export class MentionWrites {
  readonly #insert: Readonly<
    Record<'mention' | 'mention_log', { readonly one: Statement; readonly many: Statement }>
  >;
  readonly #sortIn: Statement;
  readonly #clearLog: Statement;
  readonly #countLog: Statement;
  /** Of the present transaction: ticker, known_at, sequence and source, one after the other. */
  #pending: number[] = [];
  #logged = 0;

  constructor(connection: Connection) {
    const inserts = (table: string): { readonly one: Statement; readonly many: Statement } => {
      const into = `INSERT INTO ${table} VALUES (?, ?, ?, ?)`;
      const more = ', (?, ?, ?, ?)'.repeat(ROWS_AT_ONCE - 1);
      return { one: connection.prepare(into), many: connection.prepare(into + more) };
    };
    this.#insert = { mention: inserts('mention'), mention_log: inserts('mention_log') };
    this.#sortIn = connection.prepare(
      'INSERT INTO mention SELECT ticker, known_at, sequence, source FROM mention_log ORDER BY 1, 2, 3',
    );
    this.#clearLog = connection.prepare('DELETE FROM mention_log');
    this.#countLog = connection.prepare('SELECT count(*) FROM mention_log');
    this.reload();
  }

  put(slot: number, knownAt: number, sequence: number, source: number): void {
    this.#pending.push(slot, knownAt, sequence, source);
  }

  /** Writes what was put since the last time; the last step of a transaction. */
  finish(): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const rows = pending.length / CELLS;
    if (rows < LARGE_BATCH) {
      this.settle();
      this.#write('mention', pending);
      return;
    }
    this.#write('mention_log', pending);
    this.#logged += rows;
    if (this.#logged > LONGEST_LOG) this.settle();
  }

  /** Sorts the log into the list. Readers rely on it that the list holds nothing newer than the log. */
  settle(): void {
    if (this.#logged === 0) return;
    this.#sortIn.run();
    this.#clearLog.run();
    this.#logged = 0;
  }

  /** Reads again what the memory of a failed transaction may have got wrong. */
  reload(): void {
    this.#pending = [];
    this.#logged = numberIn(this.#countLog.get()?.[0]);
  }

  #write(table: 'mention' | 'mention_log', cells: readonly number[]): void {
    const { one, many } = this.#insert[table];
    const together = ROWS_AT_ONCE * CELLS;
    let start = 0;
    for (; start + together <= cells.length; start += together)
      many.run(...cells.slice(start, start + together));
    for (; start < cells.length; start += CELLS) one.run(...cells.slice(start, start + CELLS));
  }
}
