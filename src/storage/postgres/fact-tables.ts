// Every kind of fact with its table, and the stamp that all of them share.
import type { Fact, FactKind, FactOf } from '../../domain/facts/fact.js';
import type { Cell, Column } from './binary-copy.js';
import type { FactTable, Row } from './fact-table.js';
import { IDENTITIES } from './identity-tables.js';
import { ASSETS, PRICES, SERIES, SHARES, SPLITS } from './market-tables.js';
import type { Names, Numbers } from './names.js';
import { COUNTS, POST_CHANGES, POSTS } from './post-tables.js';

const STAMP: readonly Column[] = [
  ['sequence', 'int8'],
  ['known_at', 'int8'],
  ['effective_at', 'int8'],
  ['source', 'int2'],
  ['backfilled', 'bool'],
];

const TABLES: { readonly [K in FactKind]: FactTable<K> } = {
  asset: ASSETS,
  count: COUNTS,
  identity: IDENTITIES,
  post: POSTS,
  post_change: POST_CHANGES,
  price: PRICES,
  series: SERIES,
  shares: SHARES,
  split: SPLITS,
};

export const FACT_KINDS = Object.keys(TABLES) as readonly FactKind[];

export function tableOf<K extends FactKind>(kind: K): FactTable<K> {
  return TABLES[kind] as FactTable<K>;
}

export function columnsOf(kind: FactKind): readonly Column[] {
  return [...STAMP, ...TABLES[kind].columns];
}

export function rowOf(fact: Fact, numbers: Numbers): readonly Cell[] {
  const { sequence, knownAt, effectiveAt, source, backfilled, body } = fact;
  const table: FactTable<FactKind> = tableOf(body.kind);
  return [
    sequence,
    knownAt,
    effectiveAt,
    numbers.sourceId(source),
    backfilled,
    ...table.cells(body, numbers),
  ];
}

export function factOf<K extends FactKind>(kind: K, row: Row, names: Names): FactOf<K> {
  return {
    sequence: row['sequence'] as number,
    knownAt: row['known_at'] as number,
    effectiveAt: row['effective_at'] as number,
    source: names.source(row['source'] as number),
    backfilled: row['backfilled'] as boolean,
    body: tableOf(kind).body(row, names),
  } as FactOf<K>;
}
