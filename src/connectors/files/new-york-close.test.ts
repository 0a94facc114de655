// The close of every day from 2007 to 2027 by the rule of the law, and of days under the older rules by hand.
import { expect, it } from 'vitest';
import { DAY, formatInstant, HOUR, type Instant, parseDay } from '../../kernel/instant.js';
import { newYorkClose } from './new-york-close.js';

/** The nth Sunday of a month, in UTC midnight. */
function sunday(year: number, month: number, nth: number): Instant {
  const first = parseDay(`${year}-${String(month).padStart(2, '0')}-01`)!;
  const weekday = new Date(first / 1000).getUTCDay();
  return first + (((7 - weekday) % 7) + 7 * (nth - 1)) * DAY;
}

it('follows summer time from the second Sunday of March to the first Sunday of November', () => {
  let [days, changes] = [0, 0];
  let before = -5 * HOUR;
  for (let day = parseDay('2007-01-01')!; day < parseDay('2028-01-01')!; day += DAY) {
    const year = new Date(day / 1000).getUTCFullYear();
    // The change is at two in the night, so the Sunday itself closes by the new clock.
    const summer = day >= sunday(year, 3, 2) && day < sunday(year, 11, 1);
    const offset = summer ? -4 * HOUR : -5 * HOUR;
    expect(newYorkClose(day)).toBe(day + 16 * HOUR - offset);
    if (offset !== before) changes += 1;
    before = offset;
    days += 1;
  }
  expect([days, changes]).toEqual([7670, 42]);
});

it.each([
  ['2007-03-10', '2007-03-10T21:00:00.000Z'],
  ['2007-03-11', '2007-03-11T20:00:00.000Z'],
  ['2024-11-02', '2024-11-02T20:00:00.000Z'],
  ['2024-11-03', '2024-11-03T21:00:00.000Z'],
  // First Sunday of April to last Sunday of October, until 2006.
  ['2006-04-01', '2006-04-01T21:00:00.000Z'],
  ['2006-04-02', '2006-04-02T20:00:00.000Z'],
  ['2006-10-28', '2006-10-28T20:00:00.000Z'],
  ['2006-10-29', '2006-10-29T21:00:00.000Z'],
  // The winter of 1974 was summer from January on.
  ['1974-01-04', '1974-01-04T21:00:00.000Z'],
  ['1974-01-07', '1974-01-07T20:00:00.000Z'],
  ['1962-01-02', '1962-01-02T21:00:00.000Z'],
])('%s closes at %s', (date, close) => {
  expect(formatInstant(newYorkClose(parseDay(date)!))).toBe(close);
});

it('gives the same answer when more days are asked for than it remembers', () => {
  const first = parseDay('1900-01-01')!;
  const ask = (): Instant[] => [3, 20_000, 45_999].map((n) => newYorkClose(first + n * DAY));
  const once = ask();
  for (let n = 0; n < 46_000; n += 1) newYorkClose(first + n * DAY);
  expect(ask()).toEqual(once);
});
