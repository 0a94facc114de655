// The tables of what is known about instruments and series.
import type { SharesBasis } from '../../domain/facts/fact.js';
import { DAY, formatDay, parseDay } from '../../kernel/instant.js';
import type { Cell, Column } from './binary-copy.js';
import { type FactTable, SLOT } from './fact-table.js';

/** Counted from 1970-01-01; the type of the database lacks the year 0. */
const DAY_COLUMN: Column = ['day', 'int4'];

const toDay = (date: string): number => parseDay(date)! / DAY;
const ofDay = (cell: Cell | undefined): string => formatDay((cell as number) * DAY);

export const ASSETS: FactTable<'asset'> = {
  table: 'assets',
  columns: [SLOT, ['name', 'text'], ['sector', 'text'], ['asset_kind', 'text']],
  cells: (body, numbers) => [numbers.slotOf(body.ticker), body.name, body.sector, body.assetKind],
  body: (row, names) => ({
    kind: 'asset',
    ticker: names.ticker(row['slot'] as number),
    name: row['name'] as string,
    sector: row['sector'] as string | null,
    assetKind: row['asset_kind'] as string,
  }),
  key: [SLOT],
  keyCells: ({ body }, numbers) => [numbers.slotOf(body.ticker)],
};

export const PRICES: FactTable<'price'> = {
  table: 'prices',
  columns: [
    SLOT,
    DAY_COLUMN,
    ['open', 'float8'],
    ['high', 'float8'],
    ['low', 'float8'],
    ['close', 'float8'],
    ['volume', 'float8'],
  ],
  cells: (body, numbers) => [
    numbers.slotOf(body.ticker),
    toDay(body.date),
    body.open,
    body.high,
    body.low,
    body.close,
    body.volume,
  ],
  body: (row, names) => ({
    kind: 'price',
    ticker: names.ticker(row['slot'] as number),
    date: ofDay(row['day']),
    open: row['open'] as number,
    high: row['high'] as number,
    low: row['low'] as number,
    close: row['close'] as number,
    volume: row['volume'] as number,
  }),
  key: [SLOT, DAY_COLUMN],
  keyCells: ({ body }, numbers) => [numbers.slotOf(body.ticker), toDay(body.date)],
};

export const SHARES: FactTable<'shares'> = {
  table: 'shares',
  columns: [SLOT, ['shares', 'float8'], ['basis', 'text']],
  cells: (body, numbers) => [numbers.slotOf(body.ticker), body.shares, body.basis],
  body: (row, names) => ({
    kind: 'shares',
    ticker: names.ticker(row['slot'] as number),
    shares: row['shares'] as number,
    basis: row['basis'] as SharesBasis,
  }),
  key: [SLOT, ['effective_at', 'int8'], ['source', 'int2']],
  keyCells: ({ body, effectiveAt, source }, numbers) => [
    numbers.slotOf(body.ticker),
    effectiveAt,
    numbers.sourceId(source),
  ],
};

export const SPLITS: FactTable<'split'> = {
  table: 'splits',
  columns: [SLOT, ['ratio', 'float8']],
  cells: (body, numbers) => [numbers.slotOf(body.ticker), body.ratio],
  body: (row, names) => ({
    kind: 'split',
    ticker: names.ticker(row['slot'] as number),
    ratio: row['ratio'] as number,
  }),
  key: [SLOT, ['effective_at', 'int8']],
  keyCells: ({ body, effectiveAt }, numbers) => [numbers.slotOf(body.ticker), effectiveAt],
};

export const SERIES: FactTable<'series'> = {
  table: 'series',
  columns: [['series', 'text'], DAY_COLUMN, ['value', 'float8']],
  cells: (body) => [body.series, toDay(body.date), body.value],
  body: (row) => ({
    kind: 'series',
    series: row['series'] as string,
    date: ofDay(row['day']),
    value: row['value'] as number,
  }),
  key: [['series', 'text'], DAY_COLUMN],
  keyCells: ({ body }) => [body.series, toDay(body.date)],
};
