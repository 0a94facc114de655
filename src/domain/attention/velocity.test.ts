import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, parseInstant } from '../../kernel/instant.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { HourlyHistory } from './hourly-history.js';
import { VelocityBoard, velocityAt } from './velocity.js';

const START = parseInstant('2026-01-05T00:00:00Z')!;
const AT = START + 20 * DAY;
const STEP = 5 * MINUTE;

/** One mention in every step, so twelve in every hour. */
function even(until: number): HourlyHistory {
  const history = new HourlyHistory(AT);
  for (let at = START; at < until; at += STEP) history.add(0, at, 1);
  return history;
}

it('is zero at the usual rate, and one when the rate has doubled for long', () => {
  const history = even(AT + 6 * HOUR);
  expect(velocityAt(history, 0, AT, START)).toBe(0);
  for (let at = AT; at < AT + 6 * HOUR; at += STEP) history.add(0, at, 1);
  expect(velocityAt(history, 0, AT + 6 * HOUR, START)).toBeCloseTo(Math.log2(24.5 / 12.5), 2);
});

it('moves half of the way in an hour', () => {
  const history = even(AT + HOUR);
  for (let at = AT; at < AT + HOUR; at += STEP) history.add(0, at, 1);
  const rate = 12 * (1 + 0.5 / (1 - 2 ** -6));
  expect(velocityAt(history, 0, AT + HOUR, START)).toBeCloseTo(Math.log2((rate + 0.5) / 12.5), 5);
});

it('compares with the same clock hour, not with the day', () => {
  const history = new HourlyHistory(AT);
  for (let day = 0; day < 20; day++) history.add(0, START + day * DAY + 9 * HOUR, 100);
  expect(velocityAt(history, 0, AT + 10 * HOUR, START)!).toBeLessThan(-5);
  expect(velocityAt(history, 0, AT + 11 * HOUR, START)).toBe(0);
});

it('needs a week of the clock hour, and does not see what comes later', () => {
  const history = even(AT);
  expect(velocityAt(history, 0, AT, AT - 7 * DAY + 1)).toBeNull();
  expect(velocityAt(history, 0, AT, AT - 8 * DAY)).toBe(0);
  history.add(0, AT + 1, 1000);
  expect(velocityAt(history, 0, AT + 2 * MINUTE, START)).toBe(0);
});

it('reads all tickers as it reads one, whatever came in between', () => {
  const random = seededRandom('velocity');
  const history = new HourlyHistory(AT);
  const board = new VelocityBoard(history);
  for (let i = 0; i < 4000; i++) history.add(random.integer(0, 9), AT - random.integer(0, 20 * DAY), 1);
  for (let now = AT; now < AT + 4 * HOUR; now += random.integer(1, 12) * MINUTE) {
    const velocities = board.at(now, 10, START);
    velocities.forEach((velocity, slot) => {
      expect(velocity).toBe(velocityAt(history, slot, now, START));
    });
    expect(board.at(now, 10, START)).toBe(velocities);
    for (let i = 0; i < 5; i++) history.add(random.integer(0, 9), now - random.integer(0, 15 * DAY), 1);
    for (let i = 0; i < 5; i++) history.add(random.integer(0, 9), now + random.integer(0, MINUTE), 1);
  }
});
