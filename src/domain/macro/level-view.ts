// The levels of one index in the vintage that is known: the only thing a transform may look at.
import { civilOf, type Day, dayOf } from '../../kernel/new-york-time.js';

export interface LevelView {
  /** Reference days, upwards. */
  readonly days: ArrayLike<number>;
  readonly levels: ArrayLike<number>;
  readonly length: number;
  /** Grows whenever something other than an append at the end has happened. */
  readonly rewrites: number;
}

/** The last place whose day is not after the given one, among the first `end` places; -1 when there is none. */
export function placeUpTo(days: ArrayLike<number>, end: number, day: Day): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The place `span` days before place `p`, at most `slack` days older than that; -1 when it is not known. */
export function placeDaysBack(view: LevelView, p: number, span: number, slack: number): number {
  const target = view.days[p]! - span;
  const found = placeUpTo(view.days, p, target);
  return found >= 0 && view.days[found]! >= target - slack ? found : -1;
}

/** The place of the same date `months` earlier; monthly series are dated by the first of their month. */
export function placeMonthsBack(view: LevelView, p: number, months: number): number {
  const { year, month, date } = civilOf(view.days[p]!);
  const target = dayOf(year, month - months, date);
  const found = placeUpTo(view.days, p, target);
  return found >= 0 && view.days[found] === target ? found : -1;
}
