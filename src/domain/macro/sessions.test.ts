// Business days and the grid of steps.
import { expect, it } from 'vitest';
import { dayOf, FRIDAY, newYorkInstant, weekdayOf, writeDay } from '../../kernel/new-york-time.js';
import { isTradingDay } from '../facts/trading-days.js';
import {
  businessDayFrom,
  businessDaysAfter,
  businessDaysBetween,
  dayOfSession,
  isSession,
  lastStepBy,
  lastWeekBy,
  sessionUpTo,
  stepOf,
  weekEndDay,
  weekOf,
  weekStep,
} from './sessions.js';

it('has a session on every trading day and on no other', () => {
  for (const [year, month, date] of [
    [2024, 1, 1],
    [2024, 3, 29],
    [2024, 6, 19],
    [2024, 7, 4],
    [2024, 11, 28],
    [2021, 12, 24],
  ] as const) {
    expect(isSession(dayOf(year, month, date)), `${year}-${month}-${date}`).toBe(false);
  }
  for (let day = dayOf(2000, 1, 1); day < dayOf(2040, 1, 1); day += 1) {
    if (isSession(day) !== isTradingDay(day)) expect.fail(writeDay(day));
  }
});

it('counts business days over weekends and holidays', () => {
  expect(businessDaysAfter(dayOf(2024, 7, 3), 1)).toBe(dayOf(2024, 7, 5));
  expect(businessDayFrom(dayOf(2024, 7, 4))).toBe(dayOf(2024, 7, 5));
  expect(businessDayFrom(dayOf(2024, 7, 5))).toBe(dayOf(2024, 7, 5));
  expect(businessDaysAfter(dayOf(2024, 7, 6), 1)).toBe(dayOf(2024, 7, 8));
  const noon = (date: number) => newYorkInstant(dayOf(2024, 7, date), 12 * 60);
  expect([3, 4, 5, 7, 8].map((date) => businessDaysBetween(noon(3), noon(date)))).toEqual([0, 0, 1, 1, 2]);
  expect(businessDaysBetween(noon(4), noon(8))).toBe(2);
});

it('steps once a session and once a week', () => {
  const session = sessionUpTo(dayOf(2024, 7, 4));
  expect(dayOfSession(session)).toBe(dayOf(2024, 7, 3));
  expect(lastStepBy(stepOf(session))).toBe(session);
  expect(lastStepBy(stepOf(session) - 1)).toBe(session - 1);
  const week = weekOf(dayOf(2024, 7, 3));
  expect(weekdayOf(weekEndDay(week))).toBe(FRIDAY);
  expect(weekOf(dayOf(2024, 7, 5))).toBe(week);
  expect(weekOf(dayOf(2024, 7, 6))).toBe(week + 1);
  expect(lastWeekBy(weekStep(week))).toBe(week);
  expect(lastWeekBy(weekStep(week) - 1)).toBe(week - 1);
});
