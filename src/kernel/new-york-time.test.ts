// The calendar by rule against the zone database and the platform's own calendar.
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from './instant.js';
import {
  civilOf,
  dayOf,
  hoursBehind,
  newYorkDay,
  newYorkInstant,
  readDay,
  weekdayOf,
  writeDay,
  writeNewYorkClock,
} from './new-york-time.js';

it('reads and writes every day of a century like the platform', () => {
  for (let day = dayOf(1960, 1, 1); day < dayOf(2060, 1, 1); day += 1) {
    const date = new Date(day * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    if (writeDay(day) !== text || readDay(text) !== day || weekdayOf(day) !== date.getUTCDay())
      expect.fail(`${text} is read as ${writeDay(day)}`);
    const { year, month, date: inMonth } = civilOf(day);
    if (dayOf(year, month, inMonth) !== day) expect.fail(text);
  }
  expect(readDay('2024-02-30')).toBeNull();
  expect(readDay('2024-2-03')).toBeNull();
  expect(dayOf(2024, 14, 3)).toBe(dayOf(2025, 2, 3));
});

it('agrees with the zone database at every hour around every change of the clocks', () => {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  let changes = 0;
  for (let day = dayOf(1967, 1, 1); day < dayOf(2037, 1, 1); day += 1) {
    const changing = hoursBehind(day * DAY) !== hoursBehind((day + 1) * DAY);
    if (changing) changes += 1;
    for (let hour = 0; hour < 24; hour += changing ? 1 : 12) {
      const at = day * DAY + hour * HOUR;
      const local = (hour - hoursBehind(at) + 24) % 24;
      if (local !== Number(clock.format(at / 1000))) expect.fail(`${writeDay(day)} ${hour}:00 UTC`);
    }
  }
  expect(changes).toBe(140);
});

it('agrees with the zone database about 8:30 of every day since 1946', () => {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  for (let day = dayOf(1946, 1, 1); day < dayOf(2037, 1, 1); day += 1) {
    const at = newYorkInstant(day, 8 * 60 + 30);
    if (writeNewYorkClock(at) !== '08:30') expect.fail(`${writeDay(day)} ${writeNewYorkClock(at)}`);
    const text = clock.format(at / 1000).replace(', ', 'T');
    if (text !== `${writeDay(day)}T08:30`) expect.fail(`${writeDay(day)} 08:30 is ${text}`);
    if (newYorkDay(at) !== day) expect.fail(writeDay(day));
  }
});

it('turns wall time into instants on both sides of a change of clocks', () => {
  expect(newYorkInstant(dayOf(2024, 3, 8), 510)).toBe(dayOf(2024, 3, 8) * DAY + 13 * HOUR + 30 * MINUTE);
  expect(newYorkInstant(dayOf(2024, 3, 11), 510)).toBe(dayOf(2024, 3, 11) * DAY + 12 * HOUR + 30 * MINUTE);
});
