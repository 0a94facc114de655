// Spans of time in their written form (ISO 8601), as receipts and catalogues state them.
import { DAY, HOUR, MINUTE, SECOND } from './instant.js';

/** Whole days up from two days, else hours, minutes and seconds: `P14D`, `PT24H`, `PT1H30M`, `PT0S`. */
export function formatSpan(span: number): string {
  if (!Number.isSafeInteger(span) || span < 0 || span % SECOND !== 0)
    throw new RangeError('a span is written in whole seconds');
  if (span >= 2 * DAY && span % DAY === 0) return `P${span / DAY}D`;
  const parts = [
    [Math.floor(span / HOUR), 'H'],
    [Math.floor((span % HOUR) / MINUTE), 'M'],
    [(span % MINUTE) / SECOND, 'S'],
  ] as const;
  const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  return `PT${text === '' ? '0S' : text}`;
}
