// The transparency log: every statement a leaf in the order of appends, found by everything that can be asked, and the
// tree over the leaves is the one that anyone computes from their texts.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  leafText,
  type Stated,
  type Statement,
  type StatementQuery,
} from '../../src/domain/facts/statement.js';
import { LATEST, SECOND } from '../../src/kernel/instant.js';
import { leafHash, merkleRoot, nodeHash } from '../../src/kernel/merkle.js';
import { storedRoot, type TreePlace } from '../../src/kernel/tree-proofs.js';
import type { ArchiveReader, ArchiveWriter } from '../../src/ports/archive.js';
import {
  below,
  boundary,
  frameOf,
  post,
  type Random,
  randomStatement,
  report,
  seeded,
  statement,
  T0,
  type TestClock,
} from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Statements alone, with frames, between facts; what was said, with the places that the port promises. */
async function fill(
  writer: ArchiveWriter,
  clock: TestClock,
  random: Random,
  size: number,
): Promise<Stated[]> {
  const stated: Stated[] = [];
  const attachmentSha256 = ({ attachment }: Statement): string | null =>
    attachment === undefined ? null : sha256(attachment);
  for (let n = 0; stated.length < size; n++) {
    clock.advance(below(random, 3) * SECOND);
    if (random() < 0.3) await writer.append({ facts: [report(post(String(n)))] });
    const some = Array.from({ length: 1 + below(random, 7) }, () => randomStatement(random));
    if (random() < 0.5) stated.push(...(await writer.state(some)));
    else {
      const signals = Array.from({ length: below(random, 3) }, () => SIGNAL);
      const { sequence, knownAt } = await writer.appendFrame(frameOf(boundary(n), []), signals, some);
      some.forEach((one, i) => {
        const { attachment: _beside, ...rest } = one;
        const place = { index: stated.length, sequence: sequence + 1 + signals.length + i, knownAt };
        stated.push({ ...rest, ...place, attachmentSha256: attachmentSha256(one) });
      });
    }
  }
  return stated;
}

const SIGNAL = { kind: 'signal', type: 'entered', ticker: 'A', body: {} } as const;

function matching(stated: readonly Stated[], query: StatementQuery): Stated[] {
  const found = stated.filter(
    (one) =>
      one.kind === query.kind &&
      one.knownAt <= query.knownBy &&
      (query.subject === undefined || one.subject === query.subject) &&
      one.index > (query.afterIndex ?? -1) &&
      one.at >= (query.from ?? 0) &&
      one.at <= (query.to ?? LATEST),
  );
  return query.newest ? found.slice(-query.limit) : found.slice(0, query.limit);
}

async function allLeaves(reader: ArchiveReader, size: number): Promise<Stated[]> {
  const leaves: Stated[] = [];
  for (let index = 0; index < size; index++) leaves.push((await reader.leaf(index))!);
  return leaves;
}

/** The root again from nothing but what a stranger can read. */
const rootOf = (leaves: readonly Stated[]): Buffer =>
  merkleRoot(leaves.map((leaf) => leafHash(leafText(leaf))));

const fetchFrom = (reader: ArchiveReader) => (places: readonly TreePlace[]) => reader.treeHashes(places);

/** What a log shows of itself; equal before and after whatever must leave no trace. */
async function face(reader: ArchiveReader): Promise<unknown> {
  const size = await reader.logSize(LATEST);
  const { highWater } = await reader.extent();
  return { size, highWater, frame: await reader.frameAt(LATEST), row: await reader.treeRow(0, 0, size + 9) };
}

export function archiveLogSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: the log`, () => {
    it('starts empty', () =>
      withArchive(openStore, async ({ writer }) => {
        expect(await writer.logSize(LATEST)).toBe(0);
        expect([await writer.leaf(0), await writer.attachment(0)]).toEqual([null, null]);
        expect(await writer.statements({ kind: 'genesis', knownBy: LATEST, limit: 9 })).toEqual([]);
        expect(await writer.treeRow(0, 0, 9)).toEqual([]);
        expect(await writer.treeHashes([])).toEqual([]);
        await expect(writer.treeHashes([{ level: 0, index: 0 }])).rejects.toThrow('no complete subtree');
        expect(await writer.state([])).toEqual([]);
        expect((await writer.extent()).highWater).toBe(0);
      }));

    it('gives every statement the next place in the log and in the sequence, at growing instants', () =>
      withArchive(openStore, async ({ writer }) => {
        await writer.append({ facts: [report(post('1'))] });
        const first = await writer.state([statement('genesis'), statement('key', { subject: 'k1' })]);
        expect(first.map((one) => [one.index, one.sequence, one.knownAt])).toEqual([
          [0, 2, T0 + 1],
          [1, 3, T0 + 2],
        ]);
        const frame = await writer.appendFrame(
          frameOf(boundary(0), []),
          [SIGNAL, SIGNAL],
          [statement('attention_frame'), statement('commitments')],
        );
        expect([frame.sequence, frame.knownAt]).toEqual([4, T0 + 3]);
        const signals = await writer.emissions({ kind: 'signal', knownBy: LATEST, limit: 9 });
        expect(signals.map(({ sequence }) => sequence)).toEqual([5, 6]);
        expect(await writer.leaf(2)).toMatchObject({ kind: 'attention_frame', sequence: 7, knownAt: T0 + 3 });
        expect(await writer.leaf(3)).toMatchObject({ kind: 'commitments', sequence: 8, knownAt: T0 + 3 });
        const [last] = await writer.state([statement('reputation')]);
        // Two signals were known after the frame, so the next instant is behind theirs.
        expect(last).toMatchObject({ index: 4, sequence: 9, knownAt: T0 + 6 });
        const { facts } = await writer.append({ facts: [report(post('2'))] });
        expect(facts.map(({ sequence, knownAt }) => [sequence, knownAt])).toEqual([[10, T0 + 7]]);
        expect(await writer.extent()).toMatchObject({ lastKnownAt: T0 + 7, highWater: 10 });
      }));

    it('answers everything that can be asked of two hundred statements, and again after it is reopened', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(41);
        const stated = await fill(writer, clock, random, 200);
        const size = stated.length;
        await writer.close();
        const next = await store.openWriter();
        const reader = await store.openReader();

        expect(await allLeaves(reader, size)).toEqual(stated);
        expect(await allLeaves(reader, size)).toEqual(stated);
        expect([await reader.leaf(size), await reader.leaf(-1)]).toEqual([null, null]);
        expect(await reader.logSize(stated[0]!.knownAt - 1)).toBe(0);
        for (const { knownAt } of stated)
          expect(await reader.logSize(knownAt)).toBe(stated.filter((one) => one.knownAt <= knownAt).length);
        expect(await reader.logSize(LATEST)).toBe(size);
        for (let n = 0; n < 200; n++) {
          const some = stated[below(random, size)]!;
          const other = stated[below(random, size)]!;
          const query: StatementQuery = {
            kind: some.kind,
            knownBy: random() < 0.5 ? LATEST : stated[below(random, size)]!.knownAt,
            limit: 1 + below(random, 40),
            ...(random() < 0.3 ? { subject: some.subject ?? 'nothing' } : {}),
            ...(random() < 0.3 ? { afterIndex: below(random, size) } : {}),
            ...(random() < 0.4 ? { from: random() < 0.5 ? some.at : other.at } : {}),
            ...(random() < 0.4 ? { to: random() < 0.5 ? some.at : other.at } : {}),
            ...(random() < 0.5 ? { newest: true } : {}),
          };
          expect(await reader.statements(query)).toEqual(matching(stated, query));
        }

        const before = await face(reader);
        await expect(next.state([statement('universe', { at: Number.NaN })])).rejects.toThrow();
        expect(await face(reader)).toEqual(before);
        const [more] = await next.state([statement('ontology')]);
        expect(more).toMatchObject({ index: size, sequence: (await reader.extent()).highWater });
        expect(await storedRoot(size + 1, fetchFrom(reader))).toEqual(rootOf([...stated, more!]));
        await reader.close();
        await next.close();
      }));

    it('has the tree that anyone computes from the texts of the leaves, at every size', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const stated = await fill(writer, clock, seeded(43), 70);
        for (let size = 0; size <= stated.length; size++)
          expect(await storedRoot(size, fetchFrom(writer))).toEqual(rootOf(stated.slice(0, size)));

        const row = stated.map((leaf) => leafHash(leafText(leaf)));
        expect(await writer.treeRow(0, 0, 1_000)).toEqual(row);
        expect(await writer.treeRow(0, 7, 5)).toEqual(row.slice(7, 12));
        const pairs = Array.from({ length: Math.floor(row.length / 2) }, (_, i) =>
          nodeHash(row[2 * i]!, row[2 * i + 1]!),
        );
        expect(await writer.treeRow(1, 0, 1_000)).toEqual(pairs);
        expect(await writer.treeRow(9, 0, 1_000)).toEqual([]);
        expect(await writer.treeRow(0, 1_000, 5)).toEqual([]);
        await expect(writer.treeRow(0, -1, 5)).rejects.toThrow('no complete subtree');
        await expect(writer.treeRow(64, 0, 5)).rejects.toThrow('no complete subtree');
        // As asked, also twice and against the order.
        expect(
          await writer.treeHashes([
            { level: 1, index: 3 },
            { level: 0, index: 5 },
            { level: 1, index: 3 },
          ]),
        ).toEqual([pairs[3], row[5], pairs[3]]);
        for (const place of [
          { level: 6, index: 1 },
          { level: 7, index: 0 },
          { level: 0, index: 2 ** 40 },
          { level: 40, index: 0 },
        ]) {
          const asked = writer.treeHashes([{ level: 0, index: 0 }, place]);
          await expect(asked).rejects.toThrow('no complete subtree');
        }
      }));

    it('keeps texts beside their leaves, bound by their SHA-256', () =>
      withArchive(openStore, async ({ writer, store }) => {
        const random = seeded(47);
        const noise = Array.from({ length: 500 }, () => String.fromCodePoint(32 + below(random, 90))).join(
          '',
        );
        const texts = ['', 'short', 'naïve \u0000 🚀 株', noise, '{"rows":[0.1,null]}'.repeat(50_000)];
        const stated = await writer.state([
          ...texts.map((attachment) => statement('macro_frame', { attachment })),
          statement('macro_frame'),
        ]);
        expect(stated.map(({ attachmentSha256 }) => attachmentSha256)).toEqual([...texts.map(sha256), null]);
        expect(stated.some((one) => 'attachment' in one)).toBe(false);
        await writer.close();
        const reader = await store.openReader();
        for (const [index, text] of texts.entries()) expect(await reader.attachment(index)).toBe(text);
        expect([await reader.attachment(texts.length), await reader.attachment(99)]).toEqual([null, null]);
        expect(await reader.leaf(4)).toEqual(stated[4]);
        await reader.close();
      }));

    it('refuses what has no canonical form, and then nothing at all has happened', () =>
      withArchive(openStore, async ({ writer }) => {
        await writer.state([statement('genesis')]);
        const before = await face(writer);
        let nested: unknown = 1;
        for (let depth = 0; depth < 199; depth++) nested = [nested];
        const unfit: Partial<Record<keyof Statement, unknown>>[] = [
          { body: { a: [1, { b: undefined }] } },
          { body: { a: Number.NaN } },
          { body: { a: '\ud83d' } },
          { body: { a: new Date(0) } },
          { body: { a: 1n } },
          { body: { nested } },
          { body: [] },
          { body: null },
          { kind: 'rumour' },
          { subject: '' },
          { subject: 'a\u0000b' },
          { subject: 'x'.repeat(513) },
          { at: 0.5 },
          { attachment: '\ude00' },
          { attachment: 5 },
        ];
        for (const over of unfit) {
          const bad = { ...statement('ontology'), ...over } as Statement;
          const all = [statement('universe'), bad];
          await expect(writer.state(all)).rejects.toThrow('cannot be stored');
          const asFrame = writer.appendFrame(frameOf(boundary(0), []), [SIGNAL], all);
          await expect(asFrame).rejects.toThrow('cannot be stored');
        }
        await expect(writer.state([{ ...statement('key'), body: { a: { b: undefined } } }])).rejects.toThrow(
          'body/a/b',
        );
        expect(await face(writer)).toEqual(before);
      }));

    it('is written with its frame or not at all', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        await writer.state([statement('genesis')]);
        const before = await face(writer);
        const three = [statement('universe'), statement('universe'), statement('universe')];
        clock.breakAfter(2);
        await expect(writer.state(three)).rejects.toThrow('the clock is broken');
        clock.breakAfter(1);
        const asFrame = writer.appendFrame(frameOf(boundary(0), []), [SIGNAL], three);
        await expect(asFrame).rejects.toThrow('the clock is broken');
        clock.set(T0);
        expect(await face(writer)).toEqual(before);

        await writer.appendFrame(frameOf(boundary(0), []), [SIGNAL], three);
        const after = await face(writer);
        await expect(writer.appendFrame(frameOf(boundary(0), []), [], three)).rejects.toThrow(
          'already recorded',
        );
        expect(await face(writer)).toEqual(after);
        const leaves = await allLeaves(writer, 4);
        expect(await storedRoot(4, fetchFrom(writer))).toEqual(rootOf(leaves));
      }));

    it('gives back bodies as they stand in the leaf, untouched by what the caller does next', () =>
      withArchive(openStore, async ({ writer }) => {
        const body = { z: -0, text: 'naïve \u0000 🚀', list: [1, null, { deep: 0.1 + 0.2 }], a: true };
        const [stated] = await writer.state([statement('scorecard', { body })]);
        const text = leafText(stated!);
        body.list.push(2);
        const leaf = (await writer.leaf(0))!;
        expect(leaf).toEqual(stated);
        expect(leafText(leaf)).toBe(text);
        expect(leaf.body).toEqual({
          z: 0,
          text: 'naïve \u0000 🚀',
          list: [1, null, { deep: 0.1 + 0.2 }],
          a: true,
        });
        expect(await writer.treeRow(0, 0, 1)).toEqual([leafHash(text)]);
      }));

    it('shows readers a whole prefix while it grows', () =>
      withArchive(openStore, async ({ writer, store }) => {
        const reader = await store.openReader();
        let done = false;
        const writing = (async () => {
          for (let n = 0; n < 20; n++) {
            await writer.appendFrame(frameOf(boundary(n), []), [SIGNAL], BATCH);
            await new Promise(setImmediate);
          }
          done = true;
        })();
        let sizes = 0;
        for (let last = -1; !done; ) {
          const size = await reader.logSize(LATEST);
          // Batches are seen whole: a size inside one never shows.
          expect(size % BATCH.length).toBe(0);
          expect(size).toBeGreaterThanOrEqual(last);
          if (size > 0) {
            expect((await reader.leaf(size - 1))?.index).toBe(size - 1);
            await storedRoot(size, fetchFrom(reader));
          }
          if (size > last) sizes += 1;
          last = size;
          await new Promise(setImmediate);
        }
        await writing;
        expect(sizes).toBeGreaterThan(1);
        const leaves = await allLeaves(reader, 20 * BATCH.length);
        expect(await storedRoot(leaves.length, fetchFrom(reader))).toEqual(rootOf(leaves));
        await reader.close();
      }));
  });
}

const BATCH = Array.from({ length: 6 }, (_, i) => statement('attention_frame', { body: { i } }));
