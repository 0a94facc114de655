import { describe, expect, it } from 'vitest';
import { HOUR, MILLISECOND, MINUTE, SECOND } from '../../kernel/instant.js';
import { StoreClock } from './store-clock.js';

const NOON = 1_000_000 * HOUR;

describe('the clock of the store', () => {
  it('is in the past until it has answered', () => {
    expect(new StoreClock().at(5_000)).toBeLessThan(NOON);
  });

  it('is never thought to be later than it is, however long answers take', () => {
    const clock = new StoreClock();
    const trips = [
      { sent: 0, there: 90, received: 100 },
      { sent: 200, there: 203, received: 204 },
      { sent: 300, there: 301, received: 900 },
    ];
    for (const { sent, there, received } of trips) {
      clock.learn(NOON + there * MILLISECOND, { sent, received });
      expect(clock.at(1_000)).toBeLessThanOrEqual(NOON + 1_000 * MILLISECOND);
    }
    expect(clock.at(1_000), 'the quickest answer counts').toBe(NOON + 999 * MILLISECOND);
  });

  it.each([MINUTE, -MINUTE])('is followed when it is set by %i', (by) => {
    const clock = new StoreClock();
    clock.learn(NOON, { sent: 0, received: 0 });
    clock.learn(NOON + by + SECOND, { sent: 999, received: 1_001 });
    expect(clock.at(1_001)).toBe(NOON + by + SECOND);
  });
});
