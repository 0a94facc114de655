// Page versions: what is stored, how much of it, and that it leads back to the rows.
import { describe, expect, it } from 'vitest';
import type { Denominator, Row } from '../domain/facts/frame.js';
import { PAGE_SLOTS } from '../domain/facts/row-codec.js';
import { type PageVersion, TapePages, VERSIONS_PER_KEY, viewPage } from './tape-pages.js';

const UNAVAILABLE: Denominator = {
  state: 'unavailable',
  usdBillions: null,
  shares: null,
  sharesKnownAt: null,
  sharesSource: null,
  close: null,
  closeDate: null,
};

const row = (slot: number, posts: number, over: Partial<Row> = {}): Row => ({
  slot,
  ticker: `T${slot}`,
  rank: slot + 1,
  state: 'ranked',
  band: 'normal',
  activity: posts / 3 > 1 ? Number((posts / 3).toPrecision(6)) : 1,
  density: Number((Math.sin(slot + posts) + 2).toPrecision(6)),
  share: 0.25,
  velocity: null,
  surprise: 1.5,
  independence: 0.5,
  entityPrecision: 1,
  ambiguous: false,
  posts,
  authors: posts,
  narratives: 1,
  denominator: UNAVAILABLE,
  ...over,
});
const rows = (count: number, posts = 1): Row[] =>
  Array.from({ length: count }, (_, slot) => row(slot, posts));
const slots = new Map(rows(1_000).map(({ ticker, slot }) => [ticker, slot]));

/** Records frames one after the other and returns what each one stored. */
function record(tape: TapePages, frames: readonly (readonly Row[])[], first = 1): PageVersion[][] {
  return frames.map((frame, i) => {
    const plan = tape.plan(first + i, frame, slots);
    plan.commit();
    return [...plan.pages];
  });
}

describe('page versions', () => {
  it('are stored for pages that changed, and for no other', () => {
    const before = rows(600);
    const after = before.with(300, row(300, 9));
    const stored = record(new TapePages(), [before, before, after, after]);
    expect(stored.map((pages) => pages.map(({ page }) => page))).toEqual([[0, 1, 2], [], [1], []]);
  });

  it('hold only the difference, with a key page now and then', () => {
    const frames = Array.from({ length: 3 * VERSIONS_PER_KEY }, (_, n) => rows(256).with(n, row(n, 50 + n)));
    const stored = record(new TapePages(), frames).map(([version]) => version!);
    expect(stored.map(({ keyFrame }) => keyFrame)).toEqual(
      frames.map((_, n) => Math.floor(n / VERSIONS_PER_KEY) * VERSIONS_PER_KEY + 1),
    );
    expect(stored[1]!.bytes.length).toBeLessThan(stored[0]!.bytes.length / 5);
  });

  it('become key pages when most rows differ', () => {
    const stored = record(new TapePages(), [rows(256, 1), rows(256, 2), rows(256, 3)]);
    expect(stored.map(([version]) => version!.keyFrame)).toEqual([1, 2, 3]);
  });

  it('lead back to the rows, also when rows leave, come back and come anew', () => {
    const all = rows(PAGE_SLOTS);
    const frames = [
      all.slice(0, 200),
      all.slice(5, 200),
      all.slice(5, 201).with(50, row(55, 7)),
      all.slice(0, 201),
      all.slice(0, 0),
      all.slice(0, 1),
    ];
    const stored = record(new TapePages(), frames).map(([version]) => version!);
    expect(new Set(stored.map(({ keyFrame }) => keyFrame)).size).toBeLessThan(stored.length);
    stored.forEach((version, n) => {
      const key = version.keyFrame === n + 1 ? null : stored[version.keyFrame - 1]!.bytes;
      const view = viewPage(0, version.bytes, key);
      const measures = ({ slot, rank, posts, density, velocity }: Omit<Row, 'ticker' | 'denominator'>) =>
        [slot, rank, posts, density, velocity].join(' ');
      expect(view.rows().map(measures)).toEqual(frames[n]!.map(measures));
      for (const slot of [0, 4, 55, 199, 200, 255]) {
        expect(view.row(slot)?.posts).toBe(frames[n]!.find((one) => one.slot === slot)?.posts);
      }
    });
  });

  it('are not remembered when the store failed', () => {
    const tape = new TapePages();
    record(tape, [rows(3)]);
    const failed = tape.plan(2, rows(3, 5), slots);
    expect(failed.pages).toHaveLength(1);
    expect(tape.plan(2, rows(3), slots).pages).toEqual([]);
    expect(tape.plan(2, rows(3, 5), slots)).toMatchObject({ pages: failed.pages, lastRef: 3 });
  });

  it('start with a key page after a restart, unless nothing changed', () => {
    const tape = new TapePages();
    record(tape, [rows(3)]);
    const view = viewPage(0, tape.plan(9, rows(3, 2), slots).pages[0]!.bytes, null);
    const tail = { lastRef: 3, rows: view.rows().map((coded) => ({ row: coded, denominator: UNAVAILABLE })) };
    const again = new TapePages(tail);
    expect(again.plan(10, rows(3, 2), slots)).toMatchObject({ pages: [], denominators: [] });
    expect(again.plan(10, rows(3).with(1, row(1, 2)), slots).pages).toMatchObject([
      { page: 0, keyFrame: 10 },
    ]);
  });
});

describe('denominators', () => {
  it('are numbered when they change', () => {
    const tape = new TapePages();
    const known: Denominator = { ...UNAVAILABLE, state: 'exact', usdBillions: 2 };
    const numbers = [
      [row(0, 1), row(1, 1, { denominator: known })],
      [row(0, 2), row(1, 2, { denominator: { ...known } })],
      [row(0, 2), row(1, 2, { denominator: { ...known, close: 3 } })],
      [row(0, 2), row(1, 2, { denominator: known })],
    ].map((frame, i) => {
      const plan = tape.plan(i + 1, frame, slots);
      plan.commit();
      return plan.denominators.map(({ ref }) => ref);
    });
    expect(numbers).toEqual([[1, 2], [], [3], [4]]);
  });
});
