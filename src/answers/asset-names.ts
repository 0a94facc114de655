// Names and sectors of assets as they were known at an instant.
import type { FactOf } from '../domain/facts/fact.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { MINUTE } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

/** Assets change rarely, so the whole list is kept and read again when it is some minutes old. */
export class AssetNames {
  readonly #archive: ArchiveReader;
  readonly #clock: Clock;
  #byTicker = new Map<string, FactOf<'asset'>[]>();
  #readAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(archive: ArchiveReader, clock: Clock) {
    this.#archive = archive;
    this.#clock = clock;
  }

  async at(ticker: string, instant: Instant): Promise<{ name: string; sector: string | null } | null> {
    const now = this.#clock();
    if (now - this.#readAt > 5 * MINUTE || !this.#byTicker.has(ticker)) await this.#read(now);
    const fact = this.#byTicker.get(ticker)?.findLast(({ knownAt }) => knownAt <= instant);
    return fact ? { name: fact.body.name, sector: fact.body.sector } : null;
  }

  /** Tickers by the sector that they were known to be in; those without one are left out. */
  async sectors(instant: Instant): Promise<ReadonlyMap<string, readonly string[]>> {
    const now = this.#clock();
    if (now - this.#readAt > 5 * MINUTE || this.#byTicker.size === 0) await this.#read(now);
    const bySector = new Map<string, string[]>();
    for (const [ticker, facts] of this.#byTicker) {
      const sector = facts.findLast(({ knownAt }) => knownAt <= instant)?.body.sector;
      if (sector == null) continue;
      const tickers = bySector.get(sector);
      if (tickers) tickers.push(ticker);
      else bySector.set(sector, [ticker]);
    }
    return bySector;
  }

  async #read(now: Instant): Promise<void> {
    // A ticker that is not there must not cause a reading for every request that names it.
    if (now - this.#readAt < MINUTE / 6) return;
    this.#readAt = now;
    const byTicker = new Map<string, FactOf<'asset'>[]>();
    for await (const facts of this.#archive.facts('asset', { knownBy: now })) {
      for (const fact of facts) {
        const known = byTicker.get(fact.body.ticker);
        if (known) known.push(fact);
        else byTicker.set(fact.body.ticker, [fact]);
      }
    }
    this.#byTicker = byTicker;
  }
}
