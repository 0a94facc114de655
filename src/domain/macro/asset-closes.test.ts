// Closes as they were known: splits, corrections, late arrivals, and the weekly returns made from them.
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../kernel/instant.js';
import { dayOf } from '../../kernel/new-york-time.js';
import { AssetCloses } from './asset-closes.js';
import { dayOfSession, sessionUpTo, weekOf, weekStep } from './sessions.js';

const FIRST = sessionUpTo(dayOf(2023, 1, 3));
const NEVER = Number.POSITIVE_INFINITY;

function filled(sessions: number, close: (i: number) => number): AssetCloses {
  const closes = new AssetCloses();
  for (let i = 0; i < sessions; i += 1) {
    const day = dayOfSession(FIRST + i);
    closes.take(day, close(i), day * DAY + 21 * HOUR, i);
  }
  return closes;
}

const returnsOf = (
  closes: AssetCloses,
  first: number,
  last: number,
  knownBy = weekStep(last + 1),
): number[] => {
  const into = new Float64Array(last - first + 1);
  closes.returns(into, first, last, knownBy);
  return [...into];
};

it('measures a week from the last close of one to the last close of the next', () => {
  const closes = filled(60, (i) => 100 * 1.01 ** i);
  const week = weekOf(dayOf(2023, 2, 1));
  expect(returnsOf(closes, week, week + 1)).toEqual([
    expect.closeTo(5 * Math.log(1.01)),
    expect.closeTo(5 * Math.log(1.01)),
  ]);
  // The week of Presidents' Day has four sessions.
  const holiday = weekOf(dayOf(2023, 2, 22));
  expect(returnsOf(closes, holiday, holiday)[0]).toBeCloseTo(4 * Math.log(1.01), 12);
  expect(returnsOf(closes, week - 40, week - 40)[0]).toBeNaN();
});

it('sees through a split', () => {
  const splitDay = dayOf(2023, 2, 1);
  const closes = filled(60, (i) => (dayOfSession(FIRST + i) >= splitDay ? 50 : 100));
  closes.takeSplit(splitDay, 2, (splitDay - 20) * DAY);
  const week = weekOf(splitDay);
  expect(returnsOf(closes, week, week)[0]).toBe(0);
});

it('does not know a split, a correction or a late close before its time', () => {
  const splitDay = dayOf(2023, 2, 1);
  const closes = filled(60, (i) => (dayOfSession(FIRST + i) >= splitDay ? 50 : 100));
  const told = (splitDay + 30) * DAY;
  closes.takeSplit(splitDay, 2, told);
  const week = weekOf(splitDay);
  expect(returnsOf(closes, week, week, told - 1)[0]).toBeCloseTo(Math.log(0.5), 12);
  expect(returnsOf(closes, week, week, told)[0]).toBe(0);

  const corrected = filled(60, () => 100);
  const session = sessionUpTo(dayOf(2023, 2, 3));
  corrected.take(dayOf(2023, 2, 3), 110, (dayOf(2023, 2, 3) + 10) * DAY, 99);
  expect(corrected.adjusted(session, (dayOf(2023, 2, 3) + 9) * DAY)).toBe(100);
  expect(corrected.adjusted(session, (dayOf(2023, 2, 3) + 10) * DAY)).toBe(110);
  expect(corrected.adjusted(session, NEVER)).toBe(110);
  expect(corrected.adjusted(session, dayOf(2023, 2, 3) * DAY)).toBeNaN();
});

it('gives the same whatever order the reports come in', () => {
  const day = dayOf(2023, 3, 1);
  const session = sessionUpTo(day);
  const [a, b] = [new AssetCloses(), new AssetCloses()];
  a.take(day, 10, day * DAY + 21 * HOUR, 1);
  a.take(day, 11, (day + 3) * DAY, 2);
  b.take(day, 11, (day + 3) * DAY, 2);
  b.take(day, 10, day * DAY + 21 * HOUR, 1);
  for (const at of [day * DAY, day * DAY + 21 * HOUR, (day + 2) * DAY, (day + 3) * DAY]) {
    expect(b.adjusted(session, at)).toBe(a.adjusted(session, at));
  }
});

it('takes in an older close after newer ones', () => {
  const closes = filled(40, (i) => 100 + i);
  const week = weekOf(dayOfSession(FIRST));
  expect(returnsOf(closes, week, week)[0]).toBeNaN();
  const before = dayOfSession(FIRST - 1);
  closes.take(before, 100, before * DAY + 21 * HOUR, 99);
  expect(returnsOf(closes, week, week)[0]).toBeCloseTo(Math.log(103 / 100), 12);
  expect(closes.take(dayOf(2023, 7, 4), 5, NEVER, 1)).toBe(-1);
});
