import { expect, it } from 'vitest';
import { formatSpan } from './duration.js';
import { DAY, HOUR, MINUTE, SECOND } from './instant.js';
import { ulidOf } from './ulid.js';

it.each([
  [0, 'PT0S'],
  [15 * SECOND, 'PT15S'],
  [90 * MINUTE, 'PT1H30M'],
  [DAY, 'PT24H'],
  [14 * DAY, 'P14D'],
  [2 * DAY + HOUR, 'PT49H'],
])('writes %d as %s', (span, text) => {
  expect(formatSpan(span)).toBe(text);
});

it('refuses what is no whole number of seconds', () => {
  for (const span of [1, -SECOND, Number.NaN]) expect(() => formatSpan(span)).toThrow(RangeError);
});

it('gives ids that are the same every time, differ, and sort by time and number', () => {
  const at = Date.UTC(2026, 2, 4) * 1_000;
  const ids = [ulidOf(at, 1), ulidOf(at, 2), ulidOf(at + 1_000, 0), ulidOf(at + DAY, 2 ** 40)];
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(ulidOf(at, 1)).toBe(ids[0]);
});
