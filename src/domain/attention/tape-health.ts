// How complete the tape is and how much it moves: gaps, turnover, and the regime of attention.
import type { Instant } from '../../kernel/instant.js';
import { SECOND } from '../../kernel/instant.js';
import type { FrameHeader, Row } from '../facts/frame.js';

export const REGIME = {
  /** Shares of the tickers with a band that are elevated, high or extreme. */
  activeFrom: 0.05,
  stressedFrom: 0.15,
} as const;
export type AttentionRegime = 'calm' | 'active' | 'stressed';

const ELEVATED: readonly Row['band'][] = ['elevated', 'high', 'extreme'];
const UNMEASURED: readonly Row['band'][] = ['insufficient', 'warming'];

export const isElevated = ({ band }: Pick<Row, 'band'>): boolean => ELEVATED.includes(band);

/** Null while no ticker has a band that says anything. */
export function elevatedShare(rows: readonly Pick<Row, 'band'>[]): number | null {
  const banded = rows.filter(({ band }) => !UNMEASURED.includes(band));
  return banded.length === 0 ? null : banded.filter(isElevated).length / banded.length;
}

export function regimeOf(share: number): AttentionRegime {
  if (share < REGIME.activeFrom) return 'calm';
  return share < REGIME.stressedFrom ? 'active' : 'stressed';
}

export interface Gap {
  readonly from: Instant;
  readonly to: Instant;
  readonly missing: number;
}

type Moment = Pick<FrameHeader, 'at' | 'cycleSeconds'>;

/**
 * Boundaries without a frame between `from` and `to`. `before` is the last frame up to `from`: without one the tape
 * begins with its first frame. The cycle that is under way is not missed yet.
 */
export function gapsIn(headers: readonly Moment[], before: Moment | null, from: Instant, to: Instant): Gap[] {
  const gaps: Gap[] = [];
  let left = before === null ? null : Math.max(before.at, from);
  for (const { at, cycleSeconds } of headers) {
    if (left !== null) add(left, at, Math.round((at - left) / (cycleSeconds * SECOND)) - 1);
    left = at;
  }
  const last = headers.at(-1) ?? before;
  if (last) add(left!, to, Math.floor((to - left!) / (last.cycleSeconds * SECOND)) - 1);
  return gaps;

  function add(start: Instant, end: Instant, missing: number): void {
    if (missing > 0) gaps.push({ from: start, to: end, missing });
  }
}

/** How many of the first tickers were not among the first then, and their share. */
export function turnoverOf(
  now: readonly string[],
  then: readonly string[],
): { readonly entered: number; readonly share: number } {
  const known = new Set(then);
  const entered = now.filter((ticker) => !known.has(ticker)).length;
  return { entered, share: now.length === 0 ? 0 : entered / now.length };
}
