// Appending: stamps, duplicates, revisions, cursors, slots, and batches that fail.
import { describe, expect, it } from 'vitest';
import type { FactKind, Report } from '../../src/domain/facts/fact.js';
import { DAY, HOUR, LATEST, SECOND } from '../../src/kernel/instant.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { below, gather, identity, KINDS, post, randomReport, report, seeded, T0 } from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const price = (close: number) =>
  ({
    kind: 'price',
    ticker: 'NVDA',
    date: '2026-02-27',
    open: 1,
    high: 3,
    low: 1,
    close,
    volume: 5,
  }) as const;
const cpi = (value: number) => ({ kind: 'series', series: 'CPIAUCSL', date: '2026-01-01', value }) as const;

/** Two values for one key of every kind that has versions. */
const VERSIONED: readonly (readonly [Report, Report])[] = [
  [report(price(2)), report(price(2.5))],
  [report(cpi(3.1)), report(cpi(3.2))],
  [
    report({ kind: 'asset', ticker: 'A', name: 'A', sector: null, assetKind: 'equity' }),
    report({ kind: 'asset', ticker: 'A', name: 'A', sector: 'Tech', assetKind: 'equity' }),
  ],
  [
    report({ kind: 'count', ticker: 'A', bucketStart: T0, bucketSeconds: 60, posts: 1, authors: null }),
    report({ kind: 'count', ticker: 'A', bucketStart: T0, bucketSeconds: 60, posts: 1, authors: 1 }),
  ],
  [
    report({ kind: 'shares', ticker: 'A', shares: 10, basis: 'vendor' }),
    report({ kind: 'shares', ticker: 'A', shares: 10, basis: 'consolidated' }),
  ],
  [report({ kind: 'split', ticker: 'A', ratio: 2 }), report({ kind: 'split', ticker: 'A', ratio: 3 })],
  [
    report({ kind: 'post_change', provider: 'p', id: '1', change: 'edited', excerpt: null }),
    report({ kind: 'post_change', provider: 'p', id: '1', change: 'edited', excerpt: 'b' }),
  ],
];

const everything = async (reader: ArchiveReader) => {
  const all = [];
  for (const kind of KINDS) all.push(...(await gather(reader.facts(kind as FactKind, { knownBy: LATEST }))));
  return all.sort((a, b) => a.sequence - b.sequence);
};

export function archiveFactsSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: appended facts`, () => {
    it('is empty at first', () =>
      withArchive(openStore, async ({ store }) => {
        const reader = await store.openReader();
        expect(await reader.extent()).toEqual({ firstKnownAt: null, lastKnownAt: null, highWater: 0 });
        expect(await everything(reader)).toEqual([]);
        expect(await reader.cursor('jetstream')).toBeNull();
        expect([...(await reader.slots())]).toEqual([]);
        expect(await reader.postsAbout('NVDA', { knownBy: LATEST }, 5)).toEqual([]);
        expect(await reader.mentionCounts({ knownBy: LATEST }, HOUR)).toEqual([]);
        expect(await reader.sourceStarts({ knownBy: LATEST })).toEqual([]);
        expect(await reader.frameAt(LATEST)).toBeNull();
        await reader.close();
      }));

    it('stamps live facts with consecutive sequences and strictly increasing instants', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const first = await writer.append({
          facts: [report(post('1')), report(price(2)), report(post('2'))],
        });
        expect(first.facts.map((f) => [f.sequence, f.knownAt, f.backfilled])).toEqual([
          [1, T0, false],
          [2, T0 + 1, false],
          [3, T0 + 2, false],
        ]);
        clock.advance(-DAY);
        const second = await writer.append({ facts: [report(cpi(1))] });
        expect(second.facts.map((f) => [f.sequence, f.knownAt])).toEqual([[4, T0 + 3]]);
        clock.set(T0 + HOUR);
        const third = await writer.append({ facts: [report(cpi(2))] });
        expect(third.facts.map((f) => [f.sequence, f.knownAt])).toEqual([[5, T0 + HOUR]]);
        expect(third.highWater).toBe(5);
        expect(await writer.extent()).toEqual({ firstKnownAt: T0, lastKnownAt: T0 + HOUR, highWater: 5 });
      }));

    it('takes the release time of a backfilled fact and leaves the live clock alone', () =>
      withArchive(openStore, async ({ writer }) => {
        const releasedAt = T0 - 90 * DAY;
        const { facts } = await writer.append({
          facts: [
            report(cpi(1), { releasedAt }),
            report(cpi(1)),
            report(cpi(2), { releasedAt: T0 + DAY }),
            report(cpi(3)),
          ],
        });
        // The live repetition of the newest value is dropped; its release was another matter.
        expect(facts.map((f) => [f.sequence, f.knownAt, f.backfilled])).toEqual([
          [1, releasedAt, true],
          [2, T0 + DAY, true],
          [3, T0, false],
        ]);
        expect(await writer.extent()).toEqual({
          firstKnownAt: releasedAt,
          lastKnownAt: T0 + DAY,
          highWater: 3,
        });
      }));

    it('gives back every member of every kind', () =>
      withArchive(openStore, async ({ store, writer }) => {
        const full = post('full', {
          mentions: [
            { ticker: 'BRK.B', form: 'bare' },
            { ticker: 'A', form: 'tagged' },
          ],
        });
        const bare = post('bare', {
          mentions: [],
          shingles: new Uint32Array(),
          objects: [],
          excerpt: '',
          lang: null,
          authorCreatedAt: null,
          followers: null,
          likes: null,
          replies: null,
          providerTags: false,
          financeContext: false,
          author: 0,
        });
        const facts = [
          report(full),
          report(bare, { releasedAt: T0 - DAY }),
          report(identity('renamed'), { releasedAt: T0 - DAY }),
          report(identity('told live')),
          ...VERSIONED.flat(),
        ];
        const appended = await writer.append({ facts });
        expect(appended.facts.map(({ body }) => body)).toEqual(facts.map(({ body }) => body));
        const reader = await store.openReader();
        expect(await everything(reader)).toEqual(appended.facts);
        await reader.close();
      }));

    it('drops what it holds already, and keeps a revision and a return to the old value', () =>
      withArchive(openStore, async ({ writer }) => {
        for (const [a, b] of VERSIONED) {
          const { facts, duplicates } = await writer.append({ facts: [a, a, b, b, a] });
          expect([facts.map(({ body }) => body), duplicates]).toEqual([[a.body, b.body, a.body], 2]);
          expect((await writer.append({ facts: [a, b] })).facts.map(({ body }) => body)).toEqual([b.body]);
        }
      }));

    it('keeps a post once, whatever comes later under its id', () =>
      withArchive(openStore, async ({ writer }) => {
        const batch = [
          report(post('1')),
          report(post('1', { excerpt: 'again' })),
          report(post('1', { provider: 'x' })),
        ];
        expect((await writer.append({ facts: batch })).facts.map((f) => f.sequence)).toEqual([1, 2]);
        const again = await writer.append({ facts: [...batch, report(post('2'))] });
        expect([again.duplicates, again.facts.map((f) => f.sequence)]).toEqual([3, [3]]);
        expect(
          await writer.seenPosts([
            { provider: 'bluesky', id: '1' },
            { provider: 'x', id: '2' },
            { provider: 'x', id: '1' },
            { provider: 'never', id: '1' },
          ]),
        ).toEqual([true, false, true, false]);
      }));

    it('keeps an identity event once, whatever is said under its id again', () =>
      withArchive(openStore, async ({ writer }) => {
        const event = identity('e');
        const other = { ...event, event: '{"event_id":"e","name":"another"}' };
        const batch = [report(event), report(other), report(event, { releasedAt: T0 - DAY })];
        expect((await writer.append({ facts: batch })).facts.map(({ body }) => body)).toEqual([event]);
        expect((await writer.append({ facts: batch })).duplicates).toBe(3);
        expect(await gather(writer.facts('identity', { knownBy: LATEST }))).toHaveLength(1);
        expect([...(await writer.slots())]).toEqual([]);
      }));

    it.each(['a period that ends before it begins', 'an empty subject', 'an instant beyond all'])(
      'refuses an identity event with %s',
      (fault) =>
        withArchive(openStore, async ({ writer }) => {
          const [claim] = identity('e').claims;
          const claims = fault.startsWith('a period')
            ? [{ ...claim!, to: claim!.from }]
            : [{ ...claim!, ...(fault.startsWith('an empty') ? { subject: '' } : { to: LATEST + 1 }) }];
          const bad = report({ ...identity('e'), claims });
          await expect(writer.append({ facts: [bad] })).rejects.toThrow('claims');
        }),
    );

    it('changes nothing when a file is imported again', () =>
      withArchive(openStore, async ({ writer }) => {
        const file = VERSIONED.flatMap(([a, b]) => [
          { ...a, releasedAt: T0 - 9 * DAY },
          { ...b, releasedAt: T0 - 7 * DAY },
          { ...a, releasedAt: T0 - 5 * DAY },
          { ...a, releasedAt: T0 - 3 * DAY },
        ]);
        const first = await writer.append({ facts: [...file, report(post('1'), { releasedAt: T0 - DAY })] });
        expect(first.facts.length).toBeGreaterThanOrEqual(3 * VERSIONED.length + 1);
        for (const half of [file.slice(0, 11), file.slice(11)]) {
          expect((await writer.append({ facts: half })).facts).toEqual([]);
        }
        expect(await everything(writer)).toEqual(first.facts);
      }));

    it('keeps every release of a series and of a share count', () =>
      withArchive(openStore, async ({ writer }) => {
        const shares = report({ kind: 'shares', ticker: 'A', shares: 10, basis: 'vendor' });
        for (const one of [report(cpi(1)), shares]) {
          const releases = [T0 - 3 * DAY, T0 - 2 * DAY, T0 - 3 * DAY].map((releasedAt) => ({
            ...one,
            releasedAt,
          }));
          expect((await writer.append({ facts: releases })).facts).toHaveLength(2);
        }
      }));

    it.each(['a body that no store can give back', 'a clock that fails'])(
      'leaves nothing of a batch with %s',
      (fault) =>
        withArchive(openStore, async ({ writer, store, clock }) => {
          await writer.append({ facts: [report(post('1'))], cursor: { connector: 'c', value: 'one' } });
          const before = await writer.extent();
          const good = [
            report(post('2', { mentions: [{ ticker: 'NEW', form: 'bare' }] }), { source: 'new' }),
            report(price(2), { source: 'new' }),
          ];
          const breaking = { connector: 'c', value: 'two' };
          const after = report(cpi(1));
          const bad = fault.startsWith('a body') ? [report(price(Number.NaN))] : [];
          if (bad.length === 0) clock.breakAfter(2);
          await expect(
            writer.append({ facts: [...good, ...bad, after], cursor: breaking }),
          ).rejects.toThrow();
          clock.set(T0 + SECOND);

          const reader = await store.openReader();
          for (const side of [writer, reader]) {
            expect(await side.extent()).toEqual(before);
            expect(await everything(side)).toHaveLength(1);
            expect([...(await side.slots()).keys()]).toEqual(['NVDA']);
            expect(await side.cursor('c')).toBe('one');
            expect(await side.seenPosts([{ provider: 'bluesky', id: '2' }])).toEqual([false]);
            expect(await side.postsAbout('NEW', { knownBy: LATEST }, 9)).toEqual([]);
          }
          const again = await writer.append({ facts: [...good, after], cursor: breaking });
          expect(again.facts.map((f) => [f.sequence, f.knownAt])).toEqual([
            [2, T0 + SECOND],
            [3, T0 + SECOND + 1],
            [4, T0 + SECOND + 2],
          ]);
          expect(await everything(reader)).toHaveLength(4);
          expect(await reader.cursor('c')).toBe('two');
          await reader.close();
        }),
    );

    it('stores a cursor also with an empty batch', () =>
      withArchive(openStore, async ({ writer }) => {
        const { facts, highWater } = await writer.append({
          facts: [],
          cursor: { connector: 'c', value: '7' },
        });
        expect([facts, highWater, await writer.cursor('c'), await writer.cursor('d')]).toEqual([
          [],
          0,
          '7',
          null,
        ]);
      }));

    it('gives slots in the order of appearance, once', () =>
      withArchive(openStore, async ({ store, writer }) => {
        await writer.append({
          facts: [
            report(
              post('1', {
                mentions: [
                  { ticker: 'C', form: 'bare' },
                  { ticker: 'A', form: 'bare' },
                ],
              }),
            ),
            report({ kind: 'split', ticker: 'B', ratio: 2 }),
          ],
        });
        const given = await writer.assignSlots(['D', 'A', 'E', 'D']);
        expect([...given]).toEqual([
          ['C', 0],
          ['A', 1],
          ['B', 2],
          ['D', 3],
          ['E', 4],
        ]);
        await writer.append({
          facts: [
            report(
              post('2', {
                mentions: [
                  { ticker: 'E', form: 'bare' },
                  { ticker: 'F', form: 'bare' },
                ],
              }),
            ),
          ],
        });
        await writer.append({
          facts: [report(post('2', { mentions: [{ ticker: 'DROPPED', form: 'bare' }] }))],
        });
        const reader = await store.openReader();
        expect((await reader.slots()).get('F')).toBe(5);
        expect((await reader.slots()).size).toBe(6);
        expect([...(await writer.slots())]).toEqual([...(await reader.slots())]);
        await reader.close();
      }));

    it('agrees with a list of facts, whatever is appended', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const random = seeded(20_260_302);
        const facts = [];
        for (let i = 0; i < 40; i++) {
          clock.advance(below(random, 3) * SECOND);
          const batch = Array.from({ length: below(random, 12) }, () => randomReport(random, 60));
          const appended = await writer.append({ facts: batch });
          expect(appended.facts.length + appended.duplicates).toBe(batch.length);
          facts.push(...appended.facts);
        }
        expect(facts.map((f) => f.sequence)).toEqual(facts.map((_, i) => i + 1));
        expect(await everything(writer)).toEqual(facts);
      }));
  });
}
