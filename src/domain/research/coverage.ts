// Counts of what a packet holds and of what it lacks; no ratio is made of them.
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { PendingReason } from '../../contracts/research/identity-words.js';
import type { CohortRows } from './cohort-rows.js';

type Coverage = HubPitIdentityCohort['coverage'];
type BasketCounts = Coverage['by_basket'][number];

export function coverageOf(rows: CohortRows): Coverage {
  const { baskets, bindings, instruments, issuers, pendings, hypotheses, outside } = rows;
  const counts = new Map<string, BasketCounts>();
  for (const { value } of baskets) {
    const { basket_id } = value.event;
    counts.set(basket_id, { basket_id, primary: 0, context: 0, pending: 0, unavailable: 0 });
  }
  for (const { basketId, role } of bindings)
    counts.get(basketId)![role === 'PRIMARY' ? 'primary' : 'context'] += 1;
  const gaps = new Map<string, { basket_id: string; reason: PendingReason; count: number }>();
  const lack = (basket_id: string, reason: PendingReason, count: number): void => {
    const gap = gaps.get(`${basket_id} ${reason}`) ?? { basket_id, reason, count: 0 };
    gap.count += count;
    gaps.set(`${basket_id} ${reason}`, gap);
  };
  for (const { basket_id, state, reason } of pendings) {
    counts.get(basket_id)![state] += 1;
    lack(basket_id, reason, 1);
  }
  for (const [basketId, count] of outside) lack(basketId, 'outside_known_window', count);

  const byBasket = [...counts.values()];
  const total = (name: Exclude<keyof BasketCounts, 'basket_id'>): number =>
    byBasket.reduce((sum, basket) => sum + basket[name], 0);
  return {
    baskets: baskets.length,
    instruments,
    issuers,
    bindings: { primary: total('primary'), context: total('context') },
    pending: total('pending'),
    unavailable: total('unavailable'),
    hypotheses: hypotheses.length,
    by_basket: byBasket,
    gaps: [...gaps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, gap]) => gap),
  };
}
