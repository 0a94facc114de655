// One recorder at a time: the second is refused or waits, and whoever follows goes on where the first one ended.
import { describe, expect, it } from 'vitest';
import { HOUR, LATEST, SECOND } from '../../src/kernel/instant.js';
import { RecorderBusy } from '../../src/ports/archive.js';
import { boundary, frameOf, gather, post, randomRow, report, seeded, T0 } from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

export function archiveRecorderSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: the recorder`, () => {
    it('refuses a second writer while the first one lives', () =>
      withArchive(openStore, async ({ store, writer }) => {
        await expect(store.openWriter()).rejects.toBeInstanceOf(RecorderBusy);
        await writer.append({ facts: [report(post('1'))] });
        await writer.close();
        const next = await store.openWriter();
        expect((await next.extent()).highWater).toBe(1);
        await expect(store.openWriter()).rejects.toBeInstanceOf(RecorderBusy);
        await next.close();
      }));

    it('lets a standby wait and take over', () =>
      withArchive(openStore, async ({ store, writer }) => {
        let opened = false;
        const waiting = store.openWriter({ standby: new AbortController().signal }).then((next) => {
          opened = true;
          return next;
        });
        await new Promise((resolve) => setTimeout(resolve, 400));
        expect(opened).toBe(false);
        await writer.append({ facts: [report(post('1'))] });
        await writer.close();
        const next = await waiting;
        const { facts } = await next.append({ facts: [report(post('1')), report(post('2'))] });
        expect(facts.map((f) => [f.sequence, f.knownAt])).toEqual([[2, T0 + 1]]);
        await next.close();
      }));

    it('lets a standby give up', () =>
      withArchive(openStore, async ({ store, writer }) => {
        const abort = new AbortController();
        const waiting = store.openWriter({ standby: abort.signal });
        setTimeout(() => abort.abort(new Error('enough')), 50);
        await expect(waiting).rejects.toThrow();
        await expect(store.openWriter({ standby: AbortSignal.abort() })).rejects.toThrow();
        await writer.close();
        const next = await store.openWriter();
        await next.close();
      }));

    it('goes on after a restart with its sequence, its clock, its slots and its tape', () =>
      withArchive(openStore, async ({ store, writer, clock }) => {
        const slots = await writer.assignSlots(['A', 'B']);
        const rows = ['A', 'B'].map((ticker) => randomRow(seeded(5), slots.get(ticker)!, ticker));
        clock.set(T0 + HOUR);
        await writer.append({ facts: [report(post('1'))], cursor: { connector: 'c', value: 'v' } });
        const recorded = await writer.appendFrame(frameOf(boundary(1), rows));
        await writer.close();

        clock.set(T0);
        const next = await store.openWriter();
        expect([...(await next.slots())]).toEqual([
          ['A', 0],
          ['B', 1],
          ['NVDA', 2],
        ]);
        expect(await next.cursor('c')).toBe('v');
        const { facts } = await next.append({ facts: [report(post('1')), report(post('2'))] });
        expect(facts.map((f) => [f.sequence, f.knownAt])).toEqual([[3, T0 + HOUR + 2]]);
        await expect(next.appendFrame(frameOf(boundary(1), rows))).rejects.toThrow('already recorded');
        await next.appendFrame(frameOf(boundary(2), rows));
        expect(await next.boardAt(boundary(2))).toEqual(rows);
        expect(await gather(next.frames(0, LATEST))).toHaveLength(2);
        expect(await next.frameAt(boundary(1))).toEqual(recorded);
        await next.close();
      }));

    it('shows a reader what is committed, as soon as it is', () =>
      withArchive(openStore, async ({ store, writer, clock }) => {
        const reader = await store.openReader();
        for (let n = 1; n <= 5; n++) {
          clock.advance(SECOND);
          await writer.append({
            facts: [
              report(post(String(n), { mentions: [{ ticker: `T${n}`, form: 'bare' }] }), { source: `s${n}` }),
            ],
          });
          expect((await reader.extent()).highWater).toBe(n);
          expect(await gather(reader.facts('post', { knownBy: LATEST }))).toHaveLength(n);
          expect((await reader.slots()).get(`T${n}`)).toBe(n - 1);
          expect(await reader.postsAbout(`T${n}`, { knownBy: LATEST }, 3)).toHaveLength(1);
          expect((await reader.sourceStarts({ knownBy: LATEST })).map((s) => s.source)).toContain(`s${n}`);
        }
        expect(reader.location).not.toBe('');
        await reader.close();
      }));

    it('may be closed twice', () =>
      withArchive(openStore, async ({ store, writer }) => {
        const reader = await store.openReader();
        await reader.close();
        await reader.close();
        await writer.close();
        await writer.close();
      }));
  });
}
