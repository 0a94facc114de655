// Values that the release calendar expects after an instant, as the frame itself says.
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';

export interface ReleaseDue {
  readonly index_symbol: string;
  readonly due_at: string;
}

/** With `from` < due ≤ `to`, the next first; those of `symbols` only, where they are given. */
export function releasesDue(
  { indexes }: MacroFrame,
  from: Instant,
  to: Instant,
  symbols?: ReadonlySet<string>,
): ReleaseDue[] {
  return indexes
    .flatMap(({ symbol, nextReleaseAt: dueAt }) =>
      dueAt !== null && dueAt > from && dueAt <= to && symbols?.has(symbol) !== false
        ? [{ symbol, dueAt }]
        : [],
    )
    .sort((a, b) => a.dueAt - b.dueAt)
    .map(({ symbol, dueAt }) => ({ index_symbol: symbol, due_at: formatInstant(dueAt) }));
}
