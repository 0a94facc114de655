// Resolves the market capitalisation of a ticker at an instant, and says how far it can be trusted.
import type { Instant } from '../../kernel/instant.js';
import type { FactOf, Shares } from '../facts/fact.js';
import type { Denominator, DenominatorState } from '../facts/frame.js';
import { sixDigits } from '../facts/row-codec.js';
import { ATTENTION } from './parameters.js';

/** All that is known of one listing, each list in the order of knowledge. */
export interface Listing {
  readonly shares: readonly FactOf<'shares'>[];
  readonly prices: readonly FactOf<'price'>[];
  readonly splits: readonly FactOf<'split'>[];
}

const { minShares, minUsd, maxJump, maxSharesAge, maxCloseAge, oldestClose, floorUsdBillions } =
  ATTENTION.denominator;

const NONE: Denominator = {
  state: 'unavailable',
  usdBillions: null,
  shares: null,
  sharesKnownAt: null,
  sharesSource: null,
  close: null,
  closeDate: null,
};

const STATE_OF_BASIS: Readonly<Record<Shares['basis'], DenominatorState>> = {
  consolidated: 'exact',
  per_class_sum: 'per_class_sum',
  vendor: 'vendor',
};

/** Filed share counts come before a vendor's, whatever is newer; within a kind the newest that passes the gates wins. */
const PREFERENCE: readonly Shares['basis'][] = ['consolidated', 'per_class_sum', 'vendor'];

export function resolveDenominator(listing: Listing, at: Instant): Denominator {
  const price = newestPrice(listing.prices, at);
  if (!price) return NONE;
  const close = price.body.close / splitRatio(listing.splits, price.effectiveAt, at, at);
  const trusted = trustedShares(listing, close, at);
  const chosen = PREFERENCE.map((basis) => trusted.findLast((fact) => fact.body.basis === basis)).filter(
    (fact) => fact !== undefined,
  );
  const fresh = chosen.find((fact) => at - fact.effectiveAt <= maxSharesAge);
  const fact = fresh ?? chosen.toSorted((a, b) => b.effectiveAt - a.effectiveAt)[0];
  if (!fact) return { ...NONE, close: sixDigits(close), closeDate: price.body.date };
  const shares = fact.body.shares * splitRatio(listing.splits, fact.effectiveAt, at, at);
  const usdBillions = (shares * close) / 1e9;
  const stale = !fresh || at - price.effectiveAt > maxCloseAge;
  return {
    state: stale ? 'stale' : usdBillions < floorUsdBillions ? 'floored' : STATE_OF_BASIS[fact.body.basis],
    usdBillions: sixDigits(usdBillions),
    shares: sixDigits(shares),
    sharesKnownAt: fact.knownAt,
    sharesSource: fact.source,
    close: sixDigits(close),
    closeDate: price.body.date,
  };
}

/** The divisor of a density: a very small capitalisation is lifted to the floor, and the row says so. */
export function densityDivisor(denominator: Denominator): number | null {
  return denominator.usdBillions === null ? null : Math.max(floorUsdBillions, denominator.usdBillions);
}

/** The next instant at which the same facts would resolve differently: an age runs out, a split takes effect. */
export function denominatorHoldsUntil(listing: Listing, at: Instant): Instant {
  let until = Number.POSITIVE_INFINITY;
  const consider = (instant: Instant): void => {
    if (instant > at && instant < until) until = instant;
  };
  for (const fact of listing.shares) {
    consider(fact.knownAt);
    consider(fact.effectiveAt + maxSharesAge + 1);
  }
  for (const fact of listing.prices) {
    consider(fact.knownAt);
    consider(fact.effectiveAt);
    consider(fact.effectiveAt + maxCloseAge + 1);
    consider(fact.effectiveAt + oldestClose + 1);
  }
  for (const fact of listing.splits) {
    consider(fact.knownAt);
    consider(fact.effectiveAt);
  }
  return until;
}

function newestPrice(prices: readonly FactOf<'price'>[], at: Instant): FactOf<'price'> | null {
  let best: FactOf<'price'> | null = null;
  for (const fact of prices) {
    if (fact.knownAt > at || fact.effectiveAt > at || at - fact.effectiveAt > oldestClose) continue;
    if (!best || fact.effectiveAt >= best.effectiveAt) best = fact;
  }
  return best;
}

/** New shares per old share from splits that took effect after `since`, up to `until`, as known at `knownBy`. */
export function splitRatio(
  splits: readonly FactOf<'split'>[],
  since: Instant,
  until: Instant,
  knownBy: Instant,
): number {
  let ratio = 1;
  for (const fact of splits) {
    if (fact.knownAt <= knownBy && fact.effectiveAt > since && fact.effectiveAt <= until)
      ratio *= fact.body.ratio;
  }
  return ratio;
}

/** Drops placeholder counts, and jumps that no split explains: a wrong share count multiplies density directly. */
function trustedShares(listing: Listing, close: number, at: Instant): FactOf<'shares'>[] {
  const trusted: FactOf<'shares'>[] = [];
  for (const fact of listing.shares.toSorted(
    (a, b) => a.effectiveAt - b.effectiveAt || a.knownAt - b.knownAt,
  )) {
    if (fact.knownAt > at || fact.effectiveAt > at) continue;
    const now = fact.body.shares * splitRatio(listing.splits, fact.effectiveAt, at, at);
    if (now < minShares || now * close < minUsd) continue;
    const before = trusted.at(-1);
    if (before) {
      const was = before.body.shares * splitRatio(listing.splits, before.effectiveAt, at, at);
      if (now / was > maxJump || was / now > maxJump) continue;
    }
    trusted.push(fact);
  }
  return trusted;
}
