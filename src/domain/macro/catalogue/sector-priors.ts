// How sectors moved against the market when a family moved: measured weekly, 2006 to 2025, in basis points.
import type { Family } from './families.js';

export interface SectorRow {
  readonly sector: string;
  /** The fund that holds the sector. */
  readonly fund: string;
  /** Basis points of relative return per one standard deviation of a week's rise, by family. */
  readonly moves: Readonly<Partial<Record<Family, number>>>;
}

/** 10-year yield, high-yield spread, WTI, broad dollar, VIX, 10-year breakeven: the anchors of their families. */
function moves(
  rates: number,
  credit: number,
  commodities: number,
  fx: number,
  volatility: number,
  inflation: number,
): SectorRow['moves'] {
  return { rates, credit, commodities, fx, volatility, inflation };
}

/** Relative to the equal-weighted mean of the sectors. */
export const SECTORS: readonly SectorRow[] = [
  { sector: 'Materials', fund: 'XLB', moves: moves(27, -28, 31, -49, -27, 36) },
  { sector: 'Energy', fund: 'XLE', moves: moves(61, -54, 159, -55, -48, 86) },
  { sector: 'Financials', fund: 'XLF', moves: moves(65, -72, 12, -29, -56, 60) },
  { sector: 'Industrials', fund: 'XLI', moves: moves(25, -31, 2, -10, -24, 22) },
  { sector: 'Information Technology', fund: 'XLK', moves: moves(3, 5, -15, 14, -19, -14) },
  { sector: 'Consumer Staples', fund: 'XLP', moves: moves(-46, 80, -50, 60, 73, -67) },
  { sector: 'Utilities', fund: 'XLU', moves: moves(-72, 58, -45, 27, 73, -57) },
  { sector: 'Health Care', fund: 'XLV', moves: moves(-36, 53, -50, 47, 40, -43) },
  { sector: 'Consumer Discretionary', fund: 'XLY', moves: moves(7, -17, -19, 2, -26, 3) },
  { sector: 'Real Estate', fund: 'XLRE', moves: moves(-72, -4, -38, -25, 31, -36) },
  { sector: 'Communication Services', fund: 'XLC', moves: moves(1, 25, -14, 16, -2, -29) },
];

/** The market itself, absolute. Its signs are those of risk appetite, not the catalogue's signs of tightening. */
export const MARKET_MOVES: SectorRow['moves'] = moves(57, -178, 75, -134, -189, 121);

/** The ticker whose return is the market's. */
export const MARKET_FUND = 'SPY';

const bySector = new Map(SECTORS.map((row) => [row.sector, row]));
const byFund = new Map(SECTORS.map((row) => [row.fund, row]));

export function sectorRow(sector: string): SectorRow | undefined {
  return bySector.get(sector);
}

export function sectorOfFund(ticker: string): SectorRow | undefined {
  return byFund.get(ticker);
}
