// What is known of assets, prices, share counts and splits, per ticker, and the denominators they resolve to.
import type { Instant } from '../../kernel/instant.js';
import type { Fact, FactOf } from '../facts/fact.js';
import type { Denominator } from '../facts/frame.js';
import { denominatorHoldsUntil, resolveDenominator, splitRatio } from './denominator.js';
import { ATTENTION } from './parameters.js';

interface Entry {
  readonly assets: FactOf<'asset'>[];
  readonly shares: FactOf<'shares'>[];
  readonly prices: FactOf<'price'>[];
  readonly splits: FactOf<'split'>[];
  denominator: Denominator | null;
  holdsFrom: Instant;
  holdsUntil: Instant;
}

export class ReferenceBook {
  readonly #entries = new Map<string, Entry>();

  take(fact: Fact): void {
    const { body } = fact;
    if (body.kind === 'asset') this.#entry(body.ticker).assets.push(fact as FactOf<'asset'>);
    else if (body.kind === 'shares') this.#insert(body.ticker, 'shares', fact as FactOf<'shares'>);
    else if (body.kind === 'price') this.#insert(body.ticker, 'prices', fact as FactOf<'price'>);
    else if (body.kind === 'split') this.#insert(body.ticker, 'splits', fact as FactOf<'split'>);
  }

  /** Whether the ticker is a listed asset: texts may name it. */
  has(ticker: string): boolean {
    return (this.#entries.get(ticker)?.assets.length ?? 0) > 0;
  }

  asset(ticker: string, at: Instant): FactOf<'asset'> | null {
    return this.#entries.get(ticker)?.assets.findLast((fact) => fact.knownAt <= at) ?? null;
  }

  /**
   * Closes of the last month known by an instant, oldest first, adjusted for nothing: one per trading day. Older ones
   * may still be held, but a book that was rebuilt does not have them.
   */
  closes(ticker: string, at: Instant): readonly FactOf<'price'>[] {
    const byDay = new Map<Instant, FactOf<'price'>>();
    for (const fact of this.#entries.get(ticker)?.prices ?? []) {
      const age = at - fact.effectiveAt;
      if (fact.knownAt <= at && age >= 0 && age <= ATTENTION.denominator.oldestClose)
        byDay.set(fact.effectiveAt, fact);
    }
    return [...byDay.values()].sort((a, b) => a.effectiveAt - b.effectiveAt);
  }

  /** New shares per old share from splits between two closes, as known at an instant. */
  splitRatio(ticker: string, from: Instant, to: Instant, at: Instant): number {
    return splitRatio(this.#entries.get(ticker)?.splits ?? [], from, to, at);
  }

  /** The same object as long as nothing changes, so that unchanged denominators are stored and hashed once. */
  denominator(ticker: string, at: Instant): Denominator {
    const entry = this.#entries.get(ticker) ?? EMPTY;
    if (entry.denominator && at >= entry.holdsFrom && at < entry.holdsUntil) return entry.denominator;
    const resolved = resolveDenominator(entry, at);
    entry.holdsFrom = at;
    entry.holdsUntil = denominatorHoldsUntil(entry, at);
    if (!entry.denominator || !same(entry.denominator, resolved)) entry.denominator = resolved;
    return entry.denominator;
  }

  #insert<K extends 'shares' | 'prices' | 'splits'>(ticker: string, list: K, fact: Entry[K][number]): void {
    const entry = this.#entry(ticker);
    const facts = entry[list] as Fact[];
    // Facts nearly always come in the order of knowledge; a late one is put in its place.
    let at = facts.length;
    while (at > 0 && order(facts[at - 1]!, fact) > 0) at--;
    facts.splice(at, 0, fact);
    if (list === 'prices') forgetOldPrices(entry.prices);
    entry.holdsUntil = Math.min(entry.holdsUntil, fact.knownAt);
  }

  #entry(ticker: string): Entry {
    let entry = this.#entries.get(ticker);
    if (!entry) {
      entry = emptyEntry();
      this.#entries.set(ticker, entry);
    }
    return entry;
  }
}

/** Closes that the resolver would not look at any more; a year of them must not make every resolution slower. */
function forgetOldPrices(prices: FactOf<'price'>[]): void {
  const newest = prices.at(-1)!;
  let old = 0;
  while (newest.knownAt - prices[old]!.knownAt > 2 * ATTENTION.denominator.oldestClose) old++;
  if (old > 0) prices.splice(0, old);
}

function emptyEntry(): Entry {
  return { assets: [], shares: [], prices: [], splits: [], denominator: null, holdsFrom: 0, holdsUntil: 0 };
}

const EMPTY = emptyEntry();
const order = (a: Fact, b: Fact): number => a.knownAt - b.knownAt || a.sequence - b.sequence;

function same(a: Denominator, b: Denominator): boolean {
  return (Object.keys(a) as (keyof Denominator)[]).every((member) => a[member] === b[member]);
}
