// Reading: every question is answered from what was known by an instant, and from nothing else.
import { describe, expect, it } from 'vitest';
import type { Fact, FactKind, FactOf } from '../../src/domain/facts/fact.js';
import type { Knowledge } from '../../src/domain/facts/knowledge.js';
import { DAY, floorTo, HOUR, LATEST, MINUTE, SECOND } from '../../src/kernel/instant.js';
import type { ArchiveWriter } from '../../src/ports/archive.js';
import {
  below,
  gather,
  KINDS,
  post,
  type Random,
  randomReport,
  report,
  seeded,
  T0,
  type TestClock,
} from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const isKnown = (fact: Fact, { knownBy, after, upToSequence }: Knowledge): boolean =>
  fact.knownAt <= knownBy &&
  (after === undefined || fact.knownAt > after) &&
  (upToSequence === undefined || fact.sequence <= upToSequence);

const known = <K extends FactKind>(facts: readonly Fact[], kind: K, knowledge: Knowledge): FactOf<K>[] =>
  (facts.filter((fact) => fact.body.kind === kind && isKnown(fact, knowledge)) as FactOf<K>[]).sort(
    (a, b) => a.knownAt - b.knownAt || a.sequence - b.sequence,
  );

async function fill(
  writer: ArchiveWriter,
  clock: TestClock,
  random: Random,
  batches: number,
): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (let i = 0; i < batches; i++) {
    clock.advance(below(random, 90) * MINUTE);
    const batch = Array.from({ length: 1 + below(random, 15) }, () => randomReport(random, 400));
    facts.push(...(await writer.append({ facts: batch })).facts);
  }
  return facts;
}

/** Cuts that fall before, between, on and after the facts. */
function cuts(facts: readonly Fact[], random: Random): Knowledge[] {
  const some = (): Fact => facts[below(random, facts.length)]!;
  return [
    { knownBy: LATEST },
    { knownBy: T0 - 400 * DAY },
    { knownBy: LATEST, after: LATEST - 1 },
    { knownBy: LATEST, upToSequence: 0 },
    ...Array.from({ length: 12 }, (_, i) => ({
      knownBy: some().knownAt - (i % 2),
      ...(i % 3 === 0 ? { after: some().knownAt } : {}),
      ...(i % 4 === 0 ? { upToSequence: some().sequence } : {}),
    })),
  ];
}

export function archiveKnowledgeSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: what was known`, () => {
    it('cuts every kind by knownBy, after and upToSequence, in the order of knowledge', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(7);
        const facts = await fill(writer, clock, random, 40);
        const reader = await store.openReader();
        for (const knowledge of cuts(facts, random)) {
          for (const kind of KINDS) {
            expect(await gather(reader.facts(kind, knowledge))).toEqual(known(facts, kind, knowledge));
          }
        }
        await reader.close();
      }));

    it('streams a long read in bounded batches and in one piece, also across equal instants', () =>
      withArchive(openStore, async ({ writer, store }) => {
        const reports = Array.from({ length: 4_700 }, (_, i) =>
          report(
            post(`p${i}`, { mentions: [] }),
            i % 2 === 0 ? {} : { releasedAt: T0 - Math.floor(i / 2_500) * HOUR },
          ),
        );
        const { facts } = await writer.append({ facts: reports });
        const reader = await store.openReader();
        const sizes: number[] = [];
        const read: Fact[] = [];
        for await (const batch of reader.facts('post', { knownBy: LATEST })) {
          sizes.push(batch.length);
          read.push(...batch);
          if (sizes.length === 1) {
            // Neither what arrives now nor what is dated back into the part not yet read may tear the read.
            await writer.append({
              facts: [report(post('late')), report(post('dated back'), { releasedAt: T0 - MINUTE })],
            });
          }
        }
        expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000);
        expect(sizes.length).toBeGreaterThan(1);
        expect(read.map((f) => f.sequence)).toEqual(
          known(facts, 'post', { knownBy: LATEST }).map((f) => f.sequence),
        );
        expect(await gather(reader.facts('post', { knownBy: LATEST }))).toHaveLength(4_702);
        await reader.close();
      }));

    it('lets no later backfill touch what a frame could see', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const random = seeded(11);
        await fill(writer, clock, random, 12);
        const { highWater } = await writer.extent();
        const knowledge: Knowledge = { knownBy: clock.now(), upToSequence: highWater };
        const look = async () => ({
          facts: await Promise.all(KINDS.map((kind) => gather(writer.facts(kind, knowledge)))),
          about: await writer.postsAbout('NVDA', knowledge, 50),
          counts: await writer.mentionCounts(knowledge, HOUR),
          starts: await writer.sourceStarts(knowledge),
        });
        const before = await look();
        await writer.append({
          facts: Array.from({ length: 200 }, (_, i) => ({
            ...randomReport(random, 4_000),
            source: i % 2 === 0 ? 'jetstream' : 'newcomer',
            releasedAt: T0 - i * DAY,
          })),
        });
        expect(await look()).toEqual(before);
        expect((await writer.mentionCounts({ knownBy: clock.now() }, HOUR)).length).toBeGreaterThan(
          before.counts.length,
        );
      }));

    it('finds the newest posts about a ticker', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const random = seeded(13);
        const facts = await fill(writer, clock, random, 40);
        for (const knowledge of cuts(facts, random)) {
          for (const ticker of ['NVDA', 'BRK.B', 'NONE']) {
            const expected = known(facts, 'post', knowledge)
              .filter((fact) => fact.body.mentions.some((mention) => mention.ticker === ticker))
              .reverse();
            expect(await writer.postsAbout(ticker, knowledge, 7)).toEqual(expected.slice(0, 7));
            expect(await writer.postsAbout(ticker, knowledge, 10_000)).toEqual(expected);
          }
        }
      }));

    it('counts each post once per ticker, source and bucket', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const random = seeded(17);
        const facts = await fill(writer, clock, random, 40);
        const sorted = (lines: string[]): string[] => lines.sort();
        for (const knowledge of cuts(facts, random)) {
          for (const bucket of [HOUR, 7 * SECOND, DAY]) {
            const counts = new Map<string, number>();
            for (const fact of known(facts, 'post', knowledge)) {
              for (const ticker of new Set(fact.body.mentions.map((mention) => mention.ticker))) {
                const key = `${ticker} ${fact.source} ${floorTo(fact.knownAt, bucket)}`;
                counts.set(key, (counts.get(key) ?? 0) + 1);
              }
            }
            const read = await writer.mentionCounts(knowledge, bucket);
            expect(sorted(read.map((c) => `${c.ticker} ${c.source} ${c.bucketStart} ${c.posts}`))).toEqual(
              sorted([...counts].map(([key, posts]) => `${key} ${posts}`)),
            );
          }
        }
      }));

    it('counts and finds the posts of large batches as well, also while more arrive', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(23);
        const reader = await store.openReader();
        const tickers = Array.from({ length: 1_100 }, (_, i) => `T${i}`);
        const facts: Fact[] = [];
        const appendPosts = async (count: number): Promise<void> => {
          clock.advance(MINUTE);
          const reports = Array.from({ length: count }, (_, i) => {
            const ticker = tickers[below(random, 1_100)]!;
            const other = random() < 0.3 ? ticker : tickers[below(random, 3)]!;
            const mentions = [ticker, other].map((each) => ({ ticker: each, form: 'bare' as const }));
            const backfilled = random() < 0.2 ? { releasedAt: T0 - below(random, 900) * SECOND } : {};
            return report(post(`${facts.length + i}`, { mentions, shingles: new Uint32Array() }), backfilled);
          });
          facts.push(...(await writer.append({ facts: reports })).facts);
        };
        const totals = (
          counts: readonly { ticker: string; bucketStart: number; posts: number }[],
        ): string[] =>
          counts.map(({ ticker, bucketStart, posts }) => `${ticker} ${bucketStart} ${posts}`).sort();
        const expected = (knowledge: Knowledge): string[] => {
          const counts = new Map<string, number>();
          for (const { knownAt, body } of known(facts, 'post', knowledge)) {
            for (const ticker of new Set(body.mentions.map((mention) => mention.ticker))) {
              const key = `${ticker} ${floorTo(knownAt, HOUR)}`;
              counts.set(key, (counts.get(key) ?? 0) + 1);
            }
          }
          return [...counts].map(([key, posts]) => `${key} ${posts}`).sort();
        };

        for (const size of [900, 40, 2_500, 3_000, 3_000, 3_000, 30, 500]) {
          const before: Knowledge = { knownBy: LATEST, upToSequence: facts.length };
          const [wanted, counting] = [expected(before), reader.mentionCounts(before, HOUR)];
          await appendPosts(size);
          expect(totals(await counting)).toEqual(wanted);
          const highWater = facts.length - below(random, 500);
          const knowledge: Knowledge = { knownBy: clock.now(), upToSequence: highWater };
          expect(totals(await reader.mentionCounts(knowledge, HOUR))).toEqual(expected(knowledge));
          for (const ticker of ['T0', 'T700']) {
            const about = known(facts, 'post', knowledge).filter(({ body }) =>
              body.mentions.some((mention) => mention.ticker === ticker),
            );
            expect((await reader.postsAbout(ticker, knowledge, 9)).map((fact) => fact.sequence)).toEqual(
              about
                .reverse()
                .slice(0, 9)
                .map((fact) => fact.sequence),
            );
          }
        }
        await reader.close();
      }));

    it('knows when each source began to deliver posts or counts', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const random = seeded(19);
        const facts = await fill(writer, clock, random, 40);
        for (const knowledge of cuts(facts, random)) {
          const starts = new Map<string, number>();
          for (const fact of [...known(facts, 'post', knowledge), ...known(facts, 'count', knowledge)]) {
            starts.set(fact.source, Math.min(fact.knownAt, starts.get(fact.source) ?? LATEST));
          }
          const read = await writer.sourceStarts(knowledge);
          expect(new Map(read.map((start) => [start.source, start.firstKnownAt]))).toEqual(starts);
        }
      }));
  });
}
