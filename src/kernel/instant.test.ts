import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  EARLIEST,
  formatInstant,
  LATEST,
  MILLISECOND,
  parseDay,
  parseInstant,
  SECOND,
} from './instant.js';

describe('parseInstant', () => {
  it('reads what it wrote, to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: EARLIEST, max: LATEST }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });

  it.each([
    ['1970-01-01T00:00:01Z', SECOND],
    ['1970-01-01T01:00:01+01:00', SECOND],
    ['1969-12-31T19:00:01-05:00', SECOND],
    ['1970-01-01t00:00:01.5z', 1.5 * SECOND],
    ['1970-01-01T00:00:00.123456789Z', 123_456],
  ])('reads %s', (text, instant) => expect(parseInstant(text)).toBe(instant));

  it.each([
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+24:00',
    '',
    'now',
  ])('refuses %j', (text) => expect(parseInstant(text)).toBeNull());
});

it('writes whole milliseconds as the calendar of the engine does, also on more days than are remembered', () => {
  for (let day = 0; day < 200_000; day += 17) {
    const instant = EARLIEST + day * DAY + ((day * 7_919_003) % 86_400_000) * MILLISECOND;
    expect(formatInstant(instant)).toBe(new Date(instant / MILLISECOND).toISOString());
  }
  expect(formatInstant(-1)).toBe('1969-12-31T23:59:59.999999Z');
  expect(() => formatInstant(Number.POSITIVE_INFINITY)).toThrow(RangeError);
});

it('reads calendar days and refuses days that are none', () => {
  expect(parseDay('2024-02-29')).toBe(parseInstant('2024-02-29T00:00:00Z'));
  expect(parseDay('2026-02-29')).toBeNull();
  expect(parseDay('2026-2-9')).toBeNull();
});
