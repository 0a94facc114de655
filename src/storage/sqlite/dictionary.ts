// Texts that repeat, kept once under small numbers that are given in order and never reused.
import { type Connection, numberIn, type Statement, textIn } from './connection.js';

export class Dictionary {
  readonly #insert: Statement;
  readonly #from: Statement;
  #ids = new Map<string, number>();
  #texts: string[] = [];

  constructor(connection: Connection, table: 'name' | 'ticker') {
    this.#insert = connection.prepare(`INSERT INTO ${table}(id, text) VALUES (?, ?)`);
    this.#from = connection.prepare(`SELECT id, text FROM ${table} WHERE id >= ? ORDER BY id`);
  }

  /** The writer's way in: gives the next number to a text that has none. */
  give(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#texts.length;
    this.#insert.run(id, text);
    this.#remember(id, text);
    return id;
  }

  /** The writer's view: nobody else gives numbers. */
  has(text: string): boolean {
    return this.#ids.has(text);
  }

  find(text: string): number | undefined {
    if (!this.#ids.has(text)) this.refresh();
    return this.#ids.get(text);
  }

  text(id: number): string {
    if (id >= this.#texts.length) this.refresh();
    const text = this.#texts[id];
    if (text === undefined) throw new Error(`number ${id} names nothing`);
    return text;
  }

  /** Reads what another connection has added. */
  refresh(): void {
    for (const cells of this.#from.all(this.#texts.length))
      this.#remember(numberIn(cells[0]), textIn(cells[1]));
  }

  /** Forgets numbers that were given in a transaction that failed. */
  reload(): void {
    this.#ids = new Map();
    this.#texts = [];
    this.refresh();
  }

  size(): number {
    this.refresh();
    return this.#texts.length;
  }

  entries(): ReadonlyMap<string, number> {
    this.refresh();
    return new Map(this.#ids);
  }

  #remember(id: number, text: string): void {
    this.#ids.set(text, id);
    this.#texts[id] = text;
  }
}

/** The two dictionaries of an archive: a ticker's number is its slot. */
export interface Dictionaries {
  readonly names: Dictionary;
  readonly tickers: Dictionary;
}
