// Which indexes move the market score most: terms of the weighted mean that it is made from.
import type { MarketRegime } from '../../contracts/macro/market-regime.js';
import { INDEXES } from '../../domain/macro/catalogue/indexes.js';
import { clip } from '../../domain/macro/conditions.js';
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import { ROBUST } from '../../domain/macro/parameters.js';
import { counts } from '../../domain/macro/reading.js';

type MarketDriver = MarketRegime['top_drivers'][number];

export function marketDrivers({ indexes, gauges }: MacroFrame, most: number): MarketDriver[] {
  const shareOf = new Map(gauges.map(({ key, weight }) => [key, weight ?? 0]));
  const weights = new Map<string, number>();
  indexes.forEach(({ status, weight }, place) => {
    const { family } = INDEXES[place]!;
    if (counts(status)) weights.set(family, (weights.get(family) ?? 0) + weight);
  });
  return indexes
    .flatMap(({ symbol, status, weight, wind, z }, place): MarketDriver[] => {
      const { family, sign } = INDEXES[place]!;
      const all = weights.get(family) ?? 0;
      if (!counts(status) || z === null || wind === null || all === 0) return [];
      const term = ((shareOf.get(family) ?? 0) * weight * sign * clip(z, ROBUST.scoreClip)) / all;
      return [{ index_symbol: symbol, wind, z_score: rounded(z, 100), contribution: rounded(term, 1e4) }];
    })
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, most);
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps || 0;
}
