// Release clocks of the catalogue on days whose release is known.
import { expect, it } from 'vitest';
import { formatInstant } from '../../kernel/instant.js';
import { readDay } from '../../kernel/new-york-time.js';
import { INDEXES } from './catalogue/indexes.js';
import { nextReference, nextRelease, releaseInstant } from './release-clock.js';

const released = (symbol: string, day: string): string => {
  const row = INDEXES.find((one) => one.symbol === symbol)!;
  return formatInstant(releaseInstant(row.release, readDay(day)!));
};

it('gives the instant of a release, in winter and in summer time', () => {
  expect(released('PAYROLL', '2024-01-01')).toBe('2024-02-02T13:30:00.000Z');
  expect(released('PAYROLL', '2024-05-01')).toBe('2024-06-07T12:30:00.000Z');
  expect(released('CLAIMS', '2024-01-06')).toBe('2024-01-11T13:30:00.000Z');
  expect(released('CLAIMS', '2024-07-06')).toBe('2024-07-11T12:30:00.000Z');
  expect(released('NFCI', '2024-03-01')).toBe('2024-03-06T13:30:00.000Z');
  expect(released('STLFSI', '2024-03-08')).toBe('2024-03-14T14:00:00.000Z');
  expect(released('NETLIQ', '2024-07-10')).toBe('2024-07-11T20:30:00.000Z');
  expect(released('COTSPX', '2024-03-05')).toBe('2024-03-08T20:30:00.000Z');
  expect(released('STABLES', '2024-03-05')).toBe('2024-03-05T00:00:00.000Z');
  expect(released('USDBROAD', '2024-03-04')).toBe('2024-03-11T20:15:00.000Z');
});

it('moves a release on a holiday to the next business day', () => {
  // The Thursday after the reference week is the Fourth of July.
  expect(released('CLAIMS', '2024-06-29')).toBe('2024-07-05T12:30:00.000Z');
  expect(released('VIX', '2024-07-03')).toBe('2024-07-03T20:30:00.000Z');
  expect(released('HYOAS', '2024-07-03')).toBe('2024-07-05T13:00:00.000Z');
});

it('never lets a later period come out before an earlier one', () => {
  for (const row of INDEXES) {
    let day = readDay(row.frequency === 'M' || row.frequency === 'Q' ? '2019-01-01' : '2019-01-02')!;
    let last = releaseInstant(row.release, day);
    for (let i = 0; i < 150; i += 1) {
      const next = nextRelease(row.release, row.frequency, day);
      expect(next, `${row.symbol} after ${day}`).toBeGreaterThanOrEqual(last);
      day = nextReference(row.frequency, day);
      last = next;
    }
  }
});
