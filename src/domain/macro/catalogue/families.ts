// The 14 families of indexes: gauge keys, labels, their weight in the market score, and the index that points up.

export interface FamilyRow {
  readonly key: string;
  readonly label: string;
  readonly weight: number;
  /** A rise of this index is the positive direction of the family's factor. */
  readonly anchor: string;
}

const rows = [
  { key: 'liquidity', label: 'Liquidity', weight: 0.13, anchor: 'NETLIQ' },
  { key: 'credit', label: 'Credit', weight: 0.13, anchor: 'HYOAS' },
  { key: 'rates', label: 'Rates', weight: 0.11, anchor: 'UST10Y' },
  { key: 'volatility', label: 'Volatility', weight: 0.09, anchor: 'VIX' },
  { key: 'stress', label: 'Systemic stress', weight: 0.08, anchor: 'OFRFSI' },
  { key: 'growth', label: 'Growth', weight: 0.11, anchor: 'WEI' },
  { key: 'inflation', label: 'Inflation', weight: 0.1, anchor: 'BE10' },
  { key: 'labour', label: 'Labour', weight: 0.07, anchor: 'CLAIMS' },
  { key: 'housing', label: 'Housing', weight: 0.03, anchor: 'MORT30' },
  { key: 'fx', label: 'Dollar and FX', weight: 0.05, anchor: 'USDBROAD' },
  { key: 'commodities', label: 'Commodities', weight: 0.03, anchor: 'WTI' },
  { key: 'positioning', label: 'Breadth and positioning', weight: 0.04, anchor: 'BREADTH200' },
  { key: 'global', label: 'Global', weight: 0.02, anchor: 'CISS' },
  { key: 'crypto', label: 'Crypto liquidity', weight: 0.01, anchor: 'BTCTREND' },
] as const satisfies readonly FamilyRow[];

export type Family = (typeof rows)[number]['key'];
export const FAMILIES: readonly (FamilyRow & { readonly key: Family })[] = rows;
export const FAMILY_KEYS: readonly Family[] = rows.map((row) => row.key);
export const FAMILY_COUNT = rows.length;
export const FAMILY_WEIGHTS = Float64Array.from(rows, (row) => row.weight);

const places = new Map<Family, number>(rows.map((row, place) => [row.key, place]));

export function familyPlace(family: Family): number {
  return places.get(family)!;
}
