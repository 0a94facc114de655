// The small numbers that stand for sources and tickers in the tables; once given they never change.
import { copyInto } from './copy.js';
import { run, type Sql } from './driver.js';

/** From numbers to names. */
export interface Names {
  source(id: number): string;
  ticker(slot: number): string;
}

/** From names to numbers. */
export interface Numbers {
  sourceId(name: string): number;
  slotOf(ticker: string): number;
}

/** Thrown when a row uses a number that was given after the book was last read. */
class UnknownNumber extends Error {}

export class NameBook implements Names {
  readonly sources = new Map<string, number>();
  readonly slots = new Map<string, number>();
  readonly #sourceNames: string[] = [];
  readonly #tickers: string[] = [];

  source(id: number): string {
    return this.#sourceNames[id] ?? unknown();
  }

  ticker(slot: number): string {
    return this.#tickers[slot] ?? unknown();
  }

  learnSource(id: number, name: string): void {
    this.sources.set(name, id);
    this.#sourceNames[id] = name;
  }

  learnSlot(slot: number, ticker: string): void {
    this.slots.set(ticker, slot);
    this.#tickers[slot] = ticker;
  }

  async refresh(sql: Sql): Promise<void> {
    const sources = await run<{ id: number; name: string }>(
      sql,
      'SELECT id, name FROM barograph.sources WHERE id >= $1 ORDER BY id',
      [this.sources.size],
    );
    const slots = await run<{ slot: number; ticker: string }>(
      sql,
      'SELECT slot, ticker FROM barograph.slots WHERE slot >= $1 ORDER BY slot',
      [this.slots.size],
    );
    for (const { id, name } of sources) this.learnSource(id, name);
    for (const { slot, ticker } of slots) this.learnSlot(slot, ticker);
  }

  /** Decodes, and once more after a look at the tables when a number was new. */
  async decode<T>(sql: Sql, decode: (names: Names) => T): Promise<T> {
    try {
      return decode(this);
    } catch (error) {
      if (!(error instanceof UnknownNumber)) throw error;
      await this.refresh(sql);
      return decode(this);
    }
  }
}

/** Numbers given within one transaction; the book learns them only after the commit. */
export class NameDraft implements Numbers {
  readonly #book: NameBook;
  readonly #sources = new Map<string, number>();
  readonly #slots = new Map<string, number>();

  constructor(book: NameBook) {
    this.#book = book;
  }

  sourceId(name: string): number {
    return give(name, this.#book.sources, this.#sources);
  }

  slotOf(ticker: string): number {
    return give(ticker, this.#book.slots, this.#slots);
  }

  async store(sql: Sql): Promise<void> {
    const swapped = (numbers: ReadonlyMap<string, number>) =>
      Array.from(numbers, ([name, number]) => [number, name]);
    await copyInto(
      sql,
      'sources',
      [
        ['id', 'int2'],
        ['name', 'text'],
      ],
      swapped(this.#sources),
    );
    await copyInto(
      sql,
      'slots',
      [
        ['slot', 'int4'],
        ['ticker', 'text'],
      ],
      swapped(this.#slots),
    );
  }

  keep(): void {
    for (const [name, id] of this.#sources) this.#book.learnSource(id, name);
    for (const [ticker, slot] of this.#slots) this.#book.learnSlot(slot, ticker);
  }
}

function give(name: string, known: ReadonlyMap<string, number>, given: Map<string, number>): number {
  const found = known.get(name) ?? given.get(name);
  if (found !== undefined) return found;
  const number = known.size + given.size;
  given.set(name, number);
  return number;
}

function unknown(): never {
  throw new UnknownNumber('a number in the archive has no name');
}
