// How each kind of fact with versions lies in its own table.
import type { BodyOf, FactKind, SharesBasis } from '../../domain/facts/fact.js';
import type { Claim } from '../../domain/facts/identity.js';
import type { PostChange } from '../../domain/facts/post.js';
import { DAY, formatDay, parseDay } from '../../kernel/instant.js';
import { type Cell, type Cells, numberIn, textIn } from './connection.js';
import type { Dictionaries } from './dictionary.js';

/** Kinds with versions; posts have none and a table of another make. */
export type VersionedKind = Exclude<FactKind, 'post'>;

/** Every fact carries these before the columns of its kind. */
export const STAMP_COLUMNS = ['sequence', 'known_at', 'effective_at', 'source', 'backfilled'] as const;

export interface Column {
  readonly name: string;
  readonly type: string;
}

export interface KindTable<K extends VersionedKind> {
  readonly table: string;
  readonly columns: readonly Column[];
  /** The natural key, from these columns and from those of the stamp. */
  readonly key: readonly string[];
  write(body: BodyOf<K>, dictionaries: Dictionaries): Cell[];
  read(cells: Cells, dictionaries: Dictionaries): BodyOf<K>;
}

const INTEGER = 'INTEGER NOT NULL';
const REAL = 'REAL NOT NULL';
const TEXT = 'TEXT NOT NULL';
const TICKER: Column = { name: 'ticker', type: INTEGER };

/** A calendar day as the number of days since 1970. */
const dayNumber = (date: string): number => parseDay(date)! / DAY;
const dayText = (cell: Cell | undefined): string => formatDay(numberIn(cell) * DAY);

const BASES: readonly SharesBasis[] = ['consolidated', 'per_class_sum', 'vendor'];
const CHANGES: readonly PostChange['change'][] = ['deleted', 'edited', 'suppressed', 'restored'];

/** `read` is given the cells without those of the stamp, in the order of `columns`. */
export const KIND_TABLES: { readonly [K in VersionedKind]: KindTable<K> } = {
  asset: {
    table: 'asset',
    columns: [
      TICKER,
      { name: 'name', type: TEXT },
      { name: 'sector', type: 'INTEGER' },
      { name: 'asset_kind', type: INTEGER },
    ],
    key: ['ticker'],
    write: ({ ticker, name, sector, assetKind }, { names, tickers }) => [
      tickers.give(ticker),
      name,
      sector === null ? null : names.give(sector),
      names.give(assetKind),
    ],
    read: (cells, { names, tickers }) => ({
      kind: 'asset',
      ticker: tickers.text(numberIn(cells[0])),
      name: textIn(cells[1]),
      sector: cells[2] === null ? null : names.text(numberIn(cells[2])),
      assetKind: names.text(numberIn(cells[3])),
    }),
  },
  count: {
    table: 'count',
    columns: [
      TICKER,
      { name: 'bucket_start', type: INTEGER },
      { name: 'bucket_seconds', type: INTEGER },
      { name: 'posts', type: INTEGER },
      { name: 'authors', type: 'INTEGER' },
    ],
    key: ['ticker', 'source', 'bucket_start', 'bucket_seconds'],
    write: ({ ticker, bucketStart, bucketSeconds, posts, authors }, { tickers }) => [
      tickers.give(ticker),
      bucketStart,
      bucketSeconds,
      posts,
      authors,
    ],
    read: (cells, { tickers }) => ({
      kind: 'count',
      ticker: tickers.text(numberIn(cells[0])),
      bucketStart: numberIn(cells[1]),
      bucketSeconds: numberIn(cells[2]),
      posts: numberIn(cells[3]),
      authors: cells[4] as number | null,
    }),
  },
  identity: {
    table: 'identity',
    columns: [
      { name: 'id', type: TEXT },
      { name: 'event', type: TEXT },
      { name: 'claims', type: TEXT },
    ],
    key: ['id'],
    write: ({ id, event, claims }) => [id, event, JSON.stringify(claims)],
    read: (cells) => ({
      kind: 'identity',
      id: textIn(cells[0]),
      event: textIn(cells[1]),
      claims: JSON.parse(textIn(cells[2])) as Claim[],
    }),
  },
  post_change: {
    table: 'post_change',
    columns: [
      { name: 'provider', type: INTEGER },
      { name: 'id', type: TEXT },
      { name: 'change', type: INTEGER },
      { name: 'excerpt', type: 'TEXT' },
    ],
    key: ['provider', 'id', 'change'],
    write: ({ provider, id, change, excerpt }, { names }) => [
      names.give(provider),
      id,
      CHANGES.indexOf(change),
      excerpt,
    ],
    read: (cells, { names }) => ({
      kind: 'post_change',
      provider: names.text(numberIn(cells[0])),
      id: textIn(cells[1]),
      change: CHANGES[numberIn(cells[2])]!,
      excerpt: cells[3] as string | null,
    }),
  },
  price: {
    table: 'price',
    columns: [
      TICKER,
      { name: 'day', type: INTEGER },
      { name: 'open', type: REAL },
      { name: 'high', type: REAL },
      { name: 'low', type: REAL },
      { name: 'close', type: REAL },
      { name: 'volume', type: REAL },
    ],
    key: ['ticker', 'day'],
    write: ({ ticker, date, open, high, low, close, volume }, { tickers }) => [
      tickers.give(ticker),
      dayNumber(date),
      open,
      high,
      low,
      close,
      volume,
    ],
    read: (cells, { tickers }) => ({
      kind: 'price',
      ticker: tickers.text(numberIn(cells[0])),
      date: dayText(cells[1]),
      open: numberIn(cells[2]),
      high: numberIn(cells[3]),
      low: numberIn(cells[4]),
      close: numberIn(cells[5]),
      volume: numberIn(cells[6]),
    }),
  },
  series: {
    table: 'series',
    columns: [
      { name: 'series', type: INTEGER },
      { name: 'day', type: INTEGER },
      { name: 'value', type: REAL },
    ],
    key: ['series', 'day'],
    write: ({ series, date, value }, { names }) => [names.give(series), dayNumber(date), value],
    read: (cells, { names }) => ({
      kind: 'series',
      series: names.text(numberIn(cells[0])),
      date: dayText(cells[1]),
      value: numberIn(cells[2]),
    }),
  },
  shares: {
    table: 'shares',
    columns: [TICKER, { name: 'shares', type: REAL }, { name: 'basis', type: INTEGER }],
    key: ['ticker', 'effective_at', 'source'],
    write: ({ ticker, shares, basis }, { tickers }) => [tickers.give(ticker), shares, BASES.indexOf(basis)],
    read: (cells, { tickers }) => ({
      kind: 'shares',
      ticker: tickers.text(numberIn(cells[0])),
      shares: numberIn(cells[1]),
      basis: BASES[numberIn(cells[2])]!,
    }),
  },
  split: {
    table: 'split',
    columns: [TICKER, { name: 'ratio', type: REAL }],
    key: ['ticker', 'effective_at'],
    write: ({ ticker, ratio }, { tickers }) => [tickers.give(ticker), ratio],
    read: (cells, { tickers }) => ({
      kind: 'split',
      ticker: tickers.text(numberIn(cells[0])),
      ratio: numberIn(cells[1]),
    }),
  },
};
