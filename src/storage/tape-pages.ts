// How frames become page versions: only pages that changed, whole now and then, and by their differences in between.
import type { Denominator, Row } from '../domain/facts/frame.js';
import { type CodedRow, decodePage, encodePage, PAGE_SLOTS, sameRow } from '../domain/facts/row-codec.js';
import { codedRow } from './coded-row.js';

/** A key page and this many versions less one that refer to it; then the next key page. */
export const VERSIONS_PER_KEY = 16;
/** A differential page saves too little beyond this share of its key page. */
const WORTHWHILE = 0.75;

/** What a store keeps for one page of one frame, under (page, frame). */
export interface PageVersion {
  readonly page: number;
  /** The frame that holds the key page; this frame's own number when the version is a key page itself. */
  readonly keyFrame: number;
  readonly bytes: Uint8Array;
}

export interface NumberedDenominator {
  readonly ref: number;
  readonly denominator: Denominator;
}

/** What one frame adds to the tape. `commit` is called once the store has committed, never after a failure. */
export interface TapePlan {
  readonly pages: readonly PageVersion[];
  readonly denominators: readonly NumberedDenominator[];
  readonly lastRef: number;
  commit(): void;
}

/** The rows of the newest recorded frame, from which a recorder goes on after a restart. */
export interface TapeTail {
  /** The largest denominator number in the store; 0 when there is none. */
  readonly lastRef: number;
  readonly rows: readonly { readonly row: CodedRow; readonly denominator: Denominator }[];
}

interface PageState {
  readonly rows: readonly CodedRow[];
  /** Null after a restart: the next version of the page is a key page. */
  readonly key: {
    readonly frame: number;
    readonly rows: ReadonlyMap<number, CodedRow>;
    readonly size: number;
  } | null;
  readonly sinceKey: number;
}

const pageOf = (slot: number): number => Math.floor(slot / PAGE_SLOTS);

/** The writer's memory of the tape: the last rows, key pages and denominators of every page. */
export class TapePages {
  readonly #pages = new Map<number, PageState>();
  readonly #denominators = new Map<number, NumberedDenominator>();
  #lastRef: number;

  constructor(tail: TapeTail = { lastRef: 0, rows: [] }) {
    this.#lastRef = tail.lastRef;
    for (const { row, denominator } of tail.rows) {
      this.#denominators.set(row.slot, { ref: row.denominatorRef, denominator });
    }
    for (const [page, rows] of byPage(tail.rows.map(({ row }) => row))) {
      this.#pages.set(page, { rows, key: null, sinceKey: 0 });
    }
  }

  /** `frame` is any number of the store's own that grows with every frame; `slots` are the store's slots. */
  plan(frame: number, rows: readonly Row[], slots: ReadonlyMap<string, number>): TapePlan {
    requireSlotOrder(rows, slots);
    const denominators: NumberedDenominator[] = [];
    const bySlot = new Map<number, NumberedDenominator>();
    let lastRef = this.#lastRef;
    const coded = rows.map((row): CodedRow => {
      const { denominator } = row;
      let numbered = this.#denominators.get(row.slot);
      if (numbered === undefined || !sameDenominator(numbered.denominator, denominator)) {
        lastRef += 1;
        numbered = { ref: lastRef, denominator };
        denominators.push(numbered);
        bySlot.set(row.slot, numbered);
      }
      return codedRow(row, numbered.ref);
    });

    const pages: PageVersion[] = [];
    const states = new Map<number, PageState>();
    const present = byPage(coded);
    for (const page of this.#pages.keys()) if (!present.has(page)) present.set(page, []);
    for (const [page, now] of present) {
      const version = nextVersion(page, frame, now, this.#pages.get(page));
      if (version === null) continue;
      pages.push(version.stored);
      states.set(page, version.state);
    }
    return {
      pages,
      denominators,
      lastRef,
      commit: () => {
        this.#lastRef = lastRef;
        for (const [slot, numbered] of bySlot) this.#denominators.set(slot, numbered);
        for (const [page, state] of states) this.#pages.set(page, state);
      },
    };
  }
}

/** Refuses rows that a reader could not find again: under a foreign slot, or out of order. */
export function requireSlotOrder(rows: readonly Row[], slots: ReadonlyMap<string, number>): void {
  let last = -1;
  for (const row of rows) {
    if (slots.get(row.ticker) !== row.slot)
      throw new Error(`slot ${row.slot} was not given to ${row.ticker}`);
    if (row.slot <= last) throw new Error('the rows of a frame must be in slot order');
    last = row.slot;
  }
}

function byPage(rows: readonly CodedRow[]): Map<number, CodedRow[]> {
  const pages = new Map<number, CodedRow[]>();
  for (const row of rows) {
    const page = pages.get(pageOf(row.slot));
    if (page === undefined) pages.set(pageOf(row.slot), [row]);
    else page.push(row);
  }
  return pages;
}

function nextVersion(
  page: number,
  frame: number,
  rows: readonly CodedRow[],
  last: PageState | undefined,
): { readonly stored: PageVersion; readonly state: PageState } | null {
  if (last !== undefined && sameRows(last.rows, rows)) return null;
  const key = last?.key ?? null;
  if (last !== undefined && key !== null && last.sinceKey < VERSIONS_PER_KEY - 1) {
    const bytes = encodeDifference(rows, key.rows);
    if (bytes !== null && bytes.length <= key.size * WORTHWHILE) {
      return {
        stored: { page, keyFrame: key.frame, bytes },
        state: { rows, key, sinceKey: last.sinceKey + 1 },
      };
    }
  }
  const bytes = encodePage(rows);
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  return {
    stored: { page, keyFrame: frame, bytes },
    state: { rows, key: { frame, rows: bySlot, size: bytes.length }, sinceKey: 0 },
  };
}

function sameRows(a: readonly CodedRow[], b: readonly CodedRow[]): boolean {
  return a.length === b.length && a.every((row, i) => row.slot === b[i]!.slot && sameRow(row, b[i]!));
}

/** How many slots left the page, those slots, then the rows that differ. Null where a key page is surely better. */
function encodeDifference(rows: readonly CodedRow[], key: ReadonlyMap<number, CodedRow>): Uint8Array | null {
  const changed: CodedRow[] = [];
  let kept = 0;
  for (const row of rows) {
    const before = key.get(row.slot);
    if (before !== undefined) kept += 1;
    if (before === undefined || !sameRow(before, row)) changed.push(row);
  }
  if (changed.length > key.size * WORTHWHILE || key.size - kept > 255) return null;
  const present = new Set(rows.map((row) => row.slot));
  const gone = [...key.keys()].filter((slot) => !present.has(slot));
  const body = encodePage(changed);
  const bytes = new Uint8Array(1 + gone.length + body.length);
  bytes[0] = gone.length;
  gone.forEach((slot, i) => {
    bytes[1 + i] = slot % PAGE_SLOTS;
  });
  bytes.set(body, 1 + gone.length);
  return bytes;
}

/** One page of one frame; rows are built only when asked for. */
export interface PageView {
  row(slot: number): CodedRow | null;
  /** In slot order. What keeps only a part of each row, or copies it, spares the memory of a whole page of them. */
  forEach(visit: (row: CodedRow) => void): void;
  rows(): readonly CodedRow[];
}

/** `key` is the key page's bytes when the version is a differential one, null when it is a key page itself. */
export function viewPage(page: number, version: Uint8Array, key: Uint8Array | null): PageView {
  const { row, forEach } = key === null ? keyView(page, version) : differentialView(page, version, key);
  return {
    row,
    forEach,
    rows() {
      const rows: CodedRow[] = [];
      forEach((each) => rows.push(each));
      return rows;
    },
  };
}

interface Walk {
  readonly row: (slot: number) => CodedRow | null;
  readonly forEach: (visit: (row: CodedRow) => void) => void;
}

function keyView(page: number, bytes: Uint8Array): Walk {
  const decoded = decodePage(bytes, page);
  return {
    row(slot) {
      const position = decoded.position(slot);
      return position < 0 ? null : decoded.row(position);
    },
    forEach(visit) {
      for (let i = 0; i < decoded.count; i++) visit(decoded.row(i));
    },
  };
}

function differentialView(page: number, version: Uint8Array, key: Uint8Array): Walk {
  const base = decodePage(key, page);
  const goneCount = version[0]!;
  const gone = new Set(Array.from(version.subarray(1, 1 + goneCount), (low) => page * PAGE_SLOTS + low));
  const changed = decodePage(version.subarray(1 + goneCount), page);
  const row = (slot: number): CodedRow | null => {
    const newer = changed.position(slot);
    if (newer >= 0) return changed.row(newer);
    const position = gone.has(slot) ? -1 : base.position(slot);
    return position < 0 ? null : base.row(position);
  };
  return {
    row,
    forEach(visit) {
      for (let slot = page * PAGE_SLOTS; slot < (page + 1) * PAGE_SLOTS; slot++) {
        const found = row(slot);
        if (found !== null) visit(found);
      }
    },
  };
}

function sameDenominator(a: Denominator, b: Denominator): boolean {
  return (
    a.state === b.state &&
    a.usdBillions === b.usdBillions &&
    a.shares === b.shares &&
    a.sharesKnownAt === b.sharesKnownAt &&
    a.sharesSource === b.sharesSource &&
    a.close === b.close &&
    a.closeDate === b.closeDate
  );
}
