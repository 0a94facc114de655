// For each change on a page, the one of the same kind and ticker before it.
import type { Emitted } from '../domain/facts/emission.js';
import { LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

/** `page` has every change of its kinds and tickers between its first and its last: only the first of each is looked up. */
export function changesBefore(
  archive: ArchiveReader,
  page: readonly Emitted[],
): Promise<readonly (Emitted | null)[]> {
  const seen = new Map<string, Emitted>();
  return Promise.all(
    page.map(async (change) => {
      const { type, ticker, sequence } = change;
      const key = `${type} ${ticker}`;
      const before = seen.get(key);
      seen.set(key, change);
      if (before) return before;
      const query = { kind: 'signal', types: [type], ticker, beforeSequence: sequence } as const;
      const [found] = await archive.emissions({ ...query, knownBy: LATEST, newest: true, limit: 1 });
      return found ?? null;
    }),
  );
}
