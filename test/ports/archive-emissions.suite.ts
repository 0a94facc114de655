// What a cycle says besides its rows: recorded with its frame, in order, and found again by what is asked.
import { describe, expect, it } from 'vitest';
import type { Emission, EmissionQuery, Emitted } from '../../src/domain/facts/emission.js';
import { LATEST, SECOND } from '../../src/kernel/instant.js';
import type { ArchiveWriter } from '../../src/ports/archive.js';
import {
  below,
  boundary,
  frameOf,
  post,
  type Random,
  report,
  seeded,
  T0,
  type TestClock,
} from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const TYPES = ['band_changed', 'entered', 'restated'];
const TICKERS = ['A', 'B', 'C', null];

const emission = (random: Random): Emission => ({
  kind: random() < 0.7 ? 'signal' : 'gate',
  type: TYPES[below(random, 3)]!,
  ticker: TICKERS[below(random, 4)]!,
  body: { text: 'naïve \u0000 🚀', list: [1, null, { deep: 0.1 }], flag: false },
});

async function fill(writer: ArchiveWriter, clock: TestClock, random: Random): Promise<Emitted[]> {
  const emitted: Emitted[] = [];
  for (let n = 0; n < 25; n++) {
    clock.advance(below(random, 3) * SECOND);
    if (random() < 0.3) await writer.append({ facts: [report(post(String(n)))] });
    const emissions = Array.from({ length: below(random, 6) }, () => emission(random));
    const { sequence, knownAt } = await writer.appendFrame(frameOf(boundary(n), []), emissions);
    emissions.forEach((one, i) => {
      emitted.push({ ...one, sequence: sequence + 1 + i, knownAt: knownAt + 1 + i, at: boundary(n) });
    });
  }
  return emitted;
}

function matching(emitted: readonly Emitted[], query: EmissionQuery): Emitted[] {
  const found = emitted.filter(
    (one) =>
      one.kind === query.kind &&
      one.knownAt <= query.knownBy &&
      (query.types === undefined || query.types.includes(one.type)) &&
      (query.ticker === undefined || one.ticker === query.ticker) &&
      one.sequence > (query.afterSequence ?? 0) &&
      one.sequence < (query.beforeSequence ?? LATEST) &&
      one.at >= (query.from ?? 0) &&
      one.at <= (query.to ?? LATEST),
  );
  return query.newest ? found.slice(-query.limit) : found.slice(0, query.limit);
}

export function archiveEmissionsSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: emissions`, () => {
    it('follow their frame in the sequence and are found by everything that can be asked', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(29);
        const emitted = await fill(writer, clock, random);
        expect((await writer.extent()).highWater).toBeGreaterThanOrEqual(emitted.at(-1)!.sequence);
        const reader = await store.openReader();
        for (let n = 0; n < 120; n++) {
          const some = emitted[below(random, emitted.length)]!;
          const query: EmissionQuery = {
            kind: random() < 0.7 ? 'signal' : 'gate',
            knownBy: random() < 0.5 ? LATEST : some.knownAt,
            limit: 1 + below(random, 40),
            ...(random() < 0.3 ? { types: TYPES.slice(0, below(random, 3)) } : {}),
            ...(random() < 0.3 ? { ticker: ['A', 'B', 'NONE', null][below(random, 4)]! } : {}),
            ...(random() < 0.3 ? { afterSequence: some.sequence } : {}),
            ...(random() < 0.3 ? { beforeSequence: some.sequence + below(random, 20) } : {}),
            ...(random() < 0.3 ? { from: boundary(below(random, 30)) } : {}),
            ...(random() < 0.3 ? { to: boundary(below(random, 30)) } : {}),
            ...(random() < 0.5 ? { newest: true } : {}),
          };
          expect(await reader.emissions(query)).toEqual(matching(emitted, query));
        }
        await reader.close();
      }));

    it('are recorded with their frame or not at all, and outlive the writer', () =>
      withArchive(openStore, async ({ writer, store, clock }) => {
        const random = seeded(31);
        const all: EmissionQuery = { kind: 'signal', knownBy: LATEST, limit: 99 };
        const three = Array.from({ length: 3 }, (): Emission => ({ ...emission(random), kind: 'signal' }));
        clock.breakAfter(2);
        await expect(writer.appendFrame(frameOf(boundary(0), []), three)).rejects.toThrow();
        clock.set(T0);
        expect([await writer.emissions(all), await writer.frameAt(LATEST)]).toEqual([[], null]);
        expect((await writer.extent()).highWater).toBe(0);
        await writer.appendFrame(frameOf(boundary(0), []), three);
        await expect(writer.appendFrame(frameOf(boundary(0), []), three)).rejects.toThrow('already recorded');
        await writer.close();

        const next = await store.openWriter();
        expect((await next.emissions(all)).map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
        const { facts } = await next.append({ facts: [report(post('1'))] });
        expect(facts.map((fact) => [fact.sequence, fact.knownAt])).toEqual([[5, T0 + 4]]);
        await next.close();
      }));
  });
}
