// Reads the tape: headers by boundary, a row with two or three index seeks, a board page by page.
import { setImmediate } from 'node:timers/promises';
import {
  DENOMINATOR_STATES,
  type Denominator,
  type RecordedHeader,
  type Row,
} from '../../domain/facts/frame.js';
import { type CodedRow, PAGE_SLOTS } from '../../domain/facts/row-codec.js';
import type { Instant } from '../../kernel/instant.js';
import type { SlotRange } from '../../ports/archive.js';
import { wholeRow } from '../coded-row.js';
import { headerOf } from '../frame-header.js';
import { type PageView, type TapeTail, viewPage } from '../tape-pages.js';
import { bytesIn, type Cells, type Connection, numberIn, type Statement, textIn } from './connection.js';
import type { Dictionaries } from './dictionary.js';

const HEADERS_PER_BATCH = 2_000;
/** Denominators never change, so they may be remembered; about as many as the tickers of several days. */
const REMEMBERED_DENOMINATORS = 100_000;

/** Frames are numbered from 1; together with the page the number makes the row id. */
const FRAMES = 2 ** 32;
export const pageId = (page: number, frame: number): number => page * FRAMES + frame;

const HEADER = 'SELECT number, at, sequence, known_at, high_water, fingerprint, header FROM frame';

export class TapeReads {
  readonly #dictionaries: Dictionaries;
  readonly #newestBy: Statement;
  readonly #numberAt: Statement;
  readonly #between: Statement;
  readonly #version: Statement;
  readonly #keyPage: Statement;
  readonly #denominator: Statement;
  readonly #lastRef: Statement;
  readonly #remembered = new Map<number, Denominator>();

  constructor(connection: Connection, dictionaries: Dictionaries) {
    this.#dictionaries = dictionaries;
    this.#newestBy = connection.prepare(`${HEADER} WHERE at <= ? ORDER BY at DESC LIMIT 1`);
    this.#numberAt = connection.prepare('SELECT number FROM frame WHERE at = ?');
    this.#between = connection.prepare(`${HEADER} WHERE at >= ? AND at <= ? ORDER BY at LIMIT ?`);
    this.#version = connection.prepare(
      'SELECT id, key_frame, bytes FROM page WHERE id <= ? AND id > ? ORDER BY id DESC LIMIT 1',
    );
    this.#keyPage = connection.prepare('SELECT bytes FROM page WHERE id = ?');
    this.#denominator = connection.prepare(
      `SELECT state, usd_billions, shares, shares_known_at, shares_source, close, close_date
       FROM denominator WHERE ref = ?`,
    );
    this.#lastRef = connection.prepare('SELECT max(ref) FROM denominator');
  }

  frameAt(at: Instant): RecordedHeader | null {
    const cells = this.#newestBy.get(at);
    return cells === undefined ? null : headerIn(cells);
  }

  async *frames(from: Instant, to: Instant): AsyncGenerator<readonly RecordedHeader[]> {
    for (let start = from; ; ) {
      const headers = this.#between.all(start, to, HEADERS_PER_BATCH).map(headerIn);
      if (headers.length > 0) yield headers;
      if (headers.length < HEADERS_PER_BATCH) return;
      start = headers.at(-1)!.at + 1;
      await setImmediate();
    }
  }

  rowAt(at: Instant, ticker: string): Row | null {
    const frame = this.#numberAt.get(at);
    const slot = this.#dictionaries.tickers.find(ticker);
    if (frame === undefined || slot === undefined) return null;
    const row = this.#page(Math.floor(slot / PAGE_SLOTS), numberIn(frame[0]))?.row(slot);
    return row === undefined || row === null ? null : this.#whole(row);
  }

  boardAt(at: Instant, [from, to]: SlotRange = [0, Number.POSITIVE_INFINITY]): Row[] | null {
    const frame = this.#numberAt.get(at);
    if (frame === undefined) return null;
    const rows: Row[] = [];
    const take = (row: CodedRow): void => {
      if (row.slot >= from && row.slot < to) rows.push(this.#whole(row));
    };
    this.#forEachRow(numberIn(frame[0]), take, [from, to]);
    return rows;
  }

  /** The number of the newest frame (0 before the first) and what a recorder needs to go on from it. */
  tail(): TapeTail & { readonly frame: number; readonly at: Instant | null } {
    const newest = this.#newestBy.get(Number.MAX_SAFE_INTEGER);
    const frame = newest === undefined ? 0 : numberIn(newest[0]);
    const rows: { readonly row: CodedRow; readonly denominator: Denominator }[] = [];
    this.#forEachRow(frame, (row) => rows.push({ row, denominator: this.#resolve(row.denominatorRef) }));
    return {
      frame,
      at: newest === undefined ? null : numberIn(newest[1]),
      lastRef: numberIn(this.#lastRef.get()?.[0] ?? 0),
      rows,
    };
  }

  /** Of every page that reaches into the slots. */
  #forEachRow(
    frame: number,
    visit: (row: CodedRow) => void,
    [from, to]: SlotRange = [0, Number.POSITIVE_INFINITY],
  ): void {
    const pages = Math.ceil(Math.min(to, this.#dictionaries.tickers.size()) / PAGE_SLOTS);
    for (let page = Math.floor(from / PAGE_SLOTS); page < pages; page++)
      this.#page(page, frame)?.forEach(visit);
  }

  #page(page: number, frame: number): PageView | null {
    const version = this.#version.get(pageId(page, frame), pageId(page, 0));
    if (version === undefined) return null;
    const keyId = pageId(page, numberIn(version[1]));
    const key = keyId === version[0] ? null : bytesIn(this.#keyPage.get(keyId)?.[0]);
    return viewPage(page, bytesIn(version[2]), key);
  }

  #whole(row: CodedRow): Row {
    return wholeRow(row, this.#dictionaries.tickers.text(row.slot), this.#resolve(row.denominatorRef));
  }

  #resolve(ref: number): Denominator {
    const remembered = this.#remembered.get(ref);
    if (remembered !== undefined) return remembered;
    const cells = this.#denominator.get(ref);
    if (cells === undefined) throw new Error(`denominator ${ref} is missing`);
    const denominator: Denominator = {
      state: DENOMINATOR_STATES[numberIn(cells[0])]!,
      usdBillions: cells[1] as number | null,
      shares: cells[2] as number | null,
      sharesKnownAt: cells[3] as number | null,
      sharesSource: cells[4] === null ? null : this.#dictionaries.names.text(numberIn(cells[4])),
      close: cells[5] as number | null,
      closeDate: cells[6] as string | null,
    };
    if (this.#remembered.size >= REMEMBERED_DENOMINATORS) this.#remembered.clear();
    this.#remembered.set(ref, denominator);
    return denominator;
  }
}

function headerIn(cells: Cells): RecordedHeader {
  const columns = {
    at: numberIn(cells[1]),
    sequence: numberIn(cells[2]),
    knownAt: numberIn(cells[3]),
    highWater: numberIn(cells[4]),
    fingerprint: textIn(cells[5]),
  };
  return headerOf(columns, textIn(cells[6]));
}
