// The tape: frames come back as they were recorded, at every boundary, and none is ever replaced.
import { describe, expect, it } from 'vitest';
import type { Frame, RecordedHeader, Row } from '../../src/domain/facts/frame.js';
import { LATEST, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { type ArchiveReader, type ArchiveWriter, FrameStands } from '../../src/ports/archive.js';
import {
  below,
  boundary,
  frameOf,
  gather,
  post,
  type Random,
  randomRow,
  report,
  seeded,
  T0,
} from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const tickers = (count: number): string[] => Array.from({ length: count }, (_, i) => `T${i}`);

async function board(writer: ArchiveWriter, random: Random, count: number): Promise<Row[]> {
  const slots = await writer.assignSlots(tickers(count));
  return tickers(count).map((ticker) => randomRow(random, slots.get(ticker)!, ticker));
}

/** Some cycles change nothing, some a few rows, some all of them; now and then rows leave or come. */
function nextRows(random: Random, all: Row[], now: readonly Row[]): Row[] {
  const kind = below(random, 8);
  const change = kind === 0 ? 0 : kind === 1 ? 1 : kind < 6 ? 0.03 : 0.4;
  const present = new Set(now.map((row) => row.slot));
  const rows: Row[] = [];
  for (const row of all) {
    const flips = kind === 7 && random() < 0.02;
    if (present.has(row.slot) === flips) continue;
    const next = random() < change ? randomRow(random, row.slot, row.ticker, row) : row;
    all[row.slot] = next;
    rows.push(next);
  }
  return rows;
}

export function archiveTapeSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: the tape`, () => {
    it('gives a frame its own place among the facts', () =>
      withArchive(openStore, async ({ writer, store }) => {
        const rows = await board(writer, seeded(1), 3);
        await writer.append({ facts: [report(post('1'))] });
        const frame = frameOf(boundary(0), rows, 1);
        const recorded = await writer.appendFrame(frame);
        expect(recorded).toEqual({ ...frame.header, sequence: 2, knownAt: T0 + 1 });
        const { facts, highWater } = await writer.append({ facts: [report(post('2'))] });
        expect([facts[0]?.sequence, facts[0]?.knownAt, highWater]).toEqual([3, T0 + 2, 3]);
        const reader = await store.openReader();
        expect(await reader.frameAt(boundary(0))).toEqual(recorded);
        expect(await reader.extent()).toEqual({ firstKnownAt: T0, lastKnownAt: T0 + 2, highWater: 3 });
        await reader.close();
      }));

    it('gives the rows of some slots only, across pages and beyond the end', () =>
      withArchive(openStore, async ({ writer }) => {
        const all = await board(writer, seeded(9), 700);
        const rows = all.filter(({ slot }) => slot % 7 !== 3);
        await writer.appendFrame(frameOf(boundary(0), rows, 1));
        for (const [from, to] of [
          [0, 256],
          [256, 512],
          [512, 768],
          [250, 260],
          [3, 4],
          [699, 5_000],
          [4_000, 5_000],
        ] as const) {
          const expected = rows.filter(({ slot }) => slot >= from && slot < to);
          expect(await writer.boardAt(boundary(0), [from, to])).toEqual(expected);
        }
        expect(await writer.boardAt(boundary(1), [0, 256])).toBeNull();
      }));

    it('finds frames by boundary', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const rows = await board(writer, seeded(2), 3);
        const recorded: RecordedHeader[] = [];
        for (let n = 0; n < 9; n++) {
          clock.advance(MINUTE);
          recorded.push(await writer.appendFrame(frameOf(boundary(n * 2), n === 0 ? [] : rows)));
        }
        const reader = await store.openReader();
        expect(await reader.frameAt(boundary(0) - 1)).toBeNull();
        expect(await reader.frameAt(boundary(0))).toEqual(recorded[0]);
        expect(await reader.frameAt(boundary(3))).toEqual(recorded[1]);
        expect(await reader.frameAt(LATEST)).toEqual(recorded[8]);
        expect(await gather(reader.frames(boundary(2), boundary(8)))).toEqual(recorded.slice(1, 5));
        expect(await gather(reader.frames(boundary(3), boundary(3)))).toEqual([]);
        expect(await gather(reader.frames(-LATEST, LATEST))).toEqual(recorded);
        expect(await reader.boardAt(boundary(0))).toEqual([]);
        expect(await reader.boardAt(boundary(3))).toBeNull();
        expect(await reader.rowAt(boundary(3), 'T1')).toBeNull();
        expect(await reader.rowAt(boundary(2), 'NONE')).toBeNull();
        expect(await reader.rowAt(boundary(2), 'T1')).toEqual(rows[1]);
        await reader.close();
      }));

    it('refuses a boundary at or before the newest one, and what it cannot place', () =>
      withArchive(openStore, async ({ writer }) => {
        const rows = await board(writer, seeded(3), 4);
        await writer.appendFrame(frameOf(boundary(5), rows));
        const before = await writer.extent();
        const other = await board(writer, seeded(4), 4);
        for (const at of [boundary(5), boundary(4), boundary(5) - 1]) {
          await expect(writer.appendFrame(frameOf(at, other))).rejects.toBeInstanceOf(FrameStands);
        }
        const misplaced = [{ ...other[0]!, ticker: 'T1' }];
        await expect(writer.appendFrame(frameOf(boundary(6), misplaced))).rejects.toThrow('slot');
        const disordered = [other[1]!, other[0]!];
        await expect(writer.appendFrame(frameOf(boundary(6), disordered))).rejects.toThrow('slot order');
        expect(await writer.extent()).toEqual(before);
        expect(await writer.boardAt(boundary(5))).toEqual(rows);
        await writer.appendFrame(frameOf(boundary(6), other));
        expect(await writer.boardAt(boundary(6))).toEqual(other);
        expect(await writer.boardAt(boundary(5))).toEqual(rows);
      }));

    it('leaves nothing of a frame that fails', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const rows = await board(writer, seeded(5), 300);
        await writer.appendFrame(frameOf(boundary(0), rows));
        const other = nextRows(() => 0.2, rows.slice(), rows);
        clock.breakAfter(0);
        await expect(writer.appendFrame(frameOf(boundary(1), other))).rejects.toThrow();
        clock.set(T0 + SECOND);
        expect(await writer.frameAt(LATEST)).toMatchObject({ at: boundary(0), sequence: 1 });
        const recorded = await writer.appendFrame(frameOf(boundary(1), other));
        expect(recorded).toMatchObject({ sequence: 2, knownAt: T0 + SECOND });
        expect(await writer.boardAt(boundary(1))).toEqual(other);
        expect(await writer.boardAt(boundary(0))).toEqual(rows);
      }));

    it.each([101, 202, 303])(
      'gives back every row of many cycles with random changes (seed %i)',
      async (seed) => {
        const clock = { at: T0 };
        const { store, remove } = await openStore(() => clock.at);
        const random = seeded(seed);
        let writer = await store.openWriter();
        const reader = await store.openReader();
        const all = await board(writer, random, 600);
        const recorded: Frame[] = [];
        let now: Row[] = all.slice(0, 500);
        for (let n = 0; n < 90; n++) {
          clock.at += 15 * SECOND;
          now = nextRows(random, all, now);
          recorded.push(frameOf(boundary(n), now));
          await writer.appendFrame(recorded.at(-1)!);
          if (n % 31 === 30) {
            await writer.close();
            writer = await store.openWriter();
          }
          if (n % 10 === 9) await compare(reader, recorded, below(random, recorded.length), random);
        }
        for (let n = 0; n < recorded.length; n++)
          await compare(n % 2 === 0 ? reader : writer, recorded, n, random);
        await reader.close();
        await writer.close();
        await remove();
      },
    );
  });
}

async function compare(
  reader: ArchiveReader,
  recorded: readonly Frame[],
  n: number,
  random: Random,
): Promise<void> {
  const { header, rows } = recorded[n]!;
  expect(await reader.frameAt(header.at)).toMatchObject(header);
  const read = await reader.boardAt(header.at);
  // Comparing texts is much faster than comparing trees, and no less strict for these rows.
  expect(read?.map(rowText)).toEqual(rows.map(rowText));
  for (let i = 0; i < 20; i++) {
    const ticker = `T${below(random, 600)}`;
    const row = await reader.rowAt(header.at, ticker);
    expect(row).toEqual(rows.find((candidate) => candidate.ticker === ticker) ?? null);
  }
}

const rowText = (row: Row): string =>
  JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
