// The promises of the watchlists port, asked of every store in the same words.
import { describe, expect, it } from 'vitest';
import {
  MOST_WATCHLISTS,
  type SavedList,
  TooManyWatchlists,
  type Watchlists,
} from '../../src/ports/watchlists.js';

export type OpenWatchlists = () => Promise<{
  readonly lists: Watchlists;
  /** The same store, seen by another process. */
  readonly elsewhere: Watchlists;
  readonly remove: () => Promise<void>;
}>;

const list = (id: string, over: Partial<SavedList> = {}): SavedList => ({
  id,
  name: 'naïve 🚀',
  tickers: ['NVDA', 'BRK.B'],
  savedAt: 1_772_000_000_000_001,
  ...over,
});

export function watchlistsSuite(name: string, open: OpenWatchlists): void {
  const withLists = async (test: (opened: Awaited<ReturnType<OpenWatchlists>>) => Promise<void>) => {
    const opened = await open();
    await test(opened).finally(() => opened.remove());
  };

  describe(`${name}: watchlists`, () => {
    it('gives back what was saved, replaces it, and keeps customers apart', () =>
      withLists(async ({ lists, elsewhere }) => {
        expect(await lists.find('a', 'core')).toBeNull();
        await lists.save('a', list('core'));
        await lists.save('b', list('core', { name: null, tickers: ['GME'] }));
        expect(await elsewhere.find('a', 'core')).toEqual(list('core'));
        await elsewhere.save('a', list('core', { tickers: ['AAPL'], savedAt: 7 }));
        expect(await lists.find('a', 'core')).toEqual(list('core', { tickers: ['AAPL'], savedAt: 7 }));
        expect(await lists.find('b', 'core')).toEqual(list('core', { name: null, tickers: ['GME'] }));
        expect(await lists.find('a', 'Core')).toBeNull();
        expect(await lists.find("a' --", 'core')).toBeNull();
      }));

    it('has room for so many lists of one customer, also when they are saved at once', () =>
      withLists(async ({ lists, elsewhere }) => {
        const saving = Array.from({ length: MOST_WATCHLISTS + 5 }, (_, i) =>
          (i % 2 === 0 ? lists : elsewhere).save('a', list(`l${i}`)).then(
            () => 'saved',
            (error: unknown) => error,
          ),
        );
        const results = await Promise.all(saving);
        expect(results.filter((one) => one === 'saved')).toHaveLength(MOST_WATCHLISTS);
        for (const one of results) if (one !== 'saved') expect(one).toBeInstanceOf(TooManyWatchlists);
        const known = `l${results.indexOf('saved')}`;
        await lists.save('a', list(known, { tickers: ['T'] }));
        expect((await lists.find('a', known))?.tickers).toEqual(['T']);
        await lists.save('b', list('first'));
        expect(await elsewhere.find('b', 'first')).not.toBeNull();
      }));
  });
}
