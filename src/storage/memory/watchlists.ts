// Watchlists of one process, in memory.
import {
  MOST_WATCHLISTS,
  type SavedList,
  TooManyWatchlists,
  type Watchlists,
} from '../../ports/watchlists.js';

export function memoryWatchlists(): Watchlists {
  const byCustomer = new Map<string, Map<string, SavedList>>();
  return {
    find: async (customerId, id) => byCustomer.get(customerId)?.get(id) ?? null,
    async save(customerId, list) {
      const lists = byCustomer.get(customerId) ?? new Map<string, SavedList>();
      if (!lists.has(list.id) && lists.size >= MOST_WATCHLISTS) throw new TooManyWatchlists();
      byCustomer.set(customerId, lists.set(list.id, { ...list, tickers: [...list.tickers] }));
    },
    close: async () => byCustomer.clear(),
  };
}
