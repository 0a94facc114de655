// Reads records of what is listed and what it costs: assets, daily prices, share counts, splits.
import type { Asset, Price, Report, Shares, SharesBasis, Split } from '../../domain/facts/fact.js';
import { closeOf } from '../../domain/facts/trading-days.js';
import { MINUTE } from '../../kernel/instant.js';
import { dayAt } from '../../kernel/new-york-time.js';
import { optionalText, positive, refuse, requiredNumber, requiredText, tickerOf } from './fields.js';
import { dayOf, notAhead, optionalInstantOrDay, requiredInstantOrDay } from './moments.js';
import type { RecordKind } from './record-kind.js';

/** Without `known_at` an asset is known from the import on: the file does not say since when it was listed. */
export const ASSET_RECORD: RecordKind<Report<Asset>> = {
  required: ['ticker', 'name'],
  optional: ['sector', 'kind', 'known_at'],
  read(record, { now, source }) {
    const releasedAt = notAhead(optionalInstantOrDay(record, 'known_at') ?? now, now, 'known_at');
    const body: Asset = {
      kind: 'asset',
      ticker: tickerOf(record),
      name: requiredText(record, 'name', 300),
      sector: optionalText(record, 'sector', 100),
      assetKind: optionalText(record, 'kind', 50) ?? 'common',
    };
    return { source, effectiveAt: releasedAt, releasedAt, body };
  },
};

/** A consolidated close is out within this time; a shortened day is then known too late rather than too early. */
const CLOSE_TO_RELEASE = 15 * MINUTE;

export const PRICE_RECORD: RecordKind<Report<Price>> = {
  required: ['ticker', 'date', 'open', 'high', 'low', 'close', 'volume'],
  optional: [],
  read(record, { now, source }) {
    const date = dayOf(record, 'date');
    const effectiveAt = closeOf(dayAt(date.start));
    const releasedAt = notAhead(effectiveAt + CLOSE_TO_RELEASE, now, 'the close of date');
    const ticker = tickerOf(record);
    const [open, high] = [positive(record, 'open'), positive(record, 'high')];
    const [low, close] = [positive(record, 'low'), positive(record, 'close')];
    const volume = requiredNumber(record, 'volume');
    if (high < open || high < low || high < close) return refuse('high is not the highest');
    if (low > open || low > close) return refuse('low is not the lowest');
    if (volume < 0) return refuse('volume is below zero');
    const body: Price = { kind: 'price', ticker, date: date.text, open, high, low, close, volume };
    return { source, effectiveAt, releasedAt, body };
  },
};

const BASES: ReadonlySet<string> = new Set<SharesBasis>(['consolidated', 'per_class_sum', 'vendor']);

export const SHARES_RECORD: RecordKind<Report<Shares>> = {
  required: ['ticker', 'shares', 'effective_at', 'known_at'],
  optional: ['basis'],
  read(record, { now, source }) {
    const effectiveAt = requiredInstantOrDay(record, 'effective_at');
    const releasedAt = notAhead(requiredInstantOrDay(record, 'known_at'), now, 'known_at');
    const basis = optionalText(record, 'basis', 32) ?? 'consolidated';
    if (!BASES.has(basis)) return refuse('basis is not consolidated, per_class_sum or vendor');
    const body: Shares = {
      kind: 'shares',
      ticker: tickerOf(record),
      shares: positive(record, 'shares'),
      basis: basis as SharesBasis,
    };
    return { source, effectiveAt, releasedAt, body };
  },
};

/** Without `known_at` a split is known when it takes effect, so one that lies ahead must say when it was announced. */
export const SPLIT_RECORD: RecordKind<Report<Split>> = {
  required: ['ticker', 'ratio', 'effective_at'],
  optional: ['known_at'],
  read(record, { now, source }) {
    const effectiveAt = requiredInstantOrDay(record, 'effective_at');
    const knownAt = optionalInstantOrDay(record, 'known_at');
    const releasedAt = notAhead(knownAt ?? effectiveAt, now, knownAt === null ? 'effective_at' : 'known_at');
    const body: Split = { kind: 'split', ticker: tickerOf(record), ratio: positive(record, 'ratio') };
    return { source, effectiveAt, releasedAt, body };
  },
};
