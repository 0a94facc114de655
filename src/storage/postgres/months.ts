// Months in UTC, counted from year 0, with their bounds as instants: what partitions are made of.
import { type Instant, MILLISECOND } from '../../kernel/instant.js';

export type Month = number;

export function monthOf(instant: Instant): Month {
  const date = new Date(Math.floor(instant / MILLISECOND));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function monthStart(month: Month): Instant {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime() * MILLISECOND;
}

/** As in a table's name: `2026_03`. */
export function monthName(month: Month): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}_${String((month % 12) + 1).padStart(2, '0')}`;
}
