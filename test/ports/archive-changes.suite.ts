// What became of posts: the newest change as known by an instant, and deletions that nothing undoes.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/domain/facts/fact.js';
import type { PostChange } from '../../src/domain/facts/post.js';
import { HOUR, LATEST, SECOND } from '../../src/kernel/instant.js';
import { below, gather, report, seeded, T0 } from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const change = (id: string, over: Partial<PostChange> = {}): PostChange => ({
  kind: 'post_change',
  provider: 'bluesky',
  id,
  change: 'edited',
  excerpt: null,
  ...over,
});

const CHANGES = ['deleted', 'edited', 'suppressed', 'restored'] as const;

export function archiveChangesSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: changes of posts`, () => {
    it('answers in the order of the question, by provider and id, with null where nothing happened', () =>
      withArchive(openStore, async ({ writer }) => {
        await writer.append({
          facts: [
            report(change('1', { excerpt: 'naïve 🚀' })),
            report(change('1', { provider: 'mastodon', change: 'suppressed' })),
          ],
        });
        const asked = ['mastodon', 'bluesky', 'reddit', 'bluesky'].map((provider, i) => ({
          provider,
          id: i === 3 ? '2' : '1',
        }));
        const found = await writer.changesOf(asked, LATEST);
        expect(found.map((fact) => fact?.body ?? null)).toEqual([
          change('1', { provider: 'mastodon', change: 'suppressed' }),
          change('1', { excerpt: 'naïve 🚀' }),
          null,
          null,
        ]);
        expect(found[1]).toMatchObject({
          sequence: 1,
          knownAt: T0,
          source: 'test-source',
          backfilled: false,
        });
        expect(await writer.changesOf([], LATEST)).toEqual([]);
      }));

    it('keeps a deletion, whatever is reported later or dated earlier', () =>
      withArchive(openStore, async ({ writer, clock }) => {
        const ask = async (knownBy: number) =>
          (await writer.changesOf([{ provider: 'bluesky', id: '1' }], knownBy))[0]?.body.change ?? null;
        await writer.append({ facts: [report(change('1', { change: 'suppressed' }))] });
        clock.advance(SECOND);
        await writer.append({ facts: [report(change('1', { change: 'restored' }))] });
        clock.advance(SECOND);
        await writer.append({ facts: [report(change('1', { change: 'deleted' }))] });
        clock.advance(SECOND);
        await writer.append({
          facts: [
            report(change('1', { change: 'restored' }), { releasedAt: T0 + HOUR }),
            report(change('1', { change: 'edited' })),
          ],
        });
        expect(await Promise.all([-1, 0, 1, 2, 9_999].map((s) => ask(T0 + s * SECOND)))).toEqual([
          null,
          'suppressed',
          'restored',
          'deleted',
          'deleted',
        ]);
      }));

    it('agrees with a walk over all changes at any instant', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(37);
        for (let n = 0; n < 30; n++) {
          clock.advance(below(random, 3) * SECOND);
          const facts: Report[] = Array.from({ length: 1 + below(random, 4) }, () =>
            report(
              change(String(below(random, 6)), { change: CHANGES[below(random, 4)]! }),
              random() < 0.4 ? { releasedAt: T0 + below(random, 60) * SECOND } : {},
            ),
          );
          await writer.append({ facts });
        }
        const reader = await store.openReader();
        const posts = Array.from({ length: 8 }, (_, id) => ({ provider: 'bluesky', id: String(id) }));
        for (let n = 0; n < 20; n++) {
          const knownBy = T0 + below(random, 70) * SECOND;
          const all = await gather(reader.facts('post_change', { knownBy }));
          const expected = posts.map(({ id }) => {
            const own = all.filter(({ body }) => body.id === id);
            return own.findLast(({ body }) => body.change === 'deleted') ?? own.at(-1) ?? null;
          });
          expect(await reader.changesOf(posts, knownBy)).toEqual(expected);
        }
        await reader.close();
      }));
  });
}
